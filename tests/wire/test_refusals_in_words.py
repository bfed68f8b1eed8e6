"""A refusal is told in the person's language by its code; in English the gateway's own words are best."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tui_tapback.domain.errors import RpcError
from tui_tapback.wire.errors import Code, words_of
from tui_tapback.wire.methods import NoParams
from tui_tapback.wire.peer import Peer, Refused
from tui_tapback.words import use


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use("en")


def refused(code: int) -> RpcError:
    peer = Peer()
    number, _text = peer.call("gateway.ping", NoParams())
    fault = {"code": int(code), "message": "Said by the gateway."}
    heard = peer.receive(json.dumps({"jsonrpc": "2.0", "id": number, "error": fault}))
    assert isinstance(heard, Refused)
    assert isinstance(heard.error, RpcError)
    return heard.error


def test_english_hears_what_the_gateway_said() -> None:
    assert words_of(Code.BUSY) == ""
    error = refused(Code.BUSY)
    assert error.sentence() == str(error) == "Said by the gateway."


def test_another_language_hears_what_the_code_means() -> None:
    use("de")
    error = refused(Code.BUSY)
    assert error.sentence() == "Der Agent antwortet gerade."
    assert str(error) == "Said by the gateway."  # what is compared and logged stays as it came


@pytest.mark.parametrize("code", [Code.BAD_VALUE, Code.INTERNAL, 4999])
def test_a_code_that_says_little_leaves_the_gateways_words(code: int) -> None:
    use("de")
    assert refused(code).sentence() == "Said by the gateway."


def test_a_language_without_translations_leaves_them_as_well() -> None:
    use("sv")
    assert words_of(Code.BUSY) == ""
