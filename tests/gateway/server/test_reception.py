"""Whatever comes in at the door is an answer at once, or a frame; never an exception."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.gateway.server.reception import receive
from tui_tapback.wire.frames import Frame

_MEMBERS = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "code", "message", ""])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | _MEMBERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_MEMBERS, inner, max_size=5),
    max_leaves=12,
)
_DOCUMENTS = _JSON.map(json.dumps)
_BROKEN = st.tuples(_DOCUMENTS, st.integers(0, 40)).map(lambda pair: pair[0][: pair[1]])
_TEXTS = st.text() | st.text(st.characters()) | _DOCUMENTS | _BROKEN  # the second: lone surrogates too


@given(_TEXTS)
def test_every_text_is_answered_or_understood(text: str) -> None:
    received = receive(text)
    if isinstance(received, Frame):
        assert received.method is not None or received.is_response
        assert received.method != "gateway.ping"
        return
    answer = json.loads(received)
    assert ("result" in answer) != ("error" in answer)
    if "error" in answer:
        assert answer["error"]["code"] in (-32700, -32600)
        assert answer["error"]["message"].isprintable()
    else:
        assert answer["result"] == {"ok": True}
