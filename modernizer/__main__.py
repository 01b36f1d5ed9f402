"""Makes ``python -m modernizer`` the same as ``modernizer``."""

from modernizer.cli import main

if __name__ == "__main__":
    main()
