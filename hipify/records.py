"""`NamedTuple` without what `typing` and `collections` do when a class is made: both compile text for each class.

Sixty classes are made before the first line is read; of a short run that was an eighth.
"""

from __future__ import annotations

TYPE_CHECKING = False  # whose name tells type checkers enough: importing typing takes longer than many a module

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter
    from types import FunctionType

    class _Record(tuple):
        """What all named tuples can do."""

        __slots__ = ()

        @classmethod
        def _make(cls, iterable):
            """Make a new one of values in order."""
            made = tuple.__new__(cls, iterable)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **values):
            """The same with other values for some fields."""
            made = self._make(map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return made

        def _asdict(self):
            """The values by name."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values)})"

        def __getnewargs__(self):
            return tuple(self)

    # What makes an instance, for each number of fields that is met: its code serves every class, under other names.
    _new = tuple.__new__
    _MAKERS = (
        lambda _cls, a: _new(_cls, (a,)),
        lambda _cls, a, b: _new(_cls, (a, b)),
        lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v)
        ),
    )
    _CODES = {maker.__code__.co_argcount - 1: maker.__code__ for maker in _MAKERS}
    _GETTERS = [_tuplegetter(index, f"Alias for field number {index}") for index in range(max(_CODES))]

    def _prepare(count):
        """Get ready for another number of fields."""
        names = "".join(f"_{index}," for index in range(count))
        _CODES[count] = eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__
        for index in range(len(_GETTERS), count):
            _GETTERS.append(_tuplegetter(index, f"Alias for field number {index}"))

    def _maker(name, fields, defaults):
        """The function that makes an instance of a class."""
        if len(fields) not in _CODES:
            _prepare(len(fields))
        code = _CODES[len(fields)].replace(co_varnames=("_cls", *fields), co_name="__new__")
        made = FunctionType(code, {"_new": _new, "__builtins__": {}}, "__new__", defaults)
        made.__qualname__ = f"{name}.__new__"
        return made

    class _Maker(type):
        """Makes named tuples of class bodies, as `typing` does."""

        def __new__(cls, name, bases, body):
            if bases != (NamedTuple,):
                raise TypeError("a NamedTuple has no other base class")
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default stands behind one with a default")
            if not _FIXED.isdisjoint(body):
                raise AttributeError(f"{name}: a NamedTuple's {min(_FIXED & body.keys())} cannot be replaced")
            made = {
                "__doc__": f"{name}({', '.join(fields)})",
                **body,
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": _maker(name, fields, tuple(defaults.values())),
            }
            made.update(zip(fields, _GETTERS, strict=False))
            return type(name, (_Record,), made)

    _FIXED = frozenset(
        ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_make", "_replace", "_asdict")
    )
    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
