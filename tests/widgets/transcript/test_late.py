"""A long message's strips are those that a short one would have, painted when they are looked at."""

from __future__ import annotations

from textual.strip import Strip

from tui_tapback.testing.conversation import agent
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets.transcript.late import LateStrips
from tui_tapback.widgets.transcript.painter import LATE_ROWS


def test_each_row_is_painted_once_and_at_its_place() -> None:
    painted: list[int] = []

    def paint(row: int) -> Strip:
        painted.append(row)
        return Strip.blank(row + 1)

    above, below = [Strip.blank(50)], [Strip.blank(60), Strip.blank(61)]
    strips = LateStrips(above, 4, paint, below)
    assert (len(strips), painted) == (7, [])
    assert [strip.cell_length for strip in strips] == [50, 1, 2, 3, 4, 60, 61]
    assert strips[-3].cell_length == 4
    assert painted == [0, 1, 2, 3]
    strips[2] = Strip.blank(9)
    assert (strips[2].cell_length, strips[6].cell_length) == (9, 61)


async def test_a_huge_answer_paints_what_is_in_view_and_looks_as_any_other() -> None:
    lines = [f"- line {number}" for number in range(LATE_ROWS * 5)]
    app = TranscriptHost()
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.show_session("s", [agent("huge", "\n".join(lines))])
        await settle(pilot)
        strips = app.transcript.sheet.block(0).strips  # a look at a row would paint it: look behind it
        assert isinstance(strips, LateStrips)
        made = sum(strip is not None for strip in strips._rows)  # pyright: ignore[reportPrivateUsage]
        assert made < 60
        assert f"line {len(lines) - 1}" in screen_text(app)
        app.transcript.scroll_home()
        await settle(pilot)
        assert "line 0" in screen_text(app)
        app.transcript.scroll_rows(LATE_ROWS * 2)
        await settle(pilot)
        shown = [line.strip(" │┃▐█") for line in screen_text(app).splitlines() if "line" in line]
        first = int(shown[0].rsplit(" ", 1)[1])
        assert [f"• line {first + offset}" for offset in range(len(shown))] == shown
