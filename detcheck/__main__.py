"""`python -m detcheck`."""

import sys

from detcheck.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
