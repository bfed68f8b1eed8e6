"""Makes frozen dataclasses whose methods are compiled when the first of them is made, not at each start."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
_COMPILED: Final = ("__init__", "__repr__", "__eq__", "__hash__")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def value(cls: type[T]) -> type[T]:
    """A class as ``dataclass(frozen=True, slots=True)`` makes it, in a tenth of the time.

    That one compiles six methods for each class at each start: a third of a millisecond, and there are two
    hundred classes, most of them not needed before the first frame. ``fields``, ``replace``,
    matching by position, copying, pickling and ``inspect.signature`` work as usual. Raises TypeError for a
    class with an ``__init__`` of its own.
    """
    own = frozenset(name for name in _COMPILED if vars(cls).get(name) is not None)
    if "__init__" in own:
        raise TypeError(f"{cls.__qualname__} must leave its __init__ to the decorator.")
    made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    methods = _Methods(made, own)
    for name, attribute in {
        "__init__": methods.first_init(),
        "__signature__": methods,
        "__setattr__": _refuse_setting,
        "__delattr__": _refuse_deleting,
        "__getstate__": _state,
        "__setstate__": methods.first_set_state(),
    }.items():
        setattr(made, name, attribute)
    return made


class _Methods:
    """The methods of one class that are still to be compiled. As its ``__signature__`` it compiles them."""

    __slots__ = ("_made", "_own")

    def __init__(self, made: type[Any], own: frozenset[str]) -> None:
        self._made, self._own = made, own

    def __get__(self, instance: object, owner: type[Any]) -> inspect.Signature:
        self.compile()
        return inspect.signature(owner)

    def compile(self) -> None:
        """Let ``dataclasses`` compile them for a class of the same fields, and take them from there."""
        made = self._made
        if "__signature__" not in vars(made):
            return
        namespace: dict[str, Any] = {"__doc__": made.__name__}  # else one is made, and that takes long
        if hasattr(made, "__post_init__"):
            namespace["__post_init__"] = made.__post_init__
        kept = [(field.name, field.type, field) for field in dataclasses.fields(made)]
        twin = dataclasses.make_dataclass(made.__name__, kept, frozen=True, namespace=namespace)
        for name in _COMPILED:
            if name not in self._own:
                method = vars(twin)[name]
                method.__qualname__ = f"{made.__qualname__}.{name}"
                setattr(made, name, method)
        made.__setstate__ = _set_state
        del made.__signature__

    def first_init(self) -> Any:
        """An ``__init__`` that makes way for the compiled one."""

        def __init__(this: Any, *given: Any, **named: Any) -> None:
            self.compile()
            self._made.__init__(this, *given, **named)

        return __init__

    def first_set_state(self) -> Any:
        """The same for what is read from a pickle before any was made here."""

        def __setstate__(this: Any, state: list[Any]) -> None:
            self.compile()
            _set_state(this, state)

        return __setstate__


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, kept in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, kept)


def _refuse_setting(self: Any, name: str, _: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
