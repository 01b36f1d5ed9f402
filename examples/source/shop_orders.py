# %% [markdown]
# # What does shipping cost?
#
# The orders of a small shop. The aim is a rule of thumb for the shipping cost of an order.
# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

orders = pd.read_csv('data/orders.csv')
orders.head()
# %% [markdown]
# Two orders came in by telephone after the export; the second one replaced a broken lamp.
# %%
late = pd.DataFrame({'order': [161], 'city': ['Lyon'], 'product': ['mug'], 'quantity': [4], 'price': [9.5],
                     'weight': [1.4], 'shipping': [5.3]}, columns=orders.columns)
orders = orders.append(late, ignore_index=True)
orders = orders.append({'order': 162, 'city': 'Porto', 'product': 'lamp', 'quantity': 1, 'price': 48.0,
                        'weight': 1.9, 'shipping': 6.1}, ignore_index=True)
len(orders)
# %% [markdown]
# ## Typical orders
# %%
print(orders.mean().round(3))
print('median shipping: %.2f' % orders.median()['shipping'])
# %%
by_city = orders.groupby('city').mean()
by_city[['quantity', 'weight', 'shipping']].round(2)
# %% [markdown]
# ## What goes with the cost?
# %%
related = []
for column, value in orders.corr()['shipping'].iteritems():
    if column != 'shipping':
        related.append((round(abs(value), 3), column))
sorted(related, reverse=True)
# %% [markdown]
# ## The rule of thumb
# %%
X = orders.as_matrix(['weight', 'quantity'])
y = orders['shipping'].as_matrix()
rule = LinearRegression().fit(X, y)
print('start %.2f, per kilogram %.2f' % (rule.intercept_, rule.coef_[0]))
print('R2: %.4f' % rule.score(X, y))
print('MAE: %.4f' % np.abs(y - rule.predict(X)).mean())
