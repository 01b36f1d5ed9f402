"""Rows of arguments.toml and moves.toml for scikit-learn, SciPy and statsmodels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ARGUMENTS = [
    ("linear_model", "SGDClassifier(n_iter=5)", "SGDClassifier(max_iter=5, tol=None)"),
    ("linear_model", "SGDClassifier(loss='log')", "SGDClassifier(loss='log_loss')"),
    ("linear_model", 'SGDRegressor(loss="squared_loss")', 'SGDRegressor(loss="squared_error")'),
    ("linear_model", "Perceptron(max_iter=3, tol=-np.inf)", "Perceptron(max_iter=3, tol=None)"),
    ("linear_model", "BayesianRidge(n_iter=5)", "BayesianRidge(max_iter=5)"),
    ("linear_model", "LinearRegression(normalize=True)", "LinearRegression()"),
    ("linear_model", "Lasso(alpha=1, normalize=False)", "Lasso(alpha=1)"),
    ("linear_model", "LassoCV(n_alphas=10)", "LassoCV(alphas=10)"),
    ("linear_model", "LogisticRegression(penalty='none')", "LogisticRegression(penalty=None)"),
    ("linear_model", "LogisticRegression(multi_class='multinomial', C=2)", "LogisticRegression(C=2)"),
    ("manifold", "TSNE(n_iter=300)", "TSNE(max_iter=300)"),
    ("decomposition", "LatentDirichletAllocation(n_topics=3)", "LatentDirichletAllocation(n_components=3)"),
    ("ensemble", "RandomForestClassifier(max_features='auto')", "RandomForestClassifier(max_features='sqrt')"),
    ("ensemble", "RandomForestRegressor(max_features='auto')", "RandomForestRegressor(max_features=1.0)"),
    ("ensemble", "RandomForestRegressor(criterion='mse')", "RandomForestRegressor(criterion='squared_error')"),
    ("ensemble", "GradientBoostingClassifier(loss='deviance', presort=True)", "GradientBoostingClassifier(loss='log_loss')"),
    ("ensemble", "GradientBoostingRegressor(loss='lad')", "GradientBoostingRegressor(loss='absolute_error')"),
    ("ensemble", "AdaBoostClassifier(base_estimator=t, algorithm='SAMME')", "AdaBoostClassifier(estimator=t)"),
    ("ensemble", "IsolationForest(behaviour='new')", "IsolationForest()"),
    ("tree", "DecisionTreeRegressor(criterion='mae')", "DecisionTreeRegressor(criterion='absolute_error')"),
    ("tree", "DecisionTreeClassifier(min_samples_split=1)", "DecisionTreeClassifier(min_samples_split=2)"),
    ("svm", "LinearSVC(loss='l1')", "LinearSVC(loss='hinge')"),
    ("svm", "SVC(class_weight='auto')", "SVC(class_weight='balanced')"),
    ("cluster", "KMeans(3, n_jobs=2, precompute_distances=True)", "KMeans(3)"),
    ("cluster", "AgglomerativeClustering(affinity='cosine')", "AgglomerativeClustering(metric='cosine')"),
    ("preprocessing", "OneHotEncoder(sparse=False)", "OneHotEncoder(sparse_output=False)"),
    ("model_selection", "GridSearchCV(m, g, iid=False)", "GridSearchCV(m, g)"),
    ("model_selection", "cross_val_score(m, X, fit_params=f)", "cross_val_score(m, X, params=f)"),
    ("metrics", "precision_recall_curve(y, probas_pred=p)", "precision_recall_curve(y, y_score=p)"),
    ("metrics", "brier_score_loss(y, y_prob=p)", "brier_score_loss(y, y_proba=p)"),
    ("calibration", "calibration_curve(y, p, normalize=False)", "calibration_curve(y, p)"),
    ("cluster", "AgglomerativeClustering(2, pooling_func=np.mean)", "AgglomerativeClustering(2)"),
    ("model_selection", "cross_validate(m, X, return_train_score='warn')", "cross_validate(m, X, return_train_score=True)"),
    ("neural_network", "MLPClassifier(algorithm='l-bfgs')", "MLPClassifier(solver='lbfgs')"),
]
MOVES = [
    (
        "from sklearn.preprocessing import Imputer\nImputer(strategy='mean', axis=0)",
        "from sklearn.impute import SimpleImputer\nSimpleImputer(strategy='mean')",
    ),
    (
        "from sklearn.decomposition import RandomizedPCA\nRandomizedPCA(2)",
        "from sklearn.decomposition import PCA\nPCA(2, svd_solver='randomized')",
    ),
    (
        "from sklearn.mixture import GMM\nGMM(3, n_iter=9)",
        "from sklearn.mixture import GaussianMixture\nGaussianMixture(3, max_iter=9, covariance_type='diag')",
    ),
    ("from sklearn.ensemble.forest import RandomForestClassifier", "from sklearn.ensemble import RandomForestClassifier"),
    ("from sklearn.metrics.scorer import make_scorer", "from sklearn.metrics import make_scorer"),
    ("from sklearn.utils.fixes import logsumexp", "from scipy.special import logsumexp"),
    (
        "import statsmodels.formula.api as smf\nimport statsmodels.api as sm\nsmf.OLS(y, X)",
        "import statsmodels.formula.api as smf\nimport statsmodels.api as sm\nsm.OLS(y, X)",
    ),
    (
        "import statsmodels.api as sm\nsm.tsa.seasonal_decompose(s, freq=12)",
        "import statsmodels.api as sm\nsm.tsa.seasonal_decompose(s, period=12)",
    ),
    ("from scipy.misc import comb, factorial", "from scipy.special import comb, factorial"),
    ("import numpy as np\nimport scipy as sp\nsp.mean(x)", "import numpy as np\nimport scipy as sp\nnp.mean(x)"),
]


@pytest.mark.parametrize(("module", "old", "new"), ARGUMENTS)
def test_an_argument_is_renamed_dropped_or_revalued(rewrite: Callable[..., Any], module: str, old: str, new: str) -> None:
    head = f"import numpy as np\nfrom sklearn.{module} import {old.partition('(')[0]}\n"
    assert rewrite(head + old) == head + new


@pytest.mark.parametrize(("old", "new"), MOVES)
def test_a_moved_symbol_is_named_where_it_lives_now(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(old) == new


@pytest.mark.parametrize(
    "source",
    [
        "from mine import SGDClassifier\nSGDClassifier(n_iter=5, loss='log')",
        "from sklearn.ensemble import RandomForestClassifier\nRandomForestClassifier(max_features='sqrt', n_jobs=2)",
        "from sklearn.decomposition import TruncatedSVD\nTruncatedSVD(n_iter=7)",
        "import numpy as np\nfrom sklearn.impute import SimpleImputer\nSimpleImputer(missing_values=np.nan)",
    ],
)
def test_what_still_works_stays(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(source) == source


def test_the_folder_of_a_cache_has_its_new_name(repair: Callable[..., Any]) -> None:
    repaired = repair(["from sklearn.externals.joblib import Memory", "memory = Memory(cachedir='cache', verbose=0)"])
    assert repaired.cells == ["from joblib import Memory", "memory = Memory(location='cache', verbose=0)"]
    assert repaired.value("memory.location", as_then=False) == "cache"
