"""What every lab of the course needs: data, models, a score."""
import numpy as np
from sklearn.cross_validation import train_test_split
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler


def load_scaled(test_size):
    data = load_breast_cancer()
    X = data.data.astype(np.float)
    y = data.target.astype(np.int)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=test_size, random_state=42)
    scaler = StandardScaler().fit(X_train)
    return scaler.transform(X_train), scaler.transform(X_test), y_train, y_test


def make_margin(passes):
    return SGDClassifier(loss='hinge', n_iter=passes, alpha=0.01, random_state=0)


def make_logistic(passes):
    return SGDClassifier(loss='log', n_iter=passes, alpha=0.01, random_state=0)


def accuracy(model, X, y):
    return np.mean(model.predict(X) == y)
