# %% [markdown]
# # Reading digits with a support vector machine
#
# 1797 handwritten digits of 8 x 8 pixels. How much does scaling matter to a kernel method?
# %%
from sklearn.datasets import load_digits
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

digits = load_digits()
X_train, X_test, y_train, y_test = train_test_split(digits.data, digits.target, test_size=0.3, random_state=5)
print(X_train.shape, 'largest pixel value', X_train.max())
# %% [markdown]
# ## Raw pixels
#
# With pixel values up to 16 all images are far from each other and the kernel is nearly zero everywhere.
# %%
raw = SVC().fit(X_train, y_train)
print('accuracy on raw pixels: %.4f' % accuracy_score(y_test, raw.predict(X_test)))
print('support vectors:', len(raw.support_), 'of', len(X_train))
# %% [markdown]
# ## Scaled pixels
# %%
scaled = SVC().fit(X_train / 16.0, y_train)
print('accuracy on scaled pixels: %.4f' % accuracy_score(y_test, scaled.predict(X_test / 16.0)))
# %% [markdown]
# ## A linear kernel does not mind
# %%
linear = SVC(kernel='linear').fit(X_train, y_train)
print('accuracy with a linear kernel: %.4f' % accuracy_score(y_test, linear.predict(X_test)))
