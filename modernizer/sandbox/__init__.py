"""Confines programs that run code we don't trust: notebooks, package builds, anything of a fresh environment."""
