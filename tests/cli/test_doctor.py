"""What ``doctor`` finds out and says: against real sockets, and in homes where something is wrong."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tui_tapback.cli import doctor_facts as facts
from tui_tapback.cli.doctor import as_json, as_text, doctor, examine, wrapped
from tui_tapback.cli.doctor_background import background_of
from tui_tapback.cli.doctor_card import card
from tui_tapback.config.settings import ModelSettings, Settings
from tui_tapback.gateway.agent.discovery import LocalServer
from tui_tapback.gateway.agent.endpoint import COMPANION_WORD
from tui_tapback.terminal.driver import Answer
from tui_tapback.terminal.probe import ProbeResult
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT

Run = Callable[..., subprocess.CompletedProcess[str]]
Captured = pytest.CaptureFixture[str]
NOBODY = ModelSettings(discover=False)


SAYS_NOTHING = Answer(ProbeResult("silent"))
WHITE = replace(SAYS_NOTHING, dark=False, colour=(1.0, 1.0, 1.0))


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "tapback").mkdir()
    (tmp_path / "tapback" / "settings.toml").write_text("[model]\ndiscover = false\n", "utf-8")
    (tmp_path / "tapback" / "settings.toml").chmod(0o600)
    home = {"HOME": str(tmp_path), "TUI_TAPBACK_HOME": str(tmp_path / "tapback")}
    return home | {"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}


def options(**values: Any) -> argparse.Namespace:
    return argparse.Namespace(**({"json": False, "emoji_profile": None} | values))


@pytest.fixture
async def listener() -> AsyncIterator[int]:
    async def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()


def told(environ: dict[str, str], what: str, **values: Any) -> list[facts.Finding]:
    return [each for each in examine(options(**values), environ).findings if each.what == what]


def test_a_healthy_home_is_well_and_the_report_names_everything(
    environ: dict[str, str], capsys: Captured
) -> None:
    assert doctor(options(), environ) == 0
    text = capsys.readouterr().out
    for word in (
        "textual 8",
        "TERM=xterm-256color",
        "256 (TERM)",
        "emoji profile: safe",
        "has not been asked",
    ):
        assert word in text
    assert "-- gateway: Not running" in text and "offline companion" in text
    assert "ok data: ~/tapback/data" in text and "!!" not in text.replace("‼", "").split("Everything")[1]


def test_json_holds_no_secret_and_nothing_of_the_person(
    environ: dict[str, str], capsys: Captured, tmp_path: Path
) -> None:
    secrets = {
        "OPENAI_API_KEY": "sk-very-secret",
        "OPENAI_BASE_URL": "http://someone:hunter2@127.0.0.1:9/v1?key=sesame",
        "TUI_TAPBACK_TOKEN": "t0ken-secret",
        "SSH_CONNECTION": "203.0.113.9 1 203.0.113.1 22",
    }
    url = "ws://127.0.0.1:9/api/ws?token=another-secret"
    assert doctor(options(json=True, connect=url), environ | secrets) == 1
    out = capsys.readouterr().out
    for secret in ("sk-very", "hunter2", "sesame", "t0ken", "another-secret", "203.0.113", str(tmp_path)):
        assert secret not in out, secret
    report = json.loads(out)
    assert report["terminal"]["profile"]["name"] == "safe" and report["terminal"]["asked"] is None
    assert {each["what"] for each in report["findings"]} >= {"settings", "data", "gateway", "model"}
    assert report["well"] is False


def test_unusable_settings_are_a_finding_and_the_rest_is_told_all_the_same(environ: dict[str, str]) -> None:
    Path(environ["TUI_TAPBACK_HOME"], "settings.toml").write_text("theme = 3\n", "utf-8")
    report = examine(options(), environ)
    bad = [each.told for each in report.findings if each.well is False]
    assert len(bad) == 1 and "theme" in bad[0]
    assert any(each.what == "gateway" for each in report.findings)


def test_an_unknown_profile_is_a_finding(environ: dict[str, str]) -> None:
    report = examine(options(), environ | {"TUI_TAPBACK_EMOJI": "no-such"})
    assert [each.told for each in report.findings if each.what == "emoji"] and not report.well
    assert report.choice.profile is SAFE


def test_an_order_is_named_as_the_reason(environ: dict[str, str]) -> None:
    report = examine(options(emoji_profile="text"), environ)
    assert report.choice.profile is TEXT and "ordered" in "\n".join(as_text(report))
    assert as_json(report)["terminal"]["profile"]["name"] == "text"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_takes_nothing_is_a_finding(environ: dict[str, str]) -> None:
    examine(options(), environ)
    data = Path(environ["TUI_TAPBACK_HOME"], "data")
    data.chmod(0o500)
    assert [each.well for each in told(environ, "data")] == [False]


def test_a_file_where_the_data_folder_should_be_is_a_finding(environ: dict[str, str]) -> None:
    Path(environ["TUI_TAPBACK_HOME"], "data").write_text("", "utf-8")
    found = told(environ, "folders")
    assert len(found) == 1 and found[0].well is False and "data" in found[0].told


def test_a_gateway_that_does_not_answer_is_a_finding(environ: dict[str, str]) -> None:
    found = told(environ, "gateway", connect="ws://127.0.0.1:9/api/ws")
    assert [each.well for each in found] == [False]
    assert [each.well for each in told(environ, "gateway", connect="no address at all")] == [False]


async def test_an_endpoint_is_reachable_or_not(listener: int) -> None:
    at = Settings(model=ModelSettings(base_url=f"http://127.0.0.1:{listener}/v1", model="m\x1b[31m"))
    found = await facts.model(at, {})
    assert found.well and "reachable" in found.told and "without a key" in found.told
    assert "\x1b" not in found.told
    nowhere = Settings(model=ModelSettings(base_url="http://127.0.0.1:9/v1"))
    found = await facts.model(nowhere, {"OPENAI_API_KEY": "x"})
    assert found.well is False and "127.0.0.1:9" in found.told


async def test_without_a_model_the_companion_is_named_and_why(listener: int) -> None:
    off = await facts.model(Settings(model=NOBODY), {})
    assert off.well is None and "switched off" in off.told
    none = await facts.model(Settings(), {}, (LocalServer("Nothing", listener),))
    assert none.well is None and "Nothing" in none.told
    ordered = await facts.model(Settings(model=ModelSettings(model=COMPANION_WORD)), {})
    assert ordered.well and "as ordered" in ordered.told


async def test_a_key_that_cannot_be_read_is_a_finding() -> None:
    found = await facts.model(Settings(model=ModelSettings(api_key_env="NOT_THERE")), {})
    assert found.well is False and "NOT_THERE" in found.told


@pytest.mark.parametrize(
    ("environ", "word"),
    [
        ({"TERM": "xterm", "NO_COLOR": "1", "COLORTERM": "truecolor"}, "none"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "16 million"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "dumb"}, "none"),
        ({}, "none"),
    ],
)
def test_colours_are_told_in_words(environ: dict[str, str], word: str) -> None:
    assert facts.colours(environ).startswith(word)


def test_keys_that_the_host_keeps_are_named() -> None:
    hosts = [{"TMUX": "x"}, {"STY": "x"}, {"TERM_PROGRAM": "vscode"}, {"VTE_VERSION": "7000"}]
    assert all(facts.swallowed_keys(host) for host in hosts)
    assert facts.swallowed_keys({"TERM": "xterm"}) == ()


@pytest.mark.parametrize("profile", [FULL, SAFE, TEXT, ASCII_ONLY], ids=lambda profile: profile.name)
def test_the_left_box_of_the_card_is_straight(profile: Any) -> None:
    lines = list(card(profile))
    boxes = [re.match(r"[┌│└+|].*?[┐│┘+|](?=  |$)", line) for line in lines[1:]]
    assert len({cell_len(box[0]) for box in boxes if box}) == 1 and all(boxes)
    assert len(lines) == 14


@pytest.mark.slow
def test_the_command_finds_the_gateway_that_another_command_has_started(run: Run) -> None:
    before = run("doctor", "--json", LC_ALL="C.UTF-8")
    assert before.returncode == 0, before.stderr
    assert run("send", "hello").returncode == 0
    after = json.loads(run("doctor", "--json", LC_ALL="C.UTF-8").stdout)
    (gateway,) = [each for each in after["findings"] if each["what"] == "gateway"]
    assert gateway["well"] is True and "answers" in gateway["told"]
    assert "Not running" in before.stdout and after["terminal"]["asked"] is None


def test_no_secret_of_the_settings_is_told(environ: dict[str, str], capsys: Captured) -> None:
    file = Path(environ["TUI_TAPBACK_HOME"], "settings.toml")
    key, address = "sk-of-the-settings", "http://someone:hunter2@127.0.0.1:9/v1?key=sesame"
    file.write_text(f'[model]\napi_key = "{key}"\nbase_url = "{address}"\n', "utf-8")
    for written in (
        file.read_text("utf-8"),
        f'[model]\napi_key = ["{key}"]\n',
        f'[model]\napi_key = "{key}\n',
    ):
        file.write_text(written, "utf-8")
        for as_data in (True, False):
            doctor(options(json=as_data), environ)
            out = capsys.readouterr().out
            for secret in (key, "hunter2", "sesame", "someone"):
                assert secret not in out, (written, secret)


@pytest.mark.parametrize("width", [24, 40, 60, 80, 200])
def test_long_lines_are_wrapped_to_the_terminal_and_the_card_is_not(
    environ: dict[str, str], width: int
) -> None:
    report = examine(options(), environ | {"VTE_VERSION": "7000", "TMUX": "/tmp/x", "STY": "y"})
    for line in as_text(report):
        rows = wrapped(line, width)
        boxed = line.lstrip()[:1] in ("┌", "│", "└")
        assert "".join("".join(rows).split()) == "".join(line.split())
        assert boxed or all(cell_len(row) <= max(width, 12 + 8) for row in rows)
        assert not boxed or rows == [line]
    assert all(wrapped(line, 0) == [line] for line in as_text(report))


def test_a_gateway_is_examined_by_the_name_it_has_in_the_settings(environ: dict[str, str]) -> None:
    Path(environ["TUI_TAPBACK_HOME"], "settings.toml").write_text(
        '[connections.work]\nurl = "ws://127.0.0.1:9/api/ws"\n', "utf-8"
    )
    (found,) = told(environ, "gateway", connect="work")
    assert "127.0.0.1:9" in found.told
    (found,) = told(environ, "gateway", connect="home")
    assert "no connection called" in found.told


@pytest.mark.parametrize(
    ("answer", "known", "colorfgbg", "wanted", "told", "theme"),
    [
        (WHITE, True, "15;0", "auto", "light (the terminal answered #ffffff)", "tapback-light"),
        (
            SAYS_NOTHING,
            True,
            "0;15",
            "auto",
            "dark (the terminal answered at an earlier start)",
            "tapback-dark",
        ),
        (None, None, "0;15", "contrast", "light (no answer; COLORFGBG says so)", "tapback-contrast-light"),
        (None, None, "", "auto", "dark (no answer; dark is assumed)", "tapback-dark"),
        (
            WHITE,
            None,
            "",
            "nord",
            "light (the terminal answered #ffffff)",
            "nord, whatever the background is",
        ),
    ],
)
def test_the_background_and_the_theme_that_follows_it_are_told(
    answer: Answer | None, known: bool | None, colorfgbg: str, wanted: str, told: str, theme: str
) -> None:
    for tells in (True, False):
        found = background_of(answer, known, wanted, {"COLORFGBG": colorfgbg}, tells=tells)
        kind, follows = found.sentences
        assert told in kind and f"theme: {theme}" in follows
        assert ("at once" in follows) is (tells and wanted != "nord")
        assert json.dumps(found.as_json())


def test_the_report_tells_the_theme(environ: dict[str, str], capsys: Captured) -> None:
    assert doctor(options(), environ | {"COLORFGBG": "0;15"}) == 0
    assert "theme: tapback-light, from auto" in capsys.readouterr().out
