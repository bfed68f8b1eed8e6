"""The pieces of the gateway process by themselves: the lock, the listeners, the log."""

from __future__ import annotations

import json
import logging
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.config.secret import Secret
from tui_tapback.domain.errors import SettingsError, StoreLocked, StoreReadOnly
from tui_tapback.gateway.main.arguments import parse
from tui_tapback.gateway.main.listeners import UnixListener, bind_tcp, url_of, write_endpoint
from tui_tapback.gateway.main.logs import CleanFormatter, start_log
from tui_tapback.gateway.main.ownership import answers, take_ownership


class ManualClock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses = 0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses += 1


def test_the_second_owner_is_told_that_the_first_answers(home: Path) -> None:
    listener = UnixListener.bind(home / "s")
    listener.sock.listen()
    first = take_ownership(home / "lock", home / "s")
    assert first is not None
    assert take_ownership(home / "lock", home / "s") is None
    first.release()
    again = take_ownership(home / "lock", home / "s")
    assert again is not None
    again.release()
    listener.close()


def test_an_owner_that_does_not_answer_is_waited_for_and_then_reported(home: Path) -> None:
    first = take_ownership(home / "lock", home / "s")
    assert first is not None
    clock = ManualClock()
    with pytest.raises(StoreLocked, match="does not answer"):
        take_ownership(home / "lock", home / "s", patience=3.0, clock=clock, pause=clock.pause)
    assert clock.now >= 3.0
    first.release()


def test_an_owner_that_leaves_meanwhile_is_followed(home: Path) -> None:
    first = take_ownership(home / "lock", home / "s")
    assert first is not None
    clock = ManualClock()

    def leave(seconds: float) -> None:
        clock.pause(seconds)
        if clock.pauses == 3:
            first.release()

    second = take_ownership(home / "lock", home / "s", clock=clock, pause=leave)
    assert second is not None
    second.release()
    second.release()


def test_a_lock_file_that_cannot_be_written_is_a_store_error(home: Path) -> None:
    (home / "lock").mkdir()
    with pytest.raises(Exception, match=r"could not be used|cannot be written") as caught:
        take_ownership(home / "lock", home / "s")
    assert not isinstance(caught.value, OSError)
    if os.geteuid() != 0:
        home.chmod(0o500)
        with pytest.raises(StoreReadOnly):
            take_ownership(home / "other", home / "s")
        home.chmod(0o700)


def test_a_socket_is_never_open_to_others_whatever_the_umask(home: Path) -> None:
    former = os.umask(0)
    try:
        listener = UnixListener.bind(home / "s")
        assert os.umask(0) == 0, "the umask is put back"
    finally:
        os.umask(former)
    assert stat.S_IMODE((home / "s").lstat().st_mode) == 0o600
    listener.sock.close()
    assert not answers(home / "s")


def test_a_socket_that_another_gateway_has_replaced_is_not_removed(home: Path) -> None:
    first = UnixListener.bind(home / "s")
    (home / "s").unlink()
    second = UnixListener.bind(home / "s")
    second.sock.listen()
    first.close()
    assert answers(home / "s")
    second.close()
    second.close()
    assert not (home / "s").exists()


def test_after_its_own_end_a_listener_touches_nothing(home: Path) -> None:
    first = UnixListener.bind(home / "s")
    first.sock.close()
    second = UnixListener.bind(home / "s")  # may get the very inode number of the first
    second.sock.listen()
    first.remove()
    assert answers(home / "s")
    second.close()


def test_a_linked_socket_path_is_refused(home: Path) -> None:
    (home / "target").write_text("x")
    (home / "s").symlink_to(home / "target")
    with pytest.raises(SettingsError, match="is in the way"):
        UnixListener.bind(home / "s")
    with pytest.raises(SettingsError, match="cannot listen"):
        UnixListener.bind(home / "none" / "s")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "example.org", "", "127.0.0.1.evil"])
def test_only_loopback_is_listened_on(host: str) -> None:
    with pytest.raises(SettingsError, match=r"loopback only|no address"):
        bind_tcp(host, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.9.9.9"])
def test_loopback_addresses_are_bound(host: str) -> None:
    with bind_tcp(host, 0) as sock:
        assert url_of(sock).startswith("ws://127.")
        assert url_of(sock).endswith("/api/ws")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_an_address_of_six_bytes_groups_is_bracketed() -> None:
    try:
        sock = bind_tcp("::1", 0)
    except SettingsError:
        pytest.skip("this machine has no IPv6 loopback")
    with sock:
        assert url_of(sock).startswith("ws://[::1]:")


def test_the_endpoint_file_is_private_and_follows_no_link(home: Path) -> None:
    (home / "victim").write_text("keep")
    (home / "gateway.new").symlink_to(home / "victim")
    write_endpoint(home / "gateway.json", "ws://x", Secret("t"))
    assert stat.S_IMODE((home / "gateway.json").stat().st_mode) == 0o600
    assert json.loads((home / "gateway.json").read_text())["token"] == "t"
    assert (home / "victim").read_text() == "keep"


@pytest.fixture
def root_logger() -> Iterator[logging.Logger]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    for handler in root.handlers[:]:
        if handler not in handlers:
            root.removeHandler(handler)
            handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def test_the_log_is_clean_short_and_without_secrets(home: Path) -> None:
    formatter = CleanFormatter([Secret("hunter2"), Secret("")])
    record = logging.LogRecord(
        "x", logging.INFO, "", 1, "%s", ("a\x1b[2Jb\nINFO forged " + "y" * 9000,), None
    )
    line = formatter.format(record)
    assert "\n" not in line
    assert "\x1b" not in line
    assert len(line) < 2100
    for text in (
        "GET /api/ws?token=hunter2 x",
        "password hunter2",
        "?token=other&x=1",
        "Authorization: Bearer abc.def",
        "api_key = 'k-123'",
        "sk-verysecret",
        '{"token": "zzz9"}',
    ):
        record = logging.LogRecord("x", logging.INFO, "", 1, "%s", (text,), None)
        shown = formatter.format(record)
        assert "***" in shown
        for secret in ("hunter2", "other", "abc.def", "k-123", "verysecret", "zzz9"):
            assert secret not in shown


def test_traces_are_masked_too() -> None:
    try:
        raise ValueError("token=hunter2 \x1b]0;title\x07")
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "broken", (), (type(error), error, None))
    text = CleanFormatter([]).format(record)
    assert "hunter2" not in text
    assert "\x1b" not in text
    assert "ValueError" in text


def test_the_log_file_is_rotated(home: Path, root_logger: logging.Logger) -> None:
    start_log(home / "g.log")
    for _ in range(900):
        root_logger.info("%s", "z" * 1900)
    files = sorted(path.name for path in home.iterdir())
    assert files == ["g.log", "g.log.1", "g.log.2"]
    assert all(path.stat().st_size <= 512_000 for path in home.iterdir())


@pytest.mark.parametrize(
    "argv", [["--port", "70000"], ["--port", "x"], ["--idle-exit", "-1"], ["--idle-exit", "inf"], ["--what"]]
)
def test_wrong_arguments_end_with_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(argv)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err
