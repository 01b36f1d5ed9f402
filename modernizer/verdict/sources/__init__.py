"""Where scores are read besides the automatic reading of stored outputs: one module for each source."""
