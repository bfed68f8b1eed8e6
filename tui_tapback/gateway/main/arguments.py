"""The arguments of ``tui-tapback serve`` and of the gateway in the background."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tui_tapback.domain.variables import TOKEN_VARIABLE

_EPILOG = f"""\
Chats of this user meet at the Unix socket. With --port the gateway also listens on loopback TCP, for SSH
tunnels and for systems without Unix sockets; clients then need the token, which is taken from the environment
variable {TOKEN_VARIABLE}, or made and written to gateway.json beside the socket. On any other address it
listens only with --tls-cert and --tls-key (PEM files), so that nothing travels open; clients use wss:// then.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """``idle_exit``: seconds, 0 for never, None where nothing was said. ``port`` 0: the system chooses."""

    socket: Path | None = None
    host: str = "127.0.0.1"
    port: int | None = None
    idle_exit: float | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None


def parse(argv: Sequence[str] | None) -> Options:
    """Read the arguments; ends the program for ``--help`` and for wrong ones."""
    parser = argparse.ArgumentParser(
        prog="tui-tapback serve",
        description="Run the gateway that chats connect to.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--socket", type=Path, metavar="PATH", help="another Unix socket than the usual one")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address for --port (127.0.0.1); beyond loopback only with TLS"
    )
    parser.add_argument("--port", type=_port, help="listen on TCP too; 0: any free port")
    parser.add_argument(
        "--idle-exit",
        type=_seconds,
        metavar="SECONDS",
        help="leave when no client has been there for this long; 0: never",
    )
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="certificate chain for --port (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key (PEM)")
    found = parser.parse_args(argv)
    if (found.tls_cert is None) != (found.tls_key is None):
        parser.error("--tls-cert and --tls-key belong together")
    if found.tls_cert is not None and found.port is None:
        parser.error("--tls-cert needs --port: the Unix socket has no use for it")
    return Options(
        found.socket, found.host, found.port, found.idle_exit, tls_cert=found.tls_cert, tls_key=found.tls_key
    )


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError("must be 0 to 65535")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be 0 or more")
    return seconds
