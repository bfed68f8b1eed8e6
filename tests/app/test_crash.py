"""An unforeseen error: a log for us, one clean sentence for the person, never a traceback."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tui_tapback.app.crash import CrashLog, CrashReport
from tui_tapback.domain.errors import GatewayRefused
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.chat import MemoryChat


def test_the_log_holds_the_traceback_and_the_sentence_says_where(tmp_path: Path) -> None:
    log = CrashLog(tmp_path / "logs", clock=lambda: 0.0)
    try:
        raise ValueError("[/ \x1b[2J boom")
    except ValueError as error:
        report = log.report(error)
    assert str(log.path) in report.sentence
    assert "\x1b" not in report.sentence
    assert report.__rich__().plain == report.sentence
    text = log.path.read_text("utf-8")
    assert text.startswith("1970-01-01T00:00:00Z")
    assert "Traceback" in text
    assert "\x1b" not in text
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_an_expected_error_is_just_its_sentence(tmp_path: Path) -> None:
    report = CrashLog(tmp_path).report(GatewayRefused("The token is wrong.", hint="Set another."))
    assert report.sentence == "The token is wrong. Set another."
    assert not (tmp_path / "crash.log").exists()


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where a folder should be")
    report = CrashLog(tmp_path / "logs").report(ValueError("boom"))
    assert "could not be logged" in report.sentence


async def test_the_app_leaves_with_the_sentence_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def explode() -> None:
        raise ZeroDivisionError("secret details")

    app = chat_app(MemoryChat(), logs=tmp_path)
    with pytest.raises(CrashReport):
        async with app.run_test() as pilot:
            pilot.app.call_later(explode)
            await pilot.pause()
    printed = capsys.readouterr().err
    assert "unexpected error" in printed
    assert "Traceback" not in printed
    assert app.return_code == 1
