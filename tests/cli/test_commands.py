"""The command line as a person runs it: processes, exit codes, one sentence for each error."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home

Run = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.slow


def loaded_by(*arguments: str) -> set[str]:
    """The modules in memory after the command has run."""
    code = (
        "import sys\nfrom tui_tapback.cli.main import main\n"
        f"try:\n    main({list(arguments)!r})\nexcept SystemExit:\n    pass\n"
        "print('LOADED', *sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.rpartition("LOADED ")[2].split())


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_asking_about_the_program_loads_nothing_heavy(option: str) -> None:
    heavy = {"textual", "rich", "websockets", "openai", "msgspec", "asyncio", "sqlite3", "emoji"}
    assert loaded_by(option) & heavy == set()


def test_version_and_help(run: Run) -> None:
    version = run("--version")
    assert (version.returncode, version.stdout) == (0, "tui-tapback 0.1.0\n")
    told = run("--help").stdout
    for word in ("send", "react", "export", "sessions", "serve", "--connect", "TUI_TAPBACK_TOKEN"):
        assert word in told


@pytest.mark.parametrize("term", ["dumb", "xterm-256color", ""])
def test_without_a_terminal_it_says_what_to_use(run: Run, term: str) -> None:
    done = run(TERM=term)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "tui-tapback send" in done.stderr
    assert done.stdout == ""


def test_a_wrong_setting_is_told_with_its_line(run: Run, home: Home) -> None:
    folder = Path(home.env["TUI_TAPBACK_HOME"])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "settings.toml").write_text('\nreduced_motion = "pink"\n')
    done = run("sessions")
    assert done.returncode == 2
    assert "line 2" in done.stderr
    assert "reduced_motion" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_gateway_that_is_not_there(run: Run) -> None:
    done = run("sessions", "--connect", "ws://127.0.0.1:9/api/ws")
    assert done.returncode == 1
    assert done.stderr.startswith("tui-tapback: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_an_address_that_is_none(run: Run) -> None:
    done = run("sessions", "--connect", "ftp://nowhere")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_token_is_never_an_argument(run: Run) -> None:
    assert run("--token", "secret").returncode == 2
    done = run("sessions", "--connect", "ws://127.0.0.1:9/?token=hunter2", TUI_TAPBACK_TOKEN="hunter3")
    assert "hunter" not in done.stdout + done.stderr


def test_a_conversation_without_the_screen(run: Run) -> None:
    sent = run("send", "--json", "hello", "there")
    assert sent.returncode == 0, sent.stderr
    answer = json.loads(sent.stdout)
    assert answer["ok"]
    assert [m["role"] for m in answer["messages"] if m["role"] != "tool"][:2] == ["user", "assistant"]
    mine = answer["messages"][0]
    assert mine["text"] == "hello there"
    assert [r["author"] for r in mine["reactions"]] == ["agent"]

    reacted = run("react", ":tada:")
    assert reacted.returncode == 0, reacted.stderr
    assert "You reacted 🎉 to" in reacted.stdout

    text = run("export").stdout
    assert "🎉 you" in text
    assert "  hello there" in text
    rows = json.loads(run("export", "--json").stdout)["messages"]
    answered = next(row for row in rows if row["role"] == "assistant")
    assert [(r["emoji"], r["author"]) for r in answered["reactions"]] == [("🎉", "user")]

    taken = run("react", "-", "--row", str(answered["row_id"]))
    assert "no tapback" in taken.stdout
    listed = json.loads(run("sessions", "--json").stdout)
    assert rows
    assert answer["session_id"] in [item["id"] for item in listed]
    assert "hello there" in run("sessions").stdout


def test_send_streams_text_from_standard_input(run: Run) -> None:
    done = run("send", "-", stdin="hello\nthere\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert "hello\n  there" in run("export").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("send", ""), "empty"),
        (("react", "notanemoji-at-all"), "emoji"),
        (("react", "👍", "--row", "99999"), "99999"),
        (("react", "👍", "--back", "7"), "nothing to react to"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_status_2(
    run: Run, arguments: tuple[str, ...], words: str
) -> None:
    done = run(*arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert words in done.stderr.lower()
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_serve_explains_itself(run: Run) -> None:
    done = run("serve", "--help")
    assert done.returncode == 0
    assert "usage" in done.stdout.lower()


def test_emoji_are_found_from_the_shell(run: Run) -> None:
    found = run("emoji", "thumbs", "up", "dark")
    assert (found.returncode, found.stdout) == (0, "👍🏿\t:+1:\tthumbs up: dark skin tone\n")
    assert "usage: tui-tapback emoji" in run("emoji", "--help").stdout
    assert run("emoji", "kvxfscond").returncode == 1


def test_sessions_are_found_renamed_deleted_and_brought_back(run: Run) -> None:
    session = json.loads(run("send", "--json", "a", "walrus").stdout)["session_id"]
    found = json.loads(run("sessions", "search", "walrus", "--author", "user", "--json").stdout)
    assert [(hit["session_id"], hit["row_id"]) for hit in found["hits"]] == [(session, 1)]
    assert run("sessions", "search", "giraffe").returncode == 1
    assert run("sessions", "rename", session, "Sea", "life").returncode == 0
    assert "Sea life" in run("sessions", "list", "--query", "walrus").stdout
    assert run("react", "--last", "heart").returncode == 0
    assert "Sea life" in run("sessions", "list", "--reacted", "❤️").stdout
    assert run("sessions", "delete", session).returncode == 0
    assert json.loads(run("sessions", "--json").stdout) == []
    assert run("sessions", "restore", session).returncode == 0
    assert "walrus" in run("export", "--session", session).stdout
    unknown = run("sessions", "rename", "nothing", "New")
    assert unknown.returncode == 2
    assert "nothing" in unknown.stderr


def test_a_whole_session_in_each_format(run: Run, tmp_path: Path) -> None:
    run("send", "hello")
    run("react", "--last", "👍")
    for form, words in (("markdown", "> You liked"), ("html", "<article"), ("text", "👍 you")):
        target = tmp_path / form
        done = run("export", "--format", form, "-o", str(target))
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert words in target.read_text("utf-8")
        assert run("export", "--format", form).stdout == target.read_text("utf-8")
    (rated,) = json.loads(run("export", "--json").stdout)["messages"][1]["reactions"]
    assert rated["sentence"].startswith("You liked “")


def test_a_session_that_there_is_not_is_refused_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    run("send", "hello")
    kept = tmp_path / "keep.html"
    kept.write_text("a good one", "utf-8")
    for arguments in (
        ("export", "--format", "html", "-o", str(kept)),
        ("send", "hello"),
        ("react", "--last", "👍"),
        ("watch",),
    ):
        done = run(arguments[0], "--session", "typo", *arguments[1:])
        assert done.returncode != 0 and "There is no session “typo”" in done.stderr, (arguments, done)
    assert kept.read_text("utf-8") == "a good one"
    assert len(json.loads(run("sessions", "--json").stdout)) == 1


def test_emoji_find_gives_json(run: Run) -> None:
    found = json.loads(run("emoji", "find", "tada", "--limit", "1", "--json").stdout)
    assert found == [{"emoji": "🎉", "shortcode": ":tada:", "name": "party popper"}]
    assert run("emoji", "find").returncode == 0, "alone it is a word to look for"


def test_bytes_that_are_no_text_do_not_end_in_a_traceback(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tui_tapback.cli.main", "send"],
        input=b"caf\xe9",
        env=home.env,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
