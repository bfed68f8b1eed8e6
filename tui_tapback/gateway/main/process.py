"""The life of a gateway process: opens the store, serves until told to end or nobody is left, cleans up."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tui_tapback import __version__
from tui_tapback.config.paths import Paths
from tui_tapback.config.secret import Secret
from tui_tapback.config.settings import Settings
from tui_tapback.domain.errors import InvalidInput, SettingsError, StoreError
from tui_tapback.gateway.agent.switching import SwitchingAgent, agent_factory
from tui_tapback.gateway.hooks.command import Question
from tui_tapback.gateway.hooks.found import find_hooks
from tui_tapback.gateway.hooks.origin import HookProcesses
from tui_tapback.gateway.hooks.runner import Hooks
from tui_tapback.gateway.platforms.bridge import bring_home
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.platforms.found import find_adapters
from tui_tapback.gateway.platforms.outgoing import Outgoing
from tui_tapback.gateway.server.access import Access
from tui_tapback.gateway.server.context import Facts
from tui_tapback.gateway.server.server import GatewayServer
from tui_tapback.gateway.server.transport import Hall, Server, listen
from tui_tapback.gateway.service.ports import ConversationTools
from tui_tapback.gateway.service.questions import Questions
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.wire.questions import ClarifyQuestion

from .arguments import Options
from .files import AcceptTrouble, room_for_connections
from .listeners import UnixListener, bind_tcp, is_loopback, tls_context, url_of, write_endpoint

_log = logging.getLogger(__name__)
_END_SECONDS = 15.0
_SILENT_SECONDS = 0.5
_BUSY_LOOK = 0.2
_LOOK_SECONDS = 0.1
_REACHABLE_SECONDS = 2.0
_TIDY_SECONDS = 2.0
_ANSWER_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class _Listener:
    """A bound socket, who may come in by it, and how it is encrypted."""

    sock: socket.socket
    access: Access
    tls: ssl.SSLContext | None = None


class Process:
    """One gateway process. ``out``: where a person reads the address (None in the background)."""

    def __init__(
        self,
        paths: Paths,
        settings: Settings,
        environ: Mapping[str, str],
        *,
        token: Secret,
        out: TextIO | None = None,
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._environ = environ
        self._token = token or Secret(secrets.token_urlsafe(32))
        self._out = out
        self._unix: UnixListener | None = None
        self._hall = Hall(room_for_connections())

    def run(self, socket_path: Path, options: Options, *, idle_exit: float) -> None:
        """Serve until a signal, or until nobody has been there for ``idle_exit`` seconds (0: never).

        Raises StoreError and SettingsError when it cannot start.
        """
        with ExitStack() as stack:
            store = Store(self._paths.database)
            stack.callback(store.close)
            listeners = self._listeners(stack, socket_path, options)
            asyncio.run(self._serve(store, listeners, idle_exit))
        _log.info("The gateway has ended.")

    def _listeners(self, stack: ExitStack, socket_path: Path, options: Options) -> list[_Listener]:
        """Bind everything first, so that a wrong address is told before anything runs."""
        found: list[_Listener] = []
        if hasattr(socket, "AF_UNIX"):
            self._unix = UnixListener.bind(socket_path)
            stack.callback(self._close_unix)
            found.append(_Listener(self._unix.sock, Access()))
            self._say(f"The gateway listens at {socket_path}")
        if options.port is not None or not found:
            tls: ssl.SSLContext | None = None
            if options.tls_cert is not None and options.tls_key is not None:
                tls = tls_context(options.tls_cert, options.tls_key)
            tcp = bind_tcp(options.host, options.port or 0, encrypted=tls is not None)
            stack.callback(tcp.close)
            url = url_of(tcp, encrypted=tls is not None)
            write_endpoint(self._paths.endpoint_file, url, self._token)
            stack.callback(self._paths.endpoint_file.unlink, missing_ok=True)
            found.append(_Listener(tcp, Access(self._token, loopback=is_loopback(options.host)), tls))
            self._say(f"The gateway listens at {url} (token in {self._paths.endpoint_file})")
        return found

    def _close_unix(self) -> None:
        if self._unix is not None:
            self._unix.close()

    def _say(self, line: str) -> None:
        _log.info("%s", line)
        if self._out is not None:
            print(line, file=self._out, flush=True)

    async def _serve(self, store: Store, listeners: list[_Listener], idle_exit: float) -> None:
        asyncio.get_running_loop().set_exception_handler(AcceptTrouble())
        made: list[SwitchingAgent] = []
        folder = self._paths.settings_file.parent
        processes = HookProcesses()

        async def ask(session_id: str, hook: str, question: Question) -> str:
            return await _ask_people(service.questions, session_id, hook, question)

        hooks = Hooks(find_hooks(folder, self._environ, processes, _warn), processes, ask=ask)
        platforms = Directory(find_adapters(self._environ, _warn))
        make = agent_factory(self._settings.model, self._environ, platforms)

        def remembered(tools: ConversationTools) -> SwitchingAgent:
            made.append(make(tools))
            return made[0]

        service = GatewayService(store, remembered, watchers=[hooks])
        bring_home(platforms.adapters, service.elsewhere)
        outgoing = Outgoing(platforms.adapters, service.elsewhere.errands)
        service.elsewhere.errands.listen(outgoing.wake)
        (agent,) = made
        server = GatewayServer(service, Facts(__version__, lambda: agent.is_companion))
        looking = asyncio.create_task(agent.look(), name="look for a model")
        await asyncio.wait({looking}, timeout=_LOOK_SECONDS)
        sockets = [
            await listen(found.sock, found.access, server.serve_link, hall=self._hall, tls=found.tls)
            for found in listeners
        ]
        reachable = asyncio.create_task(self._stay_reachable(sockets, server), name="stay reachable")
        tidying = asyncio.create_task(_tidy(service), name="tidy")
        outgoing.start()
        _log.info("Ready; %s answers.", service.model)
        reason = await _end(server, idle_exit, lambda: service.busy)
        _log.info("Leaving: %s.", reason)
        reachable.cancel()
        tidying.cancel()
        if self._unix is not None:
            self._unix.remove()
        for opened in sockets:
            opened.close(close_connections=False)
        looking.cancel()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await server.close()
                await agent.close()
                await outgoing.close()
                await platforms.close()
                await hooks.close()
        except TimeoutError:
            _log.warning("Not everything ended in time.")
        # Who connected and said nothing has nothing to lose, and the next gateway is waiting.
        closed = [asyncio.create_task(opened.wait_closed()) for opened in sockets]
        await asyncio.wait(closed, timeout=_SILENT_SECONDS)

    async def _stay_reachable(self, sockets: list[Server], server: GatewayServer) -> None:
        """Bind anew when the socket's file is gone: who is connected stays, who comes finds the door."""
        told, door = "", sockets[0]
        while self._unix is not None:
            await asyncio.sleep(_REACHABLE_SECONDS)
            if self._unix.in_place:
                continue
            try:
                self._paths.prepare()
                unix = UnixListener.bind(self._unix.path)
            except SettingsError as error:
                if str(error) != told:
                    told = str(error)
                    _log.warning("The socket's file is gone. %s", told)
                continue
            # Nobody can come in by the former socket; who came in by it stays.
            door.close(close_connections=False)
            self._unix, told = unix, ""
            door = await listen(unix.sock, Access(), server.serve_link, hall=self._hall)
            sockets.append(door)
            _log.info("The socket's file was gone; the gateway listens again.")


async def _ask_people(questions: Questions, session_id: str, hook: str, question: Question) -> str:
    """The answer to what a hook asks; empty where nobody answers in time."""
    asked = ClarifyQuestion("hook", f"The hook {hook} asks: {question.ask}", question.choices)
    try:
        answers = await questions.clarify(session_id, [asked], seconds=_ANSWER_SECONDS)
    except InvalidInput as error:  # too many questions wait already
        _log.warning("The hook %s could not ask: %s", hook, error)
        return ""
    return answers.get("hook", "")


async def _tidy(service: GatewayService) -> None:
    """Let go of deleted sessions, a little at a time."""
    told = ""
    while True:
        await asyncio.sleep(_TIDY_SECONDS)
        try:
            service.archive.purge()
        except StoreError as error:
            if str(error) != told:
                told = str(error)
                _log.warning("What was deleted cannot be removed. %s", told)


def _warn(sentence: str) -> None:
    _log.warning("%s", sentence)


async def _end(server: GatewayServer, idle_exit: float, busy: Callable[[], bool]) -> str:
    """Wait for the reason to leave, and say it."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[str] = loop.create_future()

    def tell(reason: str) -> None:
        if not told.done():
            told.set_result(reason)

    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)
        if number is not None:
            try:
                loop.add_signal_handler(number, tell, name)
            except NotImplementedError:  # Windows: Ctrl+C raises KeyboardInterrupt instead
                break
    waiting = asyncio.create_task(_lonely(server, idle_exit, busy))
    await asyncio.wait({told, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if told.done():
        waiting.cancel()
        return told.result()
    return "nobody is here any more"


async def _lonely(server: GatewayServer, idle_exit: float, busy: Callable[[], bool]) -> None:
    """Return when nobody has been there for ``idle_exit`` seconds and no turn runs; never where it is 0."""
    if idle_exit <= 0:
        await asyncio.Event().wait()
    while True:
        await server.presence.gone_for(idle_exit)
        if not busy():
            return
        await asyncio.sleep(_BUSY_LOOK)
