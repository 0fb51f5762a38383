"""`python -m hipify`."""

import sys

from hipify.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
