"""Start of the container action: everything is in the package."""

from modernizer.action import main

main()
