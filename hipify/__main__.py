"""`python -m hipify`."""

from hipify.cli.main import program

if __name__ == "__main__":
    program()
