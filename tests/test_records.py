"""The package's named tuples are what `typing` makes, but for the time that it takes."""

from __future__ import annotations

import pickle
import typing
from typing import Any

import pytest

from hipify import records


class Ours(records.NamedTuple):
    """Two numbers."""

    one: int
    two: tuple[int, ...] | None = None

    @property
    def both(self) -> tuple[int, object]:
        """Both."""
        return self.one, self.two

    @staticmethod
    def of(number: int) -> Ours:
        """One of them."""
        return Ours(number)

    def __str__(self) -> str:
        return f"<{self.one}>"


class Theirs(typing.NamedTuple):
    """Two numbers."""

    one: int
    two: tuple[int, ...] | None = None


def test_instances_are_tuples_with_names() -> None:
    made = Ours(1, two=(2,))
    assert tuple(made) == (1, (2,)) == tuple(Theirs(1, (2,)))
    assert (made.one, made.two, Ours(3).two) == (1, (2,), None)
    assert repr(made) == repr(Theirs(1, (2,))).replace("Theirs", "Ours")
    assert made._replace(one=5)._asdict() == {"one": 5, "two": (2,)}
    assert made.both == (1, (2,)) and str(Ours.of(4)) == "<4>"
    assert hash(made) == hash((1, (2,)))
    assert pickle.loads(pickle.dumps(made)) == made
    match made:
        case Ours(one, two):
            assert (one, two) == (1, (2,))


@pytest.mark.parametrize("name", ["_fields", "_field_defaults", "__match_args__", "__doc__", "__module__"])
def test_classes_say_of_themselves_what_those_of_typing_do(name: str) -> None:
    assert getattr(Ours, name) == getattr(Theirs, name)


def test_the_class_is_found_under_its_name() -> None:
    assert (Ours.__name__, Ours.__qualname__) == ("Ours", "Ours")
    assert set(Ours.__annotations__) == {"one", "two"}
    assert issubclass(Ours, tuple)


@pytest.mark.parametrize("count", [0, 1, 11, 12, 21, 40])
def test_any_number_of_fields(count: int) -> None:
    names = [f"field{index}" for index in range(count)]
    maker: Any = type(records.NamedTuple)
    made = maker("Made", (records.NamedTuple,), {"__module__": "m", "__annotations__": dict.fromkeys(names, int)})
    assert made(*range(count)) == tuple(range(count)) == made(**dict(zip(names, range(count), strict=True)))
    assert [getattr(made(*range(count)), name) for name in names] == list(range(count))
    assert made.__doc__ == f"Made({', '.join(names)})"


def test_a_wrong_call_is_told_by_the_names_of_the_fields() -> None:
    make: Any = Ours
    with pytest.raises(TypeError, match=r"Ours\.__new__\(\) missing 1 required positional argument: 'one'"):
        make()
    with pytest.raises(TypeError, match="three"):
        make(1, three=3)
    with pytest.raises(ValueError, match="three"):
        make(1)._replace(three=3)
    with pytest.raises(TypeError):
        make._make([1])


def test_what_no_named_tuple_can_be_is_an_error() -> None:
    base: Any = records.NamedTuple
    with pytest.raises(TypeError):
        type(base)("Bad", (base, dict), {"__module__": "m"})
    with pytest.raises(AttributeError):
        type(base)("Bad", (base,), {"__module__": "m", "_make": 1})
    with pytest.raises(TypeError):  # a field without a default behind one with
        type(base)("Bad", (base,), {"__module__": "m", "__annotations__": {"a": int, "b": int}, "a": 1})
