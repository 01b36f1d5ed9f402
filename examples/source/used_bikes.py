# %% [markdown]
# # What is a used bike worth?
#
# Advertisements mix everything: a brand, numbers with gaps and a line of text. We turn each into columns and fit a line.
# %%
import numpy as np
import pandas as pd
from IPython.core.display import HTML, display
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge
from sklearn.preprocessing import Imputer, LabelEncoder, OneHotEncoder

bikes = pd.read_csv('data/used_bikes.csv')
display(HTML('<b>%d advertisements</b>' % len(bikes)))
bikes.head()
# %% [markdown]
# ## Numbers with gaps
# %%
imputer = Imputer(missing_values='NaN', strategy='median', axis=0)
numbers = imputer.fit_transform(bikes[['gears', 'weight']])
print('filled in:', bikes[['gears', 'weight']].isnull().sum().sum(), 'medians:', imputer.statistics_.tolist())
# %% [markdown]
# ## Brands
# %%
labels = LabelEncoder()
codes = labels.fit_transform(bikes['brand'])
brands = OneHotEncoder(sparse=False).fit_transform(codes.reshape(-1, 1))
brands[:3]
# %% [markdown]
# ## Words
# %%
vectorizer = CountVectorizer(min_df=5, binary=True)
words = vectorizer.fit_transform(bikes['description']).toarray()
print(', '.join(vectorizer.get_feature_names()))
# %% [markdown]
# ## All together
#
# The last fifty advertisements are kept for the test.
# %%
X = np.hstack([numbers, brands, words])
y = bikes['price'].values
names = ['gears', 'weight'] + ['brand ' + label for label in labels.classes_] + vectorizer.get_feature_names()
model = Ridge(alpha=1.0).fit(X[:150], y[:150])
print(len(names), 'columns, test R2: %.4f' % model.score(X[150:], y[150:]))
print('MAE: %.3f' % np.abs(model.predict(X[150:]) - y[150:]).mean())
# %%
worth = pd.Series(model.coef_, index=names)
worth.sort_values(ascending=False).round(1).head(5)
