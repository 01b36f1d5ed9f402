"""Which worlds the hostile notebooks are played in here."""

from __future__ import annotations

import os

from modernizer.sandbox.confinement import find_means

WORLDS = (
    ("root", "container", "user", "plain user")
    if os.getuid() == 0 and find_means().namespaces == "root"
    else ("here", "plain here")
)
"""Root can make every place the product runs in: root with all rights, root in a container, a user with and one without
namespaces. Others have the one they are in."""
