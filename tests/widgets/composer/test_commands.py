from __future__ import annotations

import pytest

from tui_tapback.widgets.composer.commands import (
    Command,
    Order,
    React,
    Say,
    SetTitle,
    Unknown,
    Unreact,
    parse_tapback_command,
    read_input,
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("+:tada:", React("tada")),
        (" +:tada: ", React("tada")),
        ("+😀", React("😀")),
        ("+❤", React("❤️")),
        ("+👍🏽", React("👍🏽")),
        ("2+:tada:", React("tada", 2)),
        ("-", Unreact()),
        ("3-", Unreact(back=3)),
        ("-:tada:", Unreact("tada")),
        ("-😀", Unreact("😀")),
        ("/react tada", React("tada")),
        ("/react :tada:", React("tada")),
        ("/REACT party popper", React("party popper")),
        ("/unreact", Unreact()),
        ("/unreact 2", Unreact(back=2)),
    ],
)
def test_tapbacks_written_as_text(text: str, command: Command) -> None:
    assert parse_tapback_command(text) == command
    assert read_input(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "+1",
        "+",
        "-x",
        "--",
        "+:tada: nice",
        "0+:tada:",
        "1.5",
        "2 + 2",
        "+日本",
        "a+:b:",
        "-1",
        "++",
        "+::",
        "+😀😀x",
        ":tada:",
    ],
)
def test_ordinary_text_that_looks_a_little_like_one(text: str) -> None:
    assert parse_tapback_command(text) is None
    assert read_input(text) == Say(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/help", Order.HELP),
        ("/keys", Order.KEYS),
        ("/new", Order.NEW),
        ("/sessions", Order.SESSIONS),
        ("/quit", Order.QUIT),
        ("/q", Order.QUIT),
        ("/title  Trip to [Lisbon] ", SetTitle("Trip to [Lisbon]")),
        ("/title", SetTitle("")),
        ("/halp", Unknown("halp", ("help",))),
        ("/rec", Unknown("rec", ("reconnect",))),
        ("/zzzzz", Unknown("zzzzz")),
    ],
)
def test_slash_commands(text: str, command: Command) -> None:
    assert read_input(text) == command


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("//help", "/help"),
        ("/etc/hosts is empty", "/etc/hosts is empty"),
        ("/ is the root", "/ is the root"),
        ("/code\nwith more lines", "/code\nwith more lines"),
        ("keep \\:tada: literal", "keep :tada: literal"),
        ("C:\\temp", "C:\\temp"),
    ],
)
def test_escapes_and_things_that_are_no_commands(text: str, message: str) -> None:
    assert read_input(text) == Say(message)
