"""The sockets a gateway listens on: made so that nobody else gets in, removed with care."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import ssl
import stat
from pathlib import Path

from tui_tapback.config.folders import shown
from tui_tapback.config.paths import SOCKET_LIMIT
from tui_tapback.config.secret import Secret
from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line

from .ownership import answers


class UnixListener:
    """A bound Unix socket with mode 0600."""

    def __init__(self, path: Path, sock: socket.socket) -> None:
        self.path = path
        self.sock = sock
        self._inode = _inode(path)

    @classmethod
    def bind(cls, path: Path) -> UnixListener:
        """Bind ``path``. A socket that nobody listens on any more is removed first. Raises SettingsError."""
        if len(os.fsencode(path)) >= SOCKET_LIMIT:
            raise SettingsError(
                f"The socket path {shown(path)} is too long for this system.",
                hint=f"Choose one of fewer than {SOCKET_LIMIT} bytes.",
            )
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _clear(path)
            former = os.umask(0o177)  # so that there is no moment in which others could connect
            try:
                sock.bind(str(path))
            finally:
                os.umask(former)
            return cls(path, sock)
        except OSError as error:
            sock.close()
            raise SettingsError(
                f"The gateway cannot listen at {shown(path)}: {error.strerror or error}.",
                hint="Check the folder, or choose another one with --socket.",
            ) from error
        except BaseException:
            sock.close()
            raise

    @property
    def in_place(self) -> bool:
        """Whether the file still leads to this socket; cleaners of temporary folders remove such files."""
        return _inode(self.path) == self._inode

    def remove(self) -> None:
        """Remove the socket file, unless it is another gateway's by now. To be called before the socket is
        closed: until then no other file can have the same inode number."""
        if self.sock.fileno() >= 0 and self.in_place:
            self.path.unlink()

    def close(self) -> None:
        """Remove the file and close the socket; a second call does nothing."""
        self.remove()
        self.sock.close()


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    return info.st_dev, info.st_ino


def _clear(path: Path) -> None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(info.st_mode):
        raise SettingsError(
            f"{shown(path)} is in the way: it is no socket.", hint="Move it away, or choose another --socket."
        )
    if answers(path):
        raise SettingsError(
            f"Another program already listens at {shown(path)}.", hint="Choose another path with --socket."
        )
    path.unlink()


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS 1.2 or newer with these PEM files. Raises SettingsError where they cannot be used, and for a key
    that others can read."""
    try:
        if os.name == "posix" and stat.S_IMODE(key.stat().st_mode) & 0o077:
            raise SettingsError(
                f"The key file {shown(key)} can be read by other users.", hint=f"Run: chmod 600 {shown(key)}"
            )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (OSError, ssl.SSLError) as error:  # a key with a password ends here too
        raise SettingsError(
            f"The TLS files {shown(certificate)} and {shown(key)} cannot be used: {error.strerror or error}.",
            hint="Give a certificate and its key as PEM files, the key without a password.",
        ) from error
    return context


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. Raises SettingsError for what is no address."""
    return _address(host).is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
    except ValueError as error:
        raise SettingsError(
            f"{clean_line(host, 60)} is no address to listen on.", hint="Use a number such as 127.0.0.1."
        ) from error


def bind_tcp(host: str, port: int, *, encrypted: bool = False) -> socket.socket:
    """Bind a loopback address, or where the traffic is ``encrypted`` any address.

    Raises SettingsError for another address and for a port that is taken.
    """
    address = _address(host)
    if not address.is_loopback and not encrypted:
        raise SettingsError(
            f"The gateway listens on loopback only, not on {clean_line(host, 60)}: without TLS anyone on the "
            "way could read along.",
            hint="Give --tls-cert and --tls-key, or reach it from afar through an SSH tunnel.",
        )
    sock = socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((str(address), port))
    except OSError as error:
        sock.close()
        raise SettingsError(
            f"The gateway cannot listen on {address} port {port}: {error.strerror or error}.",
            hint="Choose another --port; 0 takes any free one.",
        ) from error
    return sock


def url_of(sock: socket.socket, *, encrypted: bool = False) -> str:
    """The address of a bound TCP socket, as clients write it."""
    host, port = sock.getsockname()[:2]
    scheme = "wss" if encrypted else "ws"
    return f"{scheme}://[{host}]:{port}/api/ws" if ":" in host else f"{scheme}://{host}:{port}/api/ws"


def write_endpoint(path: Path, url: str, token: Secret) -> None:
    """Leave address and token for the other programs of this user (mode 0600). Raises SettingsError."""
    draft = path.with_suffix(".new")
    try:
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"url": url, "token": token.reveal(), "pid": os.getpid()}, file)
        draft.replace(path)
    except OSError as error:
        raise SettingsError(
            f"The address of the gateway cannot be written to {shown(path)}: {error.strerror or error}."
        ) from error
