"""Makes dataclasses without compiling anything for them before the first of them is made."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from operator import attrgetter
from reprlib import recursive_repr
from types import MappingProxyType, MemberDescriptorType
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
_FIELDS: Final = "__dataclass_fields__"
_SHAPE: Final = "__value_shape__"
_UNKNOWN: Final = ("InitVar", "dataclasses.InitVar", "KW_ONLY", "dataclasses.KW_ONLY")
_CLASS_VARIABLE: Final = ("ClassVar", "typing.ClassVar", "t.ClassVar")
_LEFT_OUT: Final = frozenset({"__dict__", "__weakref__", "__slots__"})


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def value(cls: type[T]) -> type[T]:
    """A class as ``dataclass(frozen=True, slots=True)`` makes it, in a tenth of the time.

    That one compiles six methods for each class at each start, half a millisecond, and there are two hundred
    classes. Here ``__init__`` is compiled when the first value is made, the others are closures, and what
    ``dataclasses`` keeps of a class is made when it is asked for: ``fields``, ``replace``, matching by
    position, copying, pickling and ``inspect.signature`` work as usual. Annotations must be postponed
    (``from __future__ import annotations``). Of ``field`` it knows ``default``, ``default_factory``,
    ``compare`` and ``repr``. Raises TypeError for the rest of what there is (``init``, ``hash``, ``kw_only``,
    ``InitVar``), for a class with an ``__init__`` of its own or a field without a default behind one with,
    and ValueError for a default that can be changed.
    """
    return _made(cls, frozen=True)


@dataclass_transform(field_specifiers=(dataclasses.field,))
def record(cls: type[T]) -> type[T]:
    """The same for ``dataclass(slots=True)``: its fields can be set, and it has no hash."""
    return _made(cls, frozen=False)


def _made(cls: type[T], *, frozen: bool) -> type[T]:
    own = vars(cls)
    if "__init__" in own:
        raise TypeError(f"{cls.__qualname__} must leave its __init__ to the decorator.")
    shape = _Shape(frozen=frozen)
    for base in reversed(cls.__mro__[1:]):
        shape.inherit(base)
    for name, kind in own.get("__annotations__", {}).items():
        if not kind.startswith(_CLASS_VARIABLE):
            shape.add(name, kind, own.get(name, dataclasses.MISSING))
    shape.check(cls.__qualname__)
    made = _with_slots(cls, shape)
    for name, method in shape.methods().items():
        if own.get(name) is None:
            setattr(made, name, method)
    return made


class _Shape:
    """The fields of one class, in order, and its methods. As a class attribute it is what is still to be
    made: the fields as ``dataclasses`` has them, and the signature."""

    __slots__ = ("declared", "frozen", "kinds", "made")

    def __init__(self, *, frozen: bool) -> None:
        self.frozen = frozen
        self.declared: dict[str, dataclasses.Field[Any]] = {}
        self.kinds: dict[str, str] = {}
        self.made: type[Any] = object

    def inherit(self, base: type[Any]) -> None:
        """The fields of ``base``, if it has any of its own; it may be a usual dataclass."""
        shape = vars(base).get(_SHAPE)
        if isinstance(shape, _Shape):
            self.declared.update(shape.declared)
            self.kinds.update(shape.kinds)
        elif _FIELDS in vars(base):
            for field in dataclasses.fields(base):
                self.declared[field.name] = field
                self.kinds[field.name] = str(field.type)

    def add(self, name: str, kind: str, default: Any) -> None:
        """A field, with its default or what the class says of it."""
        if isinstance(default, MemberDescriptorType):  # the slot of a base
            default = dataclasses.MISSING
        if not isinstance(default, dataclasses.Field):
            default = dataclasses.field(default=default)
        self.declared[name] = default
        self.kinds[name] = kind

    def check(self, owner: str) -> None:
        """Raises TypeError or ValueError, as ``dataclass`` does, for fields that cannot be."""
        optional = ""
        for name, field in self.declared.items():
            unknown = self.kinds[name].startswith(_UNKNOWN) or field.kw_only is True
            if unknown or not field.init or field.hash is not None:
                raise TypeError(f"{owner}.{name}: values know no init, hash, kw_only and InitVar.")
            if field.default is field.default_factory:  # both are missing
                if optional:
                    raise TypeError(f"{owner}.{name} has no default and stands behind {optional}, which has.")
            else:
                optional = name
            if type(field.default).__hash__ is None:
                raise ValueError(f"{owner}.{name}: use field(default_factory=…) for what can be changed.")

    def methods(self) -> dict[str, Any]:
        """What the class gets, by name, unless it has it itself."""
        compared = _values_of([name for name, field in self.declared.items() if field.compare])

        def __eq__(this: Any, other: object) -> bool:
            if other.__class__ is this.__class__:
                return bool(compared(this) == compared(other))
            return NotImplemented

        def __hash__(this: Any) -> int:
            return hash(compared(this))

        return {
            "__init__": self._first_init(),
            "__eq__": __eq__,
            "__hash__": __hash__ if self.frozen else None,
            "__repr__": _told,
            "__match_args__": tuple(self.declared),
            "__signature__": _Signature(self),
            _FIELDS: self,
            _SHAPE: self,
            **(_FROZEN if self.frozen else {}),
        }

    def _first_init(self) -> Callable[..., None]:
        """An ``__init__`` that makes way for the compiled one."""

        def __init__(this: Any, *given: Any, **named: Any) -> None:
            self.compile()
            self.made.__init__(this, *given, **named)

        return __init__

    def compile(self) -> None:
        """Have the ``__init__`` that takes the fields by their names."""
        made = self.made
        if not isinstance(vars(made).get("__signature__"), _Signature):
            return
        known: dict[str, Any] = {"__missing__": dataclasses.MISSING}
        taken: list[str] = ["__this__"]
        body: list[str] = []
        for name, field in self.declared.items():
            known[f"_set_{name}"] = getattr(made, name).__set__
            if field.default is not dataclasses.MISSING:
                known[f"_default_{name}"] = field.default
                taken.append(f"{name}=_default_{name}")
            elif field.default_factory is not dataclasses.MISSING:
                known[f"_make_{name}"] = field.default_factory
                taken.append(f"{name}=__missing__")
                body.append(f"_set_{name}(__this__, _make_{name}() if {name} is __missing__ else {name})")
                continue
            else:
                taken.append(name)
            body.append(f"_set_{name}(__this__, {name})")
        if hasattr(made, "__post_init__"):
            body.append("__this__.__post_init__()")
        code = f"def __init__({', '.join(taken)}):\n " + "\n ".join(body or ["pass"])
        exec(code, known)
        init = known["__init__"]
        init.__qualname__ = f"{made.__qualname__}.__init__"
        init.__annotations__ = {**self.kinds, "return": "None"}
        made.__init__ = init
        with suppress(AttributeError):  # another thread has made its first at the same moment
            del made.__signature__

    def __get__(self, instance: object, owner: type[Any]) -> Mapping[str, Any]:
        """The fields as ``dataclasses`` makes them, in the place of this."""
        kept = [(name, self.kinds[name], field) for name, field in self.declared.items()]
        twin = dataclasses.make_dataclass(
            self.made.__name__, kept, init=False, repr=False, eq=False, namespace={"__doc__": ""}
        )
        fields: Mapping[str, Any] = vars(twin)[_FIELDS]
        known = vars(twin)["__dataclass_params__"]
        known.frozen = self.frozen
        self.made.__dataclass_params__ = known
        setattr(self.made, _FIELDS, fields)
        return fields


class _Signature:
    """The signature of a class whose ``__init__`` is still to be compiled."""

    __slots__ = ("_shape",)

    def __init__(self, shape: _Shape) -> None:
        self._shape = shape

    def __get__(self, instance: object, owner: type[Any]) -> inspect.Signature:
        self._shape.compile()
        return inspect.signature(owner)


def _with_slots(cls: type[T], shape: _Shape) -> type[T]:
    """The class again, with a slot for each field that no base has; a class cannot be given them."""
    there = {name for base in cls.__mro__[1:] for name in _slots_of(base)}
    body = {name: each for name, each in vars(cls).items() if name not in _LEFT_OUT | shape.declared.keys()}
    body["__slots__"] = tuple(name for name in shape.declared if name not in there)
    body["__qualname__"] = cls.__qualname__
    made = type(cls)(cls.__name__, cls.__bases__, body)
    shape.made = made
    return made


def _slots_of(base: type[Any]) -> tuple[str, ...]:
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What reads them all; one alone too comes as a tuple, which compares by identity first."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    read = attrgetter(names[0])
    return lambda this: (read(this),)


@recursive_repr()
def _told(self: Any) -> str:
    shown = [
        f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr
    ]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, kept in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, kept)


def _refuse_setting(self: Any, name: str, _: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_FROZEN: Final = MappingProxyType(
    {
        "__setattr__": _refuse_setting,
        "__delattr__": _refuse_deleting,
        "__getstate__": _state,
        "__setstate__": _set_state,
    }
)
