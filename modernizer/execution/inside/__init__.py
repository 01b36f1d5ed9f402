"""Files that run beside or inside the kernel, never in the runner: standard library and IPython only, Python 3.8 or newer."""
