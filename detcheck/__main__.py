"""`python -m detcheck`, and the console script: Ctrl-C while modules are still being imported is 130 too."""

import sys


def run() -> int:
    """The command line of this process."""
    try:
        from detcheck.cli.main import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
