"""Settings of the gateways that a person names."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class ConnectionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """``[connections.NAME]``: another gateway, for ``--connect NAME`` and the list of F2."""

    url: Annotated[str, Meta(description="Its address, such as ws://127.0.0.1:9119/api/ws.")] = ""
    token_env: Annotated[str, Meta(description="Environment variable that holds its token.")] = ""
    token_file: Annotated[str, Meta(description="File (mode 0600) with its token on the first line.")] = ""
    username: Annotated[str, Meta(description="Name for a Hermes gateway that wants a login.")] = ""
    password_env: Annotated[str, Meta(description="Environment variable that holds the password.")] = ""
    password_file: Annotated[str, Meta(description="File (mode 0600) with the password on it.")] = ""
