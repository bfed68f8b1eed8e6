"""Dates and times are put together as the language does it; English as before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tui_tapback.words import use
from tui_tapback.words.dates import clock, clock_since, long_date, short_date

YEAR = [datetime(2026, 1, 1, 7, 5, tzinfo=UTC) + timedelta(days=day) for day in range(365)]


def test_english_dates_are_those_of_the_c_locale() -> None:
    for day in YEAR:
        assert long_date(day) == f"{day:%A}, {day.day} {day:%B %Y}"
        assert short_date(day) == f"{day.day} {day:%b}"
        assert clock(day) == f"{day:%H:%M}"


def test_german_dates() -> None:
    use("de")
    assert long_date(YEAR[333]) == "Montag, 30. November 2026"
    assert short_date(YEAR[60]) == "2. März"
    assert len({long_date(day) for day in YEAR}) == 365
    assert not any(word in long_date(day) for day in YEAR for word in ("day", "January", "May", "October"))


@pytest.mark.parametrize(("code", "told"), [("en", "31 Dec 07:05"), ("de", "31. Dez. 07:05")])
def test_the_date_stands_before_the_time_of_another_day(code: str, told: str) -> None:
    use(code)
    assert clock_since(YEAR[0], YEAR[0]) == "07:05"
    assert clock_since(YEAR[0], YEAR[1]) != "07:05"
    assert clock_since(YEAR[364], YEAR[0]) == told
