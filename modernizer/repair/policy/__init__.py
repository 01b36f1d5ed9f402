"""The policy: the gate that every edit passes, whoever proposed it."""

from modernizer.repair.policy.gate import FLAGS, RULES, check
from modernizer.repair.policy.review import Flag, Review, Violation

__all__ = ["FLAGS", "RULES", "Flag", "Review", "Violation", "check"]
