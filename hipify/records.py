"""`NamedTuple` without what `typing` does when a class is made: it compiles the annotation of each field.

Sixty classes are made before the first line is read; of a short run that was an eighth.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _Maker(type):
        """Makes named tuples of class bodies, as `typing` does."""

        def __new__(cls, name, bases, body):
            if bases != (NamedTuple,):
                raise TypeError("a NamedTuple has no other base class")
            fields = body.get("__annotations__", {})
            last = [field for field in fields if field in body]
            if last != list(fields)[len(fields) - len(last) :]:
                raise TypeError(f"{name}: a field without a default stands behind one with a default")
            made = namedtuple(name, fields, defaults=[body[field] for field in last], module=body["__module__"])
            for key, value in body.items():
                if key in _FIXED:
                    raise AttributeError(f"{name}: a NamedTuple's {key} cannot be replaced")
                if key not in fields and key != "__module__":
                    setattr(made, key, value)
            return made

    _FIXED = frozenset(
        ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_make", "_replace", "_asdict")
    )
    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
