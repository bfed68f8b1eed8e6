"""A small OpenID provider on loopback, whose one person agrees or denies, and a browser without a face."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import secrets
import threading
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT = "hermes-test"
_HOPS = 12


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class IdentityProvider:
    """From ``with`` to the end of the block. ``lifetime``: seconds that an identity token is good for.

    Codes are good once and only with their verifier; a refresh token that was used before ends all of its
    login, as real providers do. ``denies``: the person says no. ``grants``: what the token
    endpoint gave.
    """

    def __init__(self, *, lifetime: int = 3600, denies: bool = False) -> None:
        from cryptography.hazmat.primitives.asymmetric import rsa

        self.lifetime = lifetime
        self.denies = denies
        self.revoked = False
        self.grants: list[str] = []
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._codes: dict[str, str] = {}
        self._fresh: set[str] = set()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider._get(self)

            def do_POST(self) -> None:
                provider._post(self)

            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def issuer(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        target = urlsplit(request.path)
        if target.path == "/.well-known/openid-configuration":
            _reply(
                request,
                {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/jwks",
                },
            )
        elif target.path == "/jwks":
            numbers = self._key.public_key().public_numbers()
            n = numbers.n.to_bytes(256, "big")
            key = {"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "n": _b64(n), "e": "AQAB"}
            _reply(request, {"keys": [key]})
        elif target.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(target.query).items()}
            answer = {"error": "access_denied", "error_description": "The person said no"}
            if not self.denies:
                code = secrets.token_urlsafe(16)
                self._codes[code] = query["code_challenge"]
                answer = {"code": code}
            where = f"{query['redirect_uri']}?{urlencode(answer | {'state': query['state']})}"
            request.send_response(302)
            request.send_header("Location", where)
            request.send_header("Content-Length", "0")
            request.end_headers()
        else:
            _reply(request, {"error": "not_found"}, 404)

    def _post(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", "0"))).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        if form.get("grant_type") == "authorization_code":
            challenge = self._codes.pop(form.get("code", ""), None)
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            good = challenge is not None and challenge == _b64(digest)
        else:
            good = form.get("refresh_token", "") in self._fresh and not self.revoked
            if not good:
                self._fresh.clear()
        self._fresh.discard(form.get("refresh_token", ""))
        if not good:
            _reply(request, {"error": "invalid_grant"}, 400)
            return
        self.grants.append(form["grant_type"])
        renewing = secrets.token_urlsafe(24)
        self._fresh.add(renewing)
        token = {"token_type": "Bearer", "access_token": "opaque", "refresh_token": renewing}
        _reply(request, token | {"id_token": self._identity(), "expires_in": self.lifetime})

    def _identity(self) -> str:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import padding

        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "ada", "name": "Ada", "email": "ada@example.test"}
        claims |= {"iat": now - 1, "exp": now + self.lifetime, "jti": secrets.token_hex(8)}
        head = {"alg": "RS256", "kid": "1", "typ": "JWT"}
        signed = ".".join(_b64(json.dumps(part).encode()) for part in (head, claims))
        signature = self._key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_b64(signature)}"


def _reply(request: BaseHTTPRequestHandler, body: dict[str, Any], status: int = 200) -> None:
    data = json.dumps(body).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(data)))
    request.end_headers()
    request.wfile.write(data)


class FacelessBrowser:
    """Follows redirects with cookies as a browser does, and fills in a form of name and password.

    ``instead`` maps public origins to where they are served here; an address with the path ``stops_at`` is
    not opened, as where nobody listens.
    """

    def __init__(self, instead: dict[str, str] | None = None, *, stops_at: str = "") -> None:
        self._instead = instead or {}
        self._stops_at = stops_at
        self._cookies: dict[str, dict[str, str]] = {}

    def open(self, address: str, *, username: str = "", password: str = "") -> str:
        """Go there and on; returns the address at which it ends."""
        for _ in range(_HOPS):
            if urlsplit(address).path == self._stops_at:
                return address
            status, where, _ = self._ask("GET", address)
            if status not in (302, 303, 307):
                return address
            address = where if "://" in where else f"{_origin(address)}{where}"
            if password and urlsplit(address).path == "/login":
                form = {"provider": "basic", "username": username, "password": password}
                _, _, body = self._ask("POST", f"{_origin(address)}/auth/password-login", json.dumps(form))
                address = json.loads(body)["next"]
        raise AssertionError(f"it went in circles: {urlsplit(address).path}")

    def _ask(self, method: str, address: str, body: str | None = None) -> tuple[int, str, bytes]:
        parts = urlsplit(address)
        origin = self._instead.get(_origin(address), _origin(address))
        jar = self._cookies.setdefault(origin, {})
        link = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=20)
        try:
            headers = {"Content-Type": "application/json"}
            if jar:
                headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
            link.request(method, f"{parts.path or '/'}?{parts.query}", body, headers)
            answer = link.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or []:
                jar.update({name: morsel.value for name, morsel in SimpleCookie(line).items()})
            return answer.status, answer.headers.get("Location", ""), answer.read()
        finally:
            link.close()


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
