"""Where logins are kept: keyrings that are locked, short or missing, files nobody should trust."""

from __future__ import annotations

import multiprocessing
import os
import threading
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from tui_tapback.client.account import Tokens
from tui_tapback.client.keyring_store import KeyringStore, kept_logins
from tui_tapback.client.logins import Logins, PrivateFiles
from tui_tapback.domain.errors import SecretStoreFailed


def logins(folder: Path) -> Logins:
    return Logins(lambda: (PrivateFiles(folder),), folder)


TOKENS = Tokens("a", "r", "basic", 7)


@pytest.mark.parametrize("harm", ["open", "damaged", "link", "huge"])
def test_a_file_that_cannot_be_trusted_is_no_login(tmp_path: Path, harm: str) -> None:
    keeper = logins(tmp_path)
    keeper.save("https://host", "", TOKENS)
    assert keeper.load("https://host", "") == TOKENS
    (file,) = tmp_path.glob("*.json")
    match harm:
        case "open":
            file.chmod(0o644)
        case "damaged":
            file.write_bytes(b'{"access_token": 3')
        case "link":
            file.rename(tmp_path / "elsewhere")
            file.symlink_to(tmp_path / "elsewhere")
        case _:
            file.write_bytes(b" " * 100_000 + file.read_bytes())
    assert keeper.load("https://host", "") is None
    keeper.save("https://host", "", TOKENS)
    assert keeper.load("https://host", "") == TOKENS


class Ring:
    """A keyring of a desktop; ``locked`` it fails as real ones do."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def _try(self) -> None:
        if self.locked:
            raise RuntimeError("org.freedesktop.Secret.Error.IsLocked")

    def get_password(self, service: str, name: str) -> str | None:
        self._try()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, text: str) -> None:
        self._try()
        if len(text) > 500:
            raise OSError("too long for this keyring")
        self.kept[service, name] = text

    def delete_password(self, service: str, name: str) -> None:
        self._try()
        del self.kept[service, name]


def test_a_keyring_comes_first_and_files_take_what_it_does_not(tmp_path: Path) -> None:
    ring = Ring()
    keeper = Logins(lambda: (KeyringStore(ring), PrivateFiles(tmp_path)), tmp_path)
    keeper.save("https://host", "ada", TOKENS)
    assert len(ring.kept) == 1
    assert not list(tmp_path.glob("*.json"))
    ring.locked = True
    assert keeper.load("https://host", "ada") is None
    keeper.save("https://host", "ada", TOKENS)
    assert keeper.load("https://host", "ada") == TOKENS
    ring.locked = False
    keeper.save("https://host", "ada", TOKENS)
    assert not list(tmp_path.glob("*.json"))  # never in two places
    long = Tokens("x" * 600)
    keeper.save("https://host", "ada", long)
    assert keeper.load("https://host", "ada") == long
    keeper.save("https://host", "ada", TOKENS)
    ring.locked = True
    keeper.save("https://host", "ada", long)
    ring.locked = False
    assert keeper.load("https://host", "ada") == long  # not what the ring kept while it was locked
    keeper.forget("https://host", "ada")
    assert keeper.load("https://host", "ada") is None
    assert not ring.kept


class Desktop(KeyringBackend):
    """A backend of the real package, such as that of a desktop."""

    priority = 5  # pyright: ignore[reportAssignmentType]  # a class property there

    def __init__(self) -> None:
        super().__init__()
        self.ring = Ring()

    def get_password(self, service: str, username: str) -> str | None:
        return self.ring.get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self.ring.set_password(service, username, password)

    def delete_password(self, service: str, username: str) -> None:
        self.ring.delete_password(service, username)


def test_the_real_package_keeps_a_login_where_it_has_a_backend(tmp_path: Path) -> None:
    before, desktop = keyring.get_keyring(), Desktop()
    keyring.set_keyring(desktop)
    try:
        kept_logins(tmp_path).save("https://host", "ada", TOKENS)
        assert [name for _, name in desktop.ring.kept] == ["ada@https://host"]
        assert not list(tmp_path.glob("*.json"))
        assert kept_logins(tmp_path).load("https://host", "ada") == TOKENS
        kept_logins(tmp_path).forget("https://host", "ada")
        kept_logins(tmp_path).forget("https://host", "ada")
        assert not desktop.ring.kept
        desktop.ring.locked = True
        kept_logins(tmp_path).save("https://host", "ada", TOKENS)
        assert list(tmp_path.glob("*.json"))
    finally:
        keyring.set_keyring(before)


def test_nowhere_to_keep_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ring = Ring()
    ring.locked = True
    keeper = Logins(lambda: (KeyringStore(ring), PrivateFiles(tmp_path / "file")), tmp_path)
    with pytest.raises(SecretStoreFailed, match="neither the keyring nor the data folder"):
        keeper.save("https://host", "", TOKENS)


def test_without_the_package_or_its_backend_files_are_used(tmp_path: Path) -> None:
    keeper = kept_logins(tmp_path)
    keeper.save("https://host", "", TOKENS)
    assert kept_logins(tmp_path).load("https://host", "") == TOKENS


def _hold(folder: Path, held: threading.Event, release: threading.Event) -> None:
    with logins(folder).alone():
        held.set()
        release.wait(10)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="files are locked on POSIX only")
def test_only_one_program_at_a_time_renews(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, release, mine = context.Event(), context.Event(), threading.Event()
    other = context.Process(target=_hold, args=(tmp_path, held, release))
    other.start()
    assert held.wait(20)

    def wait() -> None:
        with logins(tmp_path).alone():
            mine.set()

    thread = threading.Thread(target=wait)
    thread.start()
    assert not mine.wait(0.2)
    release.set()
    assert mine.wait(10)
    thread.join()
    other.join()
