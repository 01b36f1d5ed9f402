"""From an execution to a verdict: diagnosis, scores, equivalence."""
