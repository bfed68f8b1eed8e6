"""Dates and times as the language in use writes them; how is a matter of its catalogue."""

from __future__ import annotations

from datetime import date, datetime

from .chosen import _, mark

_MONTHS = (
    *(mark("January"), mark("February"), mark("March"), mark("April"), mark("May"), mark("June")),
    *(mark("July"), mark("August"), mark("September"), mark("October"), mark("November"), mark("December")),
)
_SHORT_MONTHS = (
    *(mark("Jan"), mark("Feb"), mark("Mar"), mark("Apr"), mark("May"), mark("Jun")),
    *(mark("Jul"), mark("Aug"), mark("Sep"), mark("Oct"), mark("Nov"), mark("Dec")),
)
_DAYS = (
    *(mark("Monday"), mark("Tuesday"), mark("Wednesday"), mark("Thursday")),
    *(mark("Friday"), mark("Saturday"), mark("Sunday")),
)


def long_date(day: date) -> str:
    """``Monday, 30 November 2026``."""
    return _("{weekday}, {day} {month} {year}").format(
        weekday=_(_DAYS[day.weekday()]), day=day.day, month=_(_MONTHS[day.month - 1]), year=day.year
    )


def short_date(day: date) -> str:
    """``30 Nov``: where the year goes without saying."""
    return _("{day} {month}").format(day=day.day, month=_(_SHORT_MONTHS[day.month - 1]))


def clock(when: datetime) -> str:
    """``18:05``."""
    return _("{hour:02}:{minute:02}").format(hour=when.hour, minute=when.minute)


def clock_since(when: datetime, now: datetime) -> str:
    """``18:05``, with the date before it where that is not the day of ``now``."""
    return clock(when) if when.date() == now.date() else f"{short_date(when)} {clock(when)}"
