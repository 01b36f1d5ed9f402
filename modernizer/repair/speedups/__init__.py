"""The speed-ups: changes to slow cells that provably give the same results; a registry of their own, tried on time-outs only."""
