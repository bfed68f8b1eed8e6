"""The turn loop over scripted providers: order of events, tool rounds, the bound, cancellation, repairs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence

import pytest

from tui_tapback.domain.errors import ModelGarbled, ModelTimeout
from tui_tapback.gateway.agent.calls import MAX_CALL_CHARS, MAX_CALLS, CallAssembler, sendable
from tui_tapback.gateway.agent.loop import CALLS_AT_ONCE, TurnLoop
from tui_tapback.gateway.agent.prompt import SYSTEM_PROMPT
from tui_tapback.gateway.agent.provider import CallPiece, Piece, ReasoningPiece, TextPiece
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA, SendMessageTool
from tui_tapback.gateway.service.ports import ModelRequest, ToolCall
from tui_tapback.testing.agent import MemoryConversation, RecordingTurn

THUMB = CallPiece(0, "c1", "send_message", '{"action": "react", "emoji": "👍"}')


class ScriptedProvider:
    """Streams one list of pieces a request; the last list again when they are used up. Errors are raised."""

    def __init__(self, *answers: Sequence[Piece | BaseException]) -> None:
        self._answers = list(answers)
        self.closed_streams = 0
        self.closed = False

    @property
    def model(self) -> str:
        return "scripted"

    async def close(self) -> None:
        self.closed = True

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        try:
            for piece in answer:
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            self.closed_streams += 1


def agent(tool: SendMessageTool, *answers: Sequence[Piece | BaseException], rounds: int = 16) -> TurnLoop:
    return TurnLoop(ScriptedProvider(*answers), tool, max_rounds=rounds)


async def test_text_and_reasoning_are_passed_on_as_they_come(tool: SendMessageTool) -> None:
    turn = RecordingTurn()
    await agent(tool, [ReasoningPiece("hm"), TextPiece("a\x1b["), TextPiece(" b")]).run(turn)
    assert (turn.pieces, turn.thoughts, turn.answers) == (["a\x1b[", " b"], ["hm"], ["a\x1b[ b"])


async def test_a_call_is_stored_carried_out_and_answered_before_the_next_request(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    turn = RecordingTurn()
    await agent(tool, [TextPiece("one moment"), THUMB], [TextPiece("done")]).run(turn)
    assert turn.answers == ["one moment", "done"]
    assert conversation.emoji_on(1) == ["👍"]
    roles = [json.loads(message)["role"] for message in turn.requests[1].messages]
    assert roles == ["system", "user", "assistant", "tool"]
    assert turn.results[0][0] == "c1"


async def test_each_request_begins_with_the_one_before_and_the_tools_stay_the_same(
    tool: SendMessageTool,
) -> None:
    turn = RecordingTurn()
    await agent(tool, [THUMB], [THUMB], [TextPiece("done")]).run(turn)
    first, second, third = (request.messages for request in turn.requests)
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    assert {request.tools for request in turn.requests} == {TOOL_SCHEMA}


def test_nothing_in_the_prompt_changes_with_time() -> None:
    # case B036
    assert not any(digit in SYSTEM_PROMPT for digit in "0123456789")  # no dates, no times, no counters


async def test_a_reaction_lands_on_the_users_message_while_interim_text_is_streamed(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    conversation.rows = [3, 5]
    laugh = CallPiece(0, "c1", "send_message", '{"action":"react","emoji":"😂"}')
    await agent(tool, [TextPiece("interim"), laugh], [TextPiece("rest")]).run(RecordingTurn())
    assert conversation.emoji_on(5) == ["😂"]
    assert list(conversation.reactions) == [5]


async def test_a_tapback_alone_is_a_whole_answer(tool: SendMessageTool) -> None:
    turn = RecordingTurn()
    await agent(tool, [THUMB], [TextPiece("\n")]).run(turn)
    assert turn.answers == [""]  # the row with the call; no empty bubble after it


@pytest.mark.parametrize("pieces", [[], [TextPiece(" \n")], [ReasoningPiece("hm")]])
async def test_an_empty_answer_is_an_error_with_a_sentence(
    tool: SendMessageTool, pieces: list[Piece]
) -> None:
    with pytest.raises(ModelGarbled, match="The model scripted gave an empty answer"):
        await agent(tool, pieces).run(RecordingTurn())


async def test_a_model_that_never_stops_calling_is_stopped_with_its_history_in_order(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    turn = RecordingTurn()
    bubble = CallPiece(0, "", "send_message", '{"action":"send","text":"again"}')
    with pytest.raises(ModelGarbled, match="stopped after 4 rounds"):
        await agent(tool, [bubble], rounds=4).run(turn)
    assert len(turn.requests) == 4
    assert len(conversation.said) == 3
    assert [outcome["success"] for outcome in turn.outcomes] == [True, True, True, False]
    assert "too often" in turn.outcomes[-1]["error"]
    assert [call.call_id for call in turn.calls] == [call_id for call_id, _ in turn.results]
    assert len({call.call_id for call in turn.calls}) == 4


async def test_an_error_passes_and_closes_the_stream(tool: SendMessageTool) -> None:
    provider = ScriptedProvider([TextPiece("half"), ModelTimeout("It kept silent.")])
    turn = RecordingTurn()
    with pytest.raises(ModelTimeout):
        await TurnLoop(provider, tool).run(turn)
    assert (turn.pieces, turn.answers, provider.closed_streams) == (["half"], [], 1)


async def test_cancelling_passes_and_closes_the_stream(tool: SendMessageTool) -> None:
    started = asyncio.Event()

    class Waiting(RecordingTurn):
        async def text(self, delta: str) -> None:
            await super().text(delta)
            started.set()
            await asyncio.Event().wait()

    provider = ScriptedProvider([TextPiece("half"), TextPiece("rest")])
    turn = Waiting()
    task = asyncio.create_task(TurnLoop(provider, tool).run(turn))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (turn.pieces, turn.answers, provider.closed_streams) == (["half"], [], 1)


@pytest.mark.parametrize("arguments", ["{", "[1]", "NaN", '{"a": NaN}', "\x00", "[" * 100_000])
async def test_garbled_arguments_fail_the_call_and_leave_a_history_that_can_be_sent(
    tool: SendMessageTool, arguments: str
) -> None:
    turn = RecordingTurn()
    garbled = CallPiece(0, "c1", "send_message", arguments)
    await agent(tool, [garbled], [TextPiece("sorry")]).run(turn)
    assert turn.outcomes[0]["success"] is False
    assert json.loads(turn.calls[0].arguments) == {"unreadable_arguments": arguments}
    assert turn.answers[-1] == "sorry"


def assemble(*pieces: CallPiece) -> list[tuple[str, str, str]]:
    assembler = CallAssembler()
    for piece in pieces:
        assembler.add(piece)
    return [(call.call_id, call.name, call.arguments) for call in assembler.finish("f")]


def test_fragments_are_put_together_by_index_also_when_they_are_mixed() -> None:
    assert assemble(
        CallPiece(0, "a", "one"),
        CallPiece(1, "b", "two", '{"x'),
        CallPiece(0, arguments="{"),
        CallPiece(1, arguments='":1}'),
        CallPiece(0, arguments="}"),
    ) == [("a", "one", "{}"), ("b", "two", '{"x":1}')]


def test_servers_that_count_wrongly_or_not_at_all_are_understood() -> None:
    both = [("a", "one", "{}"), ("b", "two", "{}")]
    assert assemble(CallPiece(0, "a", "one", "{}"), CallPiece(0, "b", "two", "{}")) == both
    uncounted = assemble(
        CallPiece(None, "a", "one", "{"), CallPiece(None, "", "", "}"), CallPiece(None, "b", "two", "{}")
    )
    assert uncounted == both
    assert assemble(CallPiece(None, "", "one", "{}"), CallPiece(None, "", "two", "{}")) == [
        ("f_0", "one", "{}"),
        ("f_1", "two", "{}"),
    ]


def test_a_name_may_be_repeated_and_ids_may_be_missing_or_the_same() -> None:
    assert assemble(CallPiece(0, "", "one", "{"), CallPiece(0, "", "one", "}")) == [("f_0", "one", "{}")]
    assert assemble(CallPiece(0, "a", "one"), CallPiece(1, "a", "two")) == [
        ("a", "one", ""),
        ("f_1", "two", ""),
    ]


def test_surrogates_are_joined_across_fragments_and_lone_ones_replaced() -> None:
    ((_, _, arguments),) = assemble(
        CallPiece(0, "a", "one", '{"e": "\ud83d'), CallPiece(0, arguments='\udc4d \udc4d"}')
    )
    assert arguments == '{"e": "👍 \ufffd"}'


def test_sound_calls_stay_byte_for_byte_and_names_become_sendable() -> None:
    sound = ToolCall("a", "send_message", '{ "emoji" : "\\ud83d\\udc4d" }')
    assert sendable([sound]) == (sound,)
    assert [call.name for call in sendable([ToolCall("a", "rm -rf/☠", "{}"), ToolCall("b", "", "")])] == [
        "rm_-rf__",
        "nameless_tool",
    ]
    assert sendable([ToolCall("b", "x", "")])[0].arguments == "{}"


async def test_many_calls_at_once_are_made_up_to_a_measure_and_the_model_reads_which(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    turn = RecordingTurn()
    reacts = [
        CallPiece(n, f"c{n}", "send_message", f'{{"action":"react","emoji":"{"👍❤"[n % 2]}"}}')
        for n in range(50)
    ]
    await agent(tool, reacts, [TextPiece("done")]).run(turn)
    assert [outcome["success"] for outcome in turn.outcomes] == [True] * CALLS_AT_ONCE + [False] * 34
    assert "Only 16 calls" in turn.outcomes[-1]["error"]
    assert conversation.changes == CALLS_AT_ONCE
    assert [call.call_id for call in turn.calls] == [call_id for call_id, _ in turn.results]


def crumbs(count: int, size: int) -> list[CallPiece]:
    return [CallPiece(0, "c", "send_message", ""), *([CallPiece(0, arguments="x" * size)] * count)]


@pytest.mark.parametrize(
    "pieces",
    [
        crumbs(MAX_CALL_CHARS // 4, 4),
        crumbs(1, MAX_CALL_CHARS),
        [CallPiece(n, f"c{n}", "send_message", "{}") for n in range(MAX_CALLS + 1)],
        [CallPiece(0, "c", name) for name in ("x" * 300_000, "y" * 300_000)],
    ],
)
async def test_calls_that_grow_beyond_all_measure_are_stopped(
    tool: SendMessageTool, pieces: list[CallPiece]
) -> None:
    turn = RecordingTurn()
    with pytest.raises(ModelGarbled, match="were stopped"):
        await agent(tool, [*pieces], [TextPiece("done")]).run(turn)
    assert turn.calls == []
