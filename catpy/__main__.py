"""`python -m catpy` is the command `catpy`."""

import sys

from catpy.cli import main

if __name__ == "__main__":
    sys.exit(main())
