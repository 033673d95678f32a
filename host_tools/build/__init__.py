"""Fetches sources and builds MicroPython, the images and the test interpreter."""

import sys

# This runs before any module here is read: an older Python cannot even import them.
if sys.version_info < (3, 11):
    sys.exit(
        f"setup: Python 3.11 or newer is needed, this is {sys.version.split()[0]}: "
        "install a newer one and put it first in PATH as python3"
    )
