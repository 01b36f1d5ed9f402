# %% [markdown]
# # Choosing a classifier for wines
#
# Three ways to judge a model without fooling yourself: a held-out test set, k-fold cross-validation and a grid search.
# The data are the 178 wines that come with scikit-learn: 13 chemical measurements, three growers.
# %%
import numpy as np
from sklearn import cross_validation, datasets
from sklearn.cross_validation import KFold, train_test_split
from sklearn.grid_search import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

wine = datasets.load_wine()
X, y = wine.data, wine.target
X.shape
# %% [markdown]
# ## A held-out test set
#
# The measurements have very different ranges, so they are scaled first.
# %%
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=7)
model = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5))
model.fit(X_train, y_train)
print('test accuracy: %.4f' % model.score(X_test, y_test))
# %% [markdown]
# ## K-fold by hand
#
# The splitter knows the number of samples and hands out index arrays, one pair per fold.
# %%
folds = KFold(len(y), n_folds=5, shuffle=True, random_state=0)
scores = []
for train, test in folds:
    model.fit(X[train], y[train])
    scores.append(model.score(X[test], y[test]))
print(len(folds), 'folds, mean accuracy: %.4f' % np.mean(scores))
# %% [markdown]
# ## The same in one line
# %%
scores = cross_validation.cross_val_score(model, X, y, cv=folds, scoring='accuracy')
print('cross-validated accuracy: %.4f' % scores.mean())
# %% [markdown]
# ## How many neighbours?
# %%
grid = {'kneighborsclassifier__n_neighbors': [1, 3, 5, 9, 15, 25]}
search = GridSearchCV(model, grid, scoring='accuracy', cv=folds)
search.fit(X, y)
for entry in search.grid_scores_:
    print('%2d neighbours: %.3f' % (entry.parameters['kneighborsclassifier__n_neighbors'], entry.mean_validation_score))
# %%
print('best:', search.best_params_)
print('best accuracy: %.4f' % search.best_score_)
