"""The words that make a printed number a score."""

from __future__ import annotations

import re

from modernizer.verdict.words import words

_STRONG = words("""
    accuracy acc auc auroc auprc f1 f2 fbeta f1score fscore fmeasure precision recall sensitivity specificity r2 r2score
    rsquared rsq rmse
    mse mae mape smape rmsle msle medae rss loss losses logloss crossentropy score scores scoring error errors err silhouette
    kappa gini
    iou dice jaccard bleu rouge perplexity mcc matthews inertia aic bic aicc likelihood loglik corr correlation pearson spearman
    wer ndcg homogeneity completeness ari nmi ami deviance misclassification mislabeled misclassified brier cohen oob
    """)
_WEAK = words("mean average avg coefficient coefficients coef coefs intercept slope std variance statistic pvalue")
_EXCLUDED = words("""
    time times seconds second secs sec minutes minute hours elapsed duration took eta version date lr tolerance tol threshold
    alpha
    seed port pid memory bytes size shape count counts number num n length total_time per_step parameter parameters params
    rows columns
    samples epochs iterations iteration iters iter step steps rank index id gpa
    """)
_PHRASES = re.compile(
    r"r[ -]?squared|r\s?\^\s?2|r\*\*2|r²|f[ -]?1\b|p[ -]?values?\b|p\s?>|log[ -]?loss|log[ -]?likelihood|cross[ -]?entropy"
    r"|v[ -]measure"
    r"|explained[ _]variance|variance[ _]score|roc[ _]auc|best[ _]score|mean[ _](?:squared|absolute)|squared[ _]error"
    r"|map@\d+|f[ -]score|oob",
    re.IGNORECASE,
)
_SKILL = words("r2 r2score rsquared rsq kappa mcc matthews silhouette corr correlation pearson spearman ari nmi ami gini cohen")
_SKILL_PHRASES = re.compile(r"r[ -]?squared|r\s?\^\s?2|r\*\*2|r²|explained[ _]variance", re.IGNORECASE)
_SPLIT = re.compile(r"[^A-Za-z0-9²]+|(?<=[a-z])(?=[A-Z])")
_TINY = re.compile(r"p[ _-]?val|p\s?>|prob \(", re.IGNORECASE)


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in _SPLIT.split(text) if token]


def _is_strong(token: str) -> bool:
    bare = token.rstrip("0123456789") or token
    return token in _STRONG or bare in _STRONG or token.removesuffix("score") in _STRONG


def is_metric(text: str) -> bool:
    """Tell whether a label or identifier names a score whatever stands beside it: ``val_accuracy``, ``R^2``, ``bestScore``."""
    return bool(_PHRASES.search(text)) or any(_is_strong(token) for token in _tokens(text))


def is_weak_metric(text: str) -> bool:
    """Tell whether a label names a score only when it is set out as one: ``mean of b: 0.06``, ``intercept = 2``."""
    return any(token in _WEAK for token in _tokens(text))


def is_excluded(text: str) -> bool:
    """Tell whether a label speaks of a time, a count or a setting rather than of a score."""
    return any(token in _EXCLUDED for token in _tokens(text))


def last_metric_end(text: str) -> int:
    """Find where the last metric word of a label ends, or -1."""
    ends = [match.end() for match in _PHRASES.finditer(text)]
    ends += [match.end() for match in re.finditer(r"[A-Za-z0-9²_]+", text) if any(_is_strong(t) for t in _tokens(match.group()))]
    return max(ends, default=-1)


def is_probability_of_chance(text: str) -> bool:
    """Tell whether a label names a p-value: differences far below any level of significance mean nothing."""
    return bool(_TINY.search(text)) or "pvalue" in _tokens(text)


def is_skill(text: str) -> bool:
    """Tell whether a label names a score that is measured from a baseline: R², kappa, correlation."""
    return bool(_SKILL_PHRASES.search(text)) or any(token in _SKILL for token in _tokens(text))
