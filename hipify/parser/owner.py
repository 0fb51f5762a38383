"""Whose a name is."""

from __future__ import annotations

import enum


class Owner(enum.Enum):
    """Whom an identifier belongs to."""

    API = "api"
    USER = "user"
    UNKNOWN = "unknown"
