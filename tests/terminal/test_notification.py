"""The bytes of a notification: the right kind for a terminal, and nothing that text could break out of."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.terminal.notification import (
    BODY,
    TITLE,
    Kind,
    in_tmux,
    kind_for,
    notification,
    through_tmux,
)

HOSTILE = "done\x07\x1b]52;c;QQ==\x07"
SHAPES = {
    Kind.OSC9: r"\x1b\]9;([^\x00-\x1f\x7f-\x9f]*)\x07",
    Kind.OSC777: r"\x1b\]777;notify;([^\x00-\x1f\x7f-\x9f;]*);([^\x00-\x1f\x7f-\x9f;]*)\x07",
    Kind.OSC99: (
        r"\x1b\]99;i=1:d=0:p=title;([^\x00-\x1f\x7f-\x9f]*)\x1b\\"
        r"\x1b\]99;i=1:d=1:p=body;([^\x00-\x1f\x7f-\x9f]*)\x1b\\"
    ),
    Kind.BELL: r"\x07",
}
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("kind", list(Kind))
def test_a_hostile_body_stays_inside_its_sequence(kind: Kind) -> None:
    # case B176
    written = notification(kind, HOSTILE, HOSTILE)
    assert re.fullmatch(SHAPES[kind], written)
    assert "\x1b]52" not in written
    if kind is not Kind.BELL:
        assert "done" in written


@pytest.mark.parametrize("kind", list(Kind))
@given(title=st.text(max_size=400), body=st.text(max_size=400))
def test_no_text_at_all_breaks_out(kind: Kind, title: str, body: str) -> None:
    written = notification(kind, title, body)
    assert re.fullmatch(SHAPES[kind], written)
    assert not BIDI.search(written)
    assert len(written) <= TITLE + BODY + 60
    written.encode("utf-8")  # no lone surrogate


@pytest.mark.parametrize(
    "sign", ["\x9c", "\x1b\\", "\x9d52;c;QQ==\x9c", "\x90q\x9c", "\u202e", "\n", "\x00", "\ud800"]
)
@pytest.mark.parametrize("kind", list(Kind))
def test_each_sign_that_ends_or_begins_a_sequence_is_gone(kind: Kind, sign: str) -> None:
    written = notification(kind, f"a{sign}b", f"c{sign}d")
    assert re.fullmatch(SHAPES[kind], written) and not BIDI.search(written)


@pytest.mark.parametrize(("title", "body"), [("", "4;1;50"), ("4;1;50", "x"), ("9;4", "")])
def test_a_text_is_never_an_order_for_a_progress_bar(title: str, body: str) -> None:
    assert not re.match(r"\x1b\]9;\s*\d", notification(Kind.OSC9, title, body))


def test_what_is_written() -> None:
    assert notification(Kind.OSC9, "chat", "Agent: yes; no") == "\x1b]9;chat: Agent: yes; no\x07"
    assert notification(Kind.OSC777, "a;b", "yes; no") == "\x1b]777;notify;a,b;yes, no\x07"
    assert notification(Kind.OSC99, "chat", "yes", identifier="t-7") == (
        "\x1b]99;i=t-7:d=0:p=title;chat\x1b\\\x1b]99;i=t-7:d=1:p=body;yes\x1b\\"
    )
    assert notification(Kind.BELL, "chat", "yes") == "\x07"


def test_within_tmux_every_escape_is_doubled_in_an_envelope_and_the_bell_needs_none() -> None:
    assert notification(Kind.OSC9, "c", "d", tmux=True) == "\x1bPtmux;\x1b\x1b]9;c: d\x07\x1b\\"
    assert notification(Kind.BELL, "c", "d", tmux=True) == "\x07"
    plain = notification(Kind.OSC99, "c", "d")
    wrapped = notification(Kind.OSC99, "c", "d", tmux=True)
    assert wrapped == through_tmux(plain)
    inside = wrapped.removeprefix("\x1bPtmux;").removesuffix("\x1b\\")
    assert inside.replace("\x1b\x1b", "\x1b") == plain
    assert "\x1b" not in inside.replace("\x1b\x1b", ""), "a single one would end the envelope"


@pytest.mark.parametrize(
    ("environ", "kind"),
    [
        ({"TERM": "xterm-kitty"}, Kind.OSC99),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, Kind.OSC99),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, Kind.OSC9),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, Kind.OSC777),
        ({"TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"}, Kind.OSC777),
        ({"TERM": "foot-extra"}, Kind.OSC777),
        ({"TERM": "rxvt-unicode-256color"}, Kind.OSC777),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, Kind.BELL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, Kind.BELL),
        ({"TERM": "linux"}, Kind.BELL),
        ({}, Kind.BELL),
        # What a multiplexer inherited from the terminal that started it says nothing about today's.
        ({"TERM": "tmux-256color", "TMUX": "/t,1,0", "KITTY_WINDOW_ID": "1"}, Kind.BELL),
        ({"TERM": "xterm-kitty", "TMUX": "/t,1,0"}, Kind.BELL),
        ({"TERM": "screen", "STY": "1.x", "TERM_PROGRAM": "iTerm.app"}, Kind.BELL),
        ({"TERM": "xterm-256color", "ZELLIJ": "0", "TERM_PROGRAM": "WezTerm"}, Kind.BELL),
    ],
)
def test_each_terminal_gets_what_it_shows(environ: dict[str, str], kind: Kind) -> None:
    assert kind_for(environ) is kind


def test_tmux_is_known_by_its_socket_or_its_name() -> None:
    assert in_tmux({"TMUX": "/t,1,0"}) and in_tmux({"TERM": "tmux-256color"})
    assert not in_tmux({"TERM": "screen", "STY": "1.x"}) and not in_tmux({})
