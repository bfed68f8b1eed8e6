"""A connection that is changed while its chat is open is used at the next attempt."""

from __future__ import annotations

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from tui_tapback.cli.gateways import SavedConnector
from tui_tapback.client.login import InMemory
from tui_tapback.config.connections import ConnectionSettings
from tui_tapback.domain.errors import GatewayRefused, GatewayUnreachable, SettingsError

NOBODY = "ws://127.0.0.1:1/api/ws"


async def test_what_is_changed_counts_from_the_next_attempt() -> None:
    asked: list[str] = []

    def look(connection: ServerConnection, request: Request) -> Response | None:
        _path, given, token = request.path.partition("token=")
        if not given:
            return connection.respond(404, "")  # the question whether there is a login
        asked.append(token)
        return None if token == "right" else connection.respond(403, "")

    async def stay(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with serve(stay, "127.0.0.1", 0, process_request=look) as server:
        port = server.sockets[0].getsockname()[1]
        kept = {"work": ConnectionSettings(url=NOBODY, token_env="WRONG")}
        environ = {"WRONG": "wrong", "RIGHT": "right"}
        connect = SavedConnector("work", lambda: kept, environ, InMemory())
        with pytest.raises(GatewayUnreachable):
            await connect()
        kept["work"] = ConnectionSettings(url=f"ws://127.0.0.1:{port}", token_env="WRONG")
        with pytest.raises(GatewayRefused):
            await connect()
        kept["work"] = ConnectionSettings(url=f"ws://127.0.0.1:{port}", token_env="LACKING")
        with pytest.raises(SettingsError, match="LACKING"):
            await connect()
        kept["work"] = ConnectionSettings(url=f"ws://127.0.0.1:{port}", token_env="RIGHT")
        await (await connect()).close()
        assert asked == ["wrong", "right"]

        kept["work"] = ConnectionSettings(url=NOBODY, token_env="RIGHT")
        await (await connect()).close()  # the chat is one of that gateway
        kept.clear()
        await (await connect()).close()


def test_a_name_that_there_is_not_is_refused_at_once() -> None:
    with pytest.raises(SettingsError, match="no connection called"):
        SavedConnector("work", dict, {}, InMemory())
