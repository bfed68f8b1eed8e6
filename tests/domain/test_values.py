"""Values behave as frozen dataclasses with slots do, whether or not one has been made yet."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_tapback.domain.values import record, value


@value
class Place:
    """For pickling it has to stand at the module's level."""

    row: int
    column: int = 0
    marks: tuple[str, ...] = ()


def _fresh() -> type[Place]:
    """A class of which nothing has been made yet."""

    @value
    class Fresh:
        row: int
        column: int = 0
        marks: tuple[str, ...] = ()

    return Fresh  # type: ignore[return-value]


def _usual() -> type[Place]:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        row: int
        column: int = 0
        marks: tuple[str, ...] = ()

    return Fresh  # type: ignore[return-value]


@pytest.mark.parametrize("make", [_fresh, _usual])
def test_it_does_what_a_frozen_dataclass_does(make: Callable[[], type[Place]]) -> None:
    kind = make()
    assert list(inspect.signature(kind).parameters) == ["row", "column", "marks"]
    one, two = kind(1), kind(1, marks=("x",))
    assert one == kind(1) and one != two and one != (1, 0, ())
    assert hash(one) == hash(kind(row=1)) and len({one, two, kind(1)}) == 2
    assert repr(two).endswith("Fresh(row=1, column=0, marks=('x',))")
    assert replace(two, row=5) == kind(5, marks=("x",))
    assert [each.name for each in dataclasses.fields(kind)] == ["row", "column", "marks"]
    match two:
        case kind(row, column, marks):
            assert (row, column, marks) == (1, 0, ("x",))
        case _:
            pytest.fail("it matches by position")
    with pytest.raises(FrozenInstanceError, match="row"):
        one.row = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="row"):
        del one.row  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        kind()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        kind(1, colum=2)  # type: ignore[call-arg]
    assert not hasattr(one, "__dict__")
    assert copy.copy(two) == copy.deepcopy(two) == two


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_it_can_be_pickled(protocol: int) -> None:
    place = Place(1, 2, ("a",))
    assert pickle.loads(pickle.dumps(place, protocol)) == place


def test_a_pickle_may_be_the_first_that_is_seen_of_a_class() -> None:
    from tui_tapback.domain.reactions import Author, Reaction

    reaction = Reaction("👍", Author.USER, 1.0)
    code = "import pickle, sys; told = pickle.load(sys.stdin.buffer); print(told == told, told)"
    told = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        input=pickle.dumps(reaction),
        capture_output=True,
        check=True,
    )
    assert told.stdout.decode().strip() == f"True {reaction!r}"


def test_defaults_class_variables_and_what_runs_afterwards() -> None:
    @value
    class Made:
        names: list[str] = field(default_factory=list[str])
        hidden: int = field(default=0, compare=False, repr=False)
        kind: ClassVar[str] = "made"

        def __post_init__(self) -> None:
            self.names.append("first")

    assert Made().names == ["first"] and Made().names is not Made().names
    assert Made(hidden=1) == Made(hidden=2) and "hidden" not in repr(Made())
    assert Made.kind == "made"


def test_values_of_values() -> None:
    @value
    class Base:
        first: int

        def twice(self) -> int:
            return 2 * self.first

    @value
    class More(Base):
        second: str = ""

    assert More(1, "b") == More(first=1, second="b") and More(3).twice() == 6
    assert More(1) != Base(1)


def test_its_own_methods_are_left_alone() -> None:
    @value
    class Told:
        secret: str

        def __repr__(self) -> str:
            return "Told(…)"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Told)

        def __hash__(self) -> int:
            return 7

    assert repr(Told("x")) == "Told(…)" and Told("x") == Told("y") and hash(Told("x")) == 7


def test_a_class_with_an_init_of_its_own_is_refused() -> None:
    class Odd:
        def __init__(self) -> None:
            """Unlike a value's."""

    with pytest.raises(TypeError, match="Odd"):
        value(Odd)


def test_records_can_be_changed() -> None:
    @record
    class Counted:
        seen: int = 0
        names: list[str] = field(default_factory=list[str])

    one, two = Counted(), Counted(1)
    one.seen += 1
    assert (
        one == two
        and replace(one, seen=5).seen == 5
        and repr(two) == f"{Counted.__qualname__}(seen=1, names=[])"
    )
    assert one.names is not two.names and not hasattr(one, "__dict__")
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    assert copy.copy(one) == one


def test_two_threads_may_make_their_first_at_the_same_moment() -> None:
    seen: list[bool] = []

    for _ in range(200):
        kind = _fresh()
        gate = threading.Barrier(2)

        def make(kind: type[Place] = kind, gate: threading.Barrier = gate) -> None:
            gate.wait()
            seen.append(kind(1) == kind(1))

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=make) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(before)
    assert seen == [True] * 400


def test_fields_that_cannot_be_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="column has no default and stands behind row"):

        @value
        class Behind:  # pyright: ignore[reportUnusedClass]
            row: int = 0
            column: int  # pyright: ignore[reportGeneralTypeIssues]

    with pytest.raises(ValueError, match="default_factory"):

        @value
        class Shared:  # pyright: ignore[reportUnusedClass]
            names: list[str] = []  # noqa: RUF012


@pytest.mark.parametrize(
    "line",
    ["a: int = field(init=False)", "a: int = field(default=1, hash=False)", "_: KW_ONLY", "a: InitVar[int]"],
)
def test_what_values_do_not_know_is_refused_by_its_name(line: str) -> None:
    code = f"from __future__ import annotations\n@value\nclass Odd:\n {line}"
    with pytest.raises(TypeError, match="values know no"):
        exec(compile(code, "odd", "exec"), {"value": value, "field": field})


def test_a_value_over_a_usual_dataclass_has_its_fields() -> None:
    @dataclass(frozen=True)
    class Usual:
        first: int
        second: int = 2

    @value
    class Over(Usual):
        third: int = 3

    assert Over(1) == Over(1, 2, 3) and [each.name for each in dataclasses.fields(Over)] == [
        "first",
        "second",
        "third",
    ]


def test_a_usual_dataclass_over_a_value_has_its_fields() -> None:
    @value
    class Base:
        first: int
        second: str = "b"

    @dataclass(frozen=True, slots=True)
    class Over(Base):
        third: int = 3

    assert Over(1) == Over(1, "b", 3) and [each.name for each in dataclasses.fields(Over)] == [
        "first",
        "second",
        "third",
    ]


_NAMES = ("a", "name", "self", "_this", "made")
_DEFAULTS = st.sampled_from(
    ["", " = 7", " = None", " = field(default_factory=tuple)", " = field(default=1, repr=False)"]
)
_UNCOMPARED = {"": " = field(compare=False)", " = 7": " = field(default=7, compare=False)"}
_FIELDS = st.lists(st.tuples(_DEFAULTS, st.booleans()), max_size=len(_NAMES)).map(
    lambda fields: sorted(fields, key=lambda each: each[0] != "")
)


@given(_FIELDS, st.lists(st.integers(0, 2), max_size=6), st.lists(st.integers(0, 2), max_size=6))
@settings(max_examples=150)
def test_it_is_what_dataclass_makes_of_the_same_body(
    fields: list[tuple[str, bool]], one: list[int], two: list[int]
) -> None:
    rows: list[str] = []
    for name, (default, compared) in zip(_NAMES, fields, strict=False):
        rows.append(f" {name}: int{default if compared else _UNCOMPARED.get(default, default)}")
    body = "class Made:\n" + "\n".join(rows or [" pass"])
    kinds: list[type[Any]] = []
    for decorate in (value, dataclass(frozen=True, slots=True)):
        known: dict[str, Any] = {"field": field, "decorate": decorate}
        exec(compile(f"from __future__ import annotations\n@decorate\n{body}", "made", "exec"), known)
        kinds.append(known["Made"])
    outcomes: list[object] = []
    for kind in kinds:
        try:
            first, second = kind(*one), kind(*two)
        except TypeError:
            outcomes.append("refused")
            continue
        read = [each.name for each in dataclasses.fields(kind)]
        outcomes.append(
            (
                *(repr(first), first == second, hash(first) == hash(second), read, kind.__match_args__),
                *(getattr(first, name) for name in read),
            )
        )
    assert outcomes[0] == outcomes[1]
