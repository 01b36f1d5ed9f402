# %% [markdown]
# # Lab 3: linear classifiers
#
# The loading and scoring code is the same in every lab and lives in `lab_tools.py`. Here we only compare.
# %%
from lab_tools import accuracy, load_scaled, make_logistic, make_margin

X_train, X_test, y_train, y_test = load_scaled(test_size=0.25)
print('training samples:', len(X_train), 'features:', X_train.shape[1])
# %% [markdown]
# ## A margin
#
# Gradient descent on the hinge loss gives a linear support vector machine. We fix the number of passes over the data.
# %%
margin = make_margin(passes=30).fit(X_train, y_train)
print('margin accuracy: %.4f' % accuracy(margin, X_test, y_test))
# %% [markdown]
# ## Logistic regression
#
# The same update loop, another loss.
# %%
logistic = make_logistic(passes=30).fit(X_train, y_train)
print('logistic accuracy: %.4f' % accuracy(logistic, X_test, y_test))
# %% [markdown]
# ## Which samples are unclear?
# %%
unclear = abs(logistic.decision_function(X_test)) < 1
print('close to the border:', 'some' if unclear.any() else 'none')
print('accuracy away from it: %.4f' % accuracy(logistic, X_test[~unclear], y_test[~unclear]))
