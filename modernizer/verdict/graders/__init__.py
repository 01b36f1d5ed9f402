"""Metrics as pure functions on plain sequences, defined as scikit-learn defines them."""
