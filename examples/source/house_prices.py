# %% [markdown]
# # House prices: a first submission
#
# The table of the competition is mounted under `/kaggle/input`.
# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

train = pd.read_csv('/kaggle/input/house-prices/train.csv')
train.head()
# %%
train['SalePrice'].describe().round(1)
# %% [markdown]
# ## Features
# %%
features = pd.get_dummies(train.drop(['Id', 'SalePrice'], axis=1))
features['area_per_room'] = features['area'] / features['rooms']
list(features.columns)
# %% [markdown]
# ## Model
# %%
X_train, X_test, y_train, y_test = train_test_split(features, train['SalePrice'], test_size=0.25, random_state=1)
model = Ridge(alpha=1.0).fit(X_train, y_train)
error = y_test - model.predict(X_test)
print('RMSE: %.1f' % np.sqrt((error ** 2).mean()))
print('R2: %.4f' % model.score(X_test, y_test))
