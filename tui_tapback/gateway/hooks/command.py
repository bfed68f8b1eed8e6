"""Runs one command for one event: JSON on its standard input, a scrubbed environment, a time, and an end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

import msgspec

from tui_tapback.domain.text import clean_line

from .events import HookEvent

HARMLESS = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"),
    *("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "DISPLAY", "WAYLAND_DISPLAY"),
    *("DBUS_SESSION_BUS_ADDRESS", "SYSTEMROOT", "TUI_TAPBACK_HOME"),
)
"""Variables that every command gets, with those that begin with ``LC_``."""
HOOK_VARIABLE = "TUI_TAPBACK_HOOK"
"""Holds the hook's name, so that a command can tell that it runs as one."""
_ERRORS_KEPT = 4096
_OUTPUT_KEPT = 16_384
_GRACE = 0.5


class Question(msgspec.Struct, frozen=True):
    """What a hook wants to know of the people of the chat, as it stands on the last line of its output:
    ``{"ask": …, "choices": […]}``. Without choices any words are an answer."""

    ask: Annotated[str, msgspec.Meta(min_length=1)]
    choices: list[str] = []


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: ``failure`` is empty, or says in words why it failed; ``question`` is to be asked."""

    failure: str = ""
    question: Question | None = None


def scrubbed(environ: Mapping[str, str], more: Sequence[str], name: str) -> dict[str, str]:
    """The environment of a command: what is harmless and what its settings name, nothing else."""
    kept = {key: value for key, value in environ.items() if key in HARMLESS or key.startswith("LC_")}
    named = {key: environ[key] for key in more if key in environ}
    return kept | named | {HOOK_VARIABLE: name}


async def run_command(
    command: Sequence[str],
    event: HookEvent,
    *,
    folder: Path,
    environ: Mapping[str, str],
    seconds: float,
    began: Callable[[int], None],
) -> Outcome:
    """Run it and wait for its end; after ``seconds`` it is killed with all that it started.

    ``began`` is told its process id. Never raises for what the command does. What it leaves running in its
    own session is ended, too.
    """
    given = msgspec.json.encode(event.as_json()) + b"\n"
    async with _Written(_ERRORS_KEPT) as errors, _Written(_OUTPUT_KEPT) as output:
        try:
            process = await asyncio.create_subprocess_exec(
                *_located(command, folder),
                stdin=asyncio.subprocess.PIPE,
                stdout=output.descriptor,
                stderr=errors.descriptor,
                cwd=folder,
                env=dict(environ),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Outcome(f"it cannot be started ({clean_line(str(error), 200)})")
        finally:
            errors.started()
            output.started()
        began(process.pid)
        try:
            async with asyncio.timeout(seconds):
                await _feed(process.stdin, given)
                status = await process.wait()
        except TimeoutError:
            return Outcome(f"it took longer than {seconds:g} seconds and was ended")
        finally:
            _end(process.pid)
            await process.wait()
        if status == 0:
            return _read(await output.last_line())
        said = clean_line(await errors.last_line(), 300).rstrip(".")
    how = f"it was ended by signal {-status}" if status < 0 else f"it ended with status {status}"
    return Outcome(f"{how}, saying: {said}" if said else how)


def _read(line: str) -> Outcome:
    """What the last line of the output says; most commands say nothing, or nothing that is meant for us."""
    if not line.startswith("{"):
        return Outcome()
    try:
        return Outcome(question=msgspec.json.decode(line, type=Question))
    except msgspec.ValidationError as error:
        return Outcome(f"its answer makes no sense: {clean_line(str(error), 200)}" if '"ask"' in line else "")
    except msgspec.DecodeError:
        return Outcome()


class _Written:
    """The end of what a command writes, ``kept`` bytes of it; the rest is read and forgotten.

    A pipe of our own: that of ``asyncio`` makes the end of the command wait for all who hold the pipe.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept

    async def __aenter__(self) -> Self:
        read, self.descriptor = os.pipe()
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        pipe = os.fdopen(read, "rb", buffering=0)
        self._transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        self._tail = bytearray()
        self._reading = asyncio.create_task(self._read(reader), name="words of a hook")
        return self

    async def __aexit__(self, *reason: object) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._transport.close()

    def started(self) -> None:
        """The command has the pipe now, or will never have it."""
        os.close(self.descriptor)

    async def last_line(self) -> str:
        """The last line that was written; after the end of the command."""
        await asyncio.wait({self._reading}, timeout=_GRACE)
        lines = self._tail.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while part := await reader.read(self._kept):
            self._tail = (self._tail + part)[-self._kept :]


def _located(command: Sequence[str], folder: Path) -> list[str]:
    program = Path(command[0]).expanduser()
    if len(program.parts) > 1 or command[0].startswith("."):
        program = folder / program
    return [str(program), *command[1:]]


async def _feed(stdin: asyncio.StreamWriter | None, data: bytes) -> None:
    if stdin is None:
        raise RuntimeError("the command was started without a standard input")
    # A command that does not read its input has chosen so.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        stdin.write(data)
        await stdin.drain()
    stdin.close()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        await stdin.wait_closed()


def _end(pid: int) -> None:
    """Kill the session that the command leads."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
