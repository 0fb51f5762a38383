"""Stub."""

from hipify.project.build_files import BuildFile


def convert(file: BuildFile) -> None:
    """Nothing yet."""
