"""`python -m host_tools.mutate`."""

import sys

from host_tools.mutate.command import main

sys.exit(main())
