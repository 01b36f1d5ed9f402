# %% [markdown]
# # Nearest neighbours on the iris data
#
# The simplest classifier that works: ask the closest known flowers.
# %%
import numpy as np
from sklearn.datasets import load_iris
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

iris = load_iris()
X_train, X_test, y_train, y_test = train_test_split(iris.data, iris.target, test_size=0.4, random_state=3)
print(X_train.shape, X_test.shape)
# %%
model = KNeighborsClassifier(n_neighbors=5)
model.fit(X_train, y_train)
predicted = model.predict(X_test)
print('accuracy: %.4f' % np.mean(predicted == y_test))
# %% [markdown]
# ## Where are the mistakes?
# %%
confusion_matrix(y_test, predicted)
# %% [markdown]
# ## From scratch
#
# The whole idea in four lines; it must agree.
# %%
distances = np.sqrt(((X_test[:, None, :] - X_train[None, :, :]) ** 2).sum(axis=2))
nearest = np.argsort(distances, axis=1, kind='mergesort')[:, :5]
votes = np.array([np.bincount(y_train[row], minlength=3).argmax() for row in nearest])
print('agreement: %.4f' % np.mean(votes == predicted))
