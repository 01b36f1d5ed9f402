"""The untrusted side: scratch copies, kernels, limits."""
