"""Find a fix, prove it, make it small."""
