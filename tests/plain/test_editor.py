"""The typed line: whatever is pressed, the last line shows it, and nothing is written upward."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.plain.editor import LineEditor
from tui_tapback.plain.keys import Key, KeyReader

WIDE = 10_000


def editor(columns: int = WIDE, names: tuple[str, ...] = ("/list", "/links", "/react")) -> LineEditor:
    made = LineEditor(lambda: columns, lambda typed: tuple(n for n in names if n.startswith(typed)))
    made.prompt = "You: "
    return made


class Paper:
    """A terminal that knows characters, backspace and the line end, and nothing else."""

    def __init__(self) -> None:
        self.line: list[str] = []
        self.column = 0

    def write(self, text: str) -> None:
        for char in text:
            match char:
                case "\n":
                    self.line, self.column = [], 0
                case "\b":
                    assert self.column > 0
                    self.column -= 1
                case _:
                    assert char.isprintable(), repr(char)
                    self.line[self.column : self.column + 1] = [char]
                    self.column += 1

    @property
    def text(self) -> str:
        return "".join(self.line).rstrip()


KEYS = st.one_of(
    st.sampled_from("ab c/é").map(lambda char: Key("text", char)),
    st.sampled_from(
        ["backspace", "delete", "left", "right", "home", "end", "word_left", "word_right", "kill_left",
         "kill_right", "kill_word", "kill_word_right", "yank", "again", "up", "down", "tab"]
    ).map(Key),
)  # fmt: skip


@given(st.lists(KEYS, max_size=40), st.booleans())
def test_the_paper_shows_the_line_with_the_cursor_at_its_place(keys: list[Key], history: bool) -> None:
    typed, paper = editor(), Paper()
    if history:
        typed.clear("older line")
        typed.take()
    paper.write(typed.repeated())
    for key in keys:
        paper.write(typed.press(key))
        shown = (typed.prompt + typed.text).rstrip()
        before = typed.prompt + typed.text[: typed.cursor]
        assert paper.text in (shown, before.rstrip())
        assert paper.column == len(before)


@given(
    st.lists(st.one_of(KEYS, st.sampled_from(["❤️", "👍🏽", "界", "e\u0301"]).map(lambda c: Key("text", c))))
)
def test_wide_and_long_lines_are_said_anew_below(keys: list[Key]) -> None:
    typed = editor(columns=12)
    for key in keys:
        written = typed.press(key)
        assert not set(written) & set("\x1b\r\x0b\x0c")
        assert 0 <= typed.cursor <= len(typed.text)


def test_one_press_deletes_a_whole_emoji() -> None:
    typed = editor()
    typed.press(Key("paste", "a👩‍👩‍👧❤️"))
    typed.press(Key("backspace"))
    assert typed.text == "a👩‍👩‍👧"
    typed.press(Key("backspace"))
    assert typed.text == "a"


def test_what_is_typed_unseen_is_never_written_nor_remembered() -> None:
    typed = editor()
    typed.hidden = True
    assert typed.press(Key("text", "s")) == "" and typed.press(Key("again")) == "\nYou: "
    assert typed.take() == "s"
    typed.hidden = False
    assert typed.press(Key("up")) == ""


def test_tab_completes_a_command_or_reads_those_that_fit() -> None:
    typed = editor()
    typed.press(Key("paste", "/re"))
    assert typed.press(Key("tab")) == "act " and typed.text == "/react "
    typed.clear("/l")
    assert typed.press(Key("tab")) == "i"
    assert typed.press(Key("tab")) == "\n/list, /links\nYou: /li"


@given(st.text(), st.integers(1, 5))
def test_keys_are_the_same_however_the_bytes_are_cut(text: str, size: int) -> None:
    data = text.encode("utf-8", "replace") + b"\x1b[A\x1b[200~a\nb\x1b[201~\x1bbx"
    whole = KeyReader().feed(data)
    reader = KeyReader()
    pieces = [key for at in range(0, len(data), size) for key in reader.feed(data[at : at + size])]
    assert pieces == whole
    if "\x1b" not in text:
        assert whole[-4:] == [Key("up"), Key("paste", "a\nb"), Key("word_left"), Key("text", "x")]
