"""Folders: one variable moves all, socket paths stay short, hostile folders are refused."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.config.folders import private_folder
from tui_tapback.config.paths import SOCKET_LIMIT, Paths
from tui_tapback.domain.errors import SettingsError


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    paths = Paths.from_environ({"TUI_TAPBACK_HOME": str(tmp_path)})
    for path in (paths.database, paths.settings_file, paths.gateway_log, paths.lock_file, paths.recents_file):
        assert path.is_relative_to(tmp_path)


def test_two_homes_share_nothing(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    one, two = (Paths.from_environ({"TUI_TAPBACK_HOME": str(deep / name)}) for name in "ab")
    assert one.socket_path != two.socket_path
    assert one.database != two.database


def test_a_blank_variable_is_none() -> None:
    assert Paths.from_environ({"TUI_TAPBACK_HOME": "  "}) == Paths.from_environ({})


def test_a_linked_home_meets_the_same_gateway(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    assert Paths.from_environ({"TUI_TAPBACK_HOME": str(tmp_path / "link")}) == Paths.from_environ(
        {"TUI_TAPBACK_HOME": str(real)}
    )


@given(depth=st.integers(0, 40), name=st.text("aé😀 ", min_size=1, max_size=40))
def test_the_socket_path_is_short_whatever_the_folder(depth: int, name: str) -> None:
    home = "/srv/" + "/".join([name.strip() or "x"] * (depth + 1))
    for environ in ({}, {"XDG_RUNTIME_DIR": "/tmp"}):
        socket = Paths.from_environ({"TUI_TAPBACK_HOME": home} | environ).socket_path
        assert len(os.fsencode(socket)) < SOCKET_LIMIT


def test_the_runtime_folder_of_the_login_is_used(tmp_path: Path) -> None:
    short = Path("/tmp") / f"tb-{os.getpid()}"
    short.mkdir()
    try:
        paths = Paths.from_environ({"XDG_RUNTIME_DIR": str(short)})
        assert paths.runtime.parent == short
    finally:
        short.rmdir()


def test_prepared_folders_are_closed_to_others(tmp_path: Path) -> None:
    paths = Paths.from_environ({"TUI_TAPBACK_HOME": str(tmp_path / "home")}).prepare()
    for folder in (paths.data, paths.logs, paths.runtime):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_open_folder_of_ours_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    private_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_in_a_shared_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SettingsError, match="symbolic link"):
        private_folder(tmp_path / "run", follow_link=False)
    assert private_folder(tmp_path / "run") == tmp_path / "run"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    with pytest.raises(SettingsError, match="another user") as caught:
        private_folder(folder)
    assert caught.value.hint


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(SettingsError, match="something else stands there"):
        private_folder(tmp_path / "data")
    with pytest.raises(SettingsError, match=r"cannot be created|something else"):
        private_folder(tmp_path / "data" / "below")
