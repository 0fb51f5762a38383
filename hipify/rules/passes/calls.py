"""Calls that need more than a rename."""

from __future__ import annotations

from hipify.rules.context import Context


def run(context: Context) -> None:
    """Apply the call rules to every call that one of them names."""
