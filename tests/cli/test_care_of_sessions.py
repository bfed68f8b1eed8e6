"""``tui-tapback sessions repair`` and ``backup`` as a person types them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tui_tapback.cli.sessions import main
from tui_tapback.domain.errors import StoreError, StoreLocked
from tui_tapback.gateway.store.store import Store


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    Store(tmp_path / "data" / "tapback.db").close()
    return {"TUI_TAPBACK_HOME": str(tmp_path), "HOME": str(tmp_path)}


def test_backup_says_where_the_copy_is(
    environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(tmp_path / "copy.db")], environ) == 0
    assert f"copied to {tmp_path / 'copy.db'}" in capsys.readouterr().out
    Store(tmp_path / "copy.db").check()
    assert main(["backup"], environ) == 0
    (copy,) = (tmp_path / "data").glob("tapback.db.*.bak")
    raw = sqlite3.connect(copy)
    assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    raw.close()


def test_repair_says_what_it_found(environ: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair"], environ) == 0
    assert "is sound: 0 messages" in capsys.readouterr().out


def test_a_gateway_in_the_way_is_told(environ: dict[str, str], tmp_path: Path) -> None:
    store = Store(tmp_path / "data" / "tapback.db")
    with pytest.raises(StoreLocked) as caught:
        main(["repair"], environ)
    assert "Close all chats" in caught.value.hint
    store.close()


def test_without_data_there_is_nothing_to_do(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no data file"):
        main(["repair"], {"TUI_TAPBACK_HOME": str(tmp_path / "new"), "HOME": str(tmp_path)})
