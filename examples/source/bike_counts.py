# %% [markdown]
# # Two years of a bicycle counter
#
# A counter at a bridge gives one number a day. We look at months, weekdays and rain, and at how far a naive forecast gets.
# %%
import numpy as np
import pandas as pd

rides = pd.read_csv('data/bike_counts.csv', index_col='date', parse_dates=True)
rides.head()
# %% [markdown]
# The thermometer failed on some days; the last known value is good enough.
# %%
print('days without temperature:', rides['temperature'].isnull().sum())
rides['temperature'] = rides['temperature'].fillna(method='ffill')
# %% [markdown]
# ## Months and quarters
# %%
monthly = rides['rides'].resample('M').sum()
print(len(monthly), 'months, first', monthly[0], 'last', monthly[-1])
print('busiest month:', monthly.idxmax().strftime('%B %Y'))
# %%
rides.groupby(pd.TimeGrouper('Q'))['rain_mm'].sum().round(1)
# %% [markdown]
# ## Weekdays
# %%
rides['weekday'] = rides.index.weekday_name
rides.groupby('weekday')['rides'].mean().round(1).sort_values()
# %% [markdown]
# ## Summer against winter
# %%
summer = rides.ix['2016-06-01':'2016-08-31', ['rides', 'temperature']]
winter = rides.ix['2016-01-01':'2016-02-29', ['rides', 'temperature']]
print('summer %.1f rides at %.1f degrees' % tuple(summer.mean()))
print('winter %.1f rides at %.1f degrees' % tuple(winter.mean()))
print('very first day:', rides.ix[0, 'rides'])
# %% [markdown]
# ## A naive forecast
#
# Tomorrow is like the same weekday of last week. Any model has to beat this.
# %%
error = (rides['rides'] - rides['rides'].shift(7))['2016-01-01':]
print('MAE: %.2f' % error.abs().mean())
print('RMSE: %.2f' % np.sqrt((error ** 2).mean()))
