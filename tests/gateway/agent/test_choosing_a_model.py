"""Which model answers: settings and environment, servers on loopback, the companion, and changes later on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tui_tapback.config.secret import Secret
from tui_tapback.config.settings import ModelSettings
from tui_tapback.domain.errors import ModelRefused, ModelUnreachable, SettingsError
from tui_tapback.gateway.agent.companion import COMPANION_NAME, Companion
from tui_tapback.gateway.agent.discovery import LOCAL_SERVERS, LocalServer, find_local_endpoint
from tui_tapback.gateway.agent.endpoint import (
    DEFAULT_OPENAI_MODEL,
    OPENAI_URL,
    Endpoint,
    wanted_endpoint,
    wants_companion,
)
from tui_tapback.gateway.agent.model_names import chat_model
from tui_tapback.gateway.agent.openai_provider import OpenAIProvider, Patience
from tui_tapback.gateway.agent.prompt import SYSTEM_PROMPT
from tui_tapback.gateway.agent.switching import SwitchingAgent, agent_factory, choice
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA, SendMessageTool
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.testing.agent import MemoryConversation, RecordingTurn
from tui_tapback.testing.model_server import HangUp, ModelServer, Raw, Refusal, Script, Silence, said

# --- settings and environment ---------------------------------------------------------------------

THERE = "http://there/v1"
HERE = "http://here/v1"


@pytest.mark.parametrize(
    ("settings", "environ", "endpoint"),
    [
        ({}, {}, None),
        ({"model": "m"}, {"OPENAI_MODEL": "x"}, None),
        ({}, {"OPENAI_BASE_URL": " "}, None),
        ({}, {"OPENAI_API_KEY": "k"}, (OPENAI_URL, "k", DEFAULT_OPENAI_MODEL)),
        ({"model": "m"}, {"OPENAI_API_KEY": "k"}, (OPENAI_URL, "k", "m")),
        ({"api_key": Secret("s")}, {}, (OPENAI_URL, "s", DEFAULT_OPENAI_MODEL)),
        ({}, {"OPENAI_BASE_URL": HERE}, (HERE, "", "")),
        (
            {"model": "m"},
            {"OPENAI_BASE_URL": HERE, "OPENAI_API_KEY": "k", "OPENAI_MODEL": "x"},
            (HERE, "k", "x"),
        ),
        ({"base_url": THERE, "api_key": Secret("s"), "model": "m"}, {}, (THERE, "s", "m")),
        ({"base_url": THERE}, {"OPENAI_MODEL": "x"}, (THERE, "", "x")),
        # A key goes only to the address it came with.
        ({"base_url": THERE}, {"OPENAI_API_KEY": "k"}, (THERE, "", "")),
        ({"base_url": THERE, "api_key": Secret("s")}, {"OPENAI_API_KEY": "k"}, (THERE, "s", "")),
        ({"base_url": THERE, "api_key": Secret("s")}, {"OPENAI_BASE_URL": HERE}, (HERE, "", "")),
        ({"base_url": HERE, "api_key": Secret("s")}, {"OPENAI_BASE_URL": HERE}, (HERE, "s", "")),
        ({"api_key": Secret("s")}, {"OPENAI_BASE_URL": HERE}, (HERE, "s", "")),
        ({"base_url": THERE, "api_key_env": "MINE"}, {"MINE": "e"}, (THERE, "e", "")),
    ],
)
def test_the_endpoint_that_is_asked_for(
    settings: dict[str, Any], environ: dict[str, str], endpoint: tuple[str, str, str] | None
) -> None:
    wanted = wanted_endpoint(ModelSettings(**settings), environ)
    assert wanted == (None if endpoint is None else Endpoint(endpoint[0], Secret(endpoint[1]), endpoint[2]))


def test_a_key_that_the_settings_name_and_nobody_gives_is_told_at_once() -> None:
    with pytest.raises(SettingsError, match="MINE"):
        agent_factory(ModelSettings(api_key_env="MINE"), {}, Directory())


def test_the_companion_can_be_asked_for_by_name() -> None:
    environ = {"OPENAI_BASE_URL": HERE, "OPENAI_API_KEY": "k", "OPENAI_MODEL": "Companion"}
    assert wants_companion(ModelSettings(), environ)
    assert choice(ModelSettings(), environ) == (None, None)
    assert choice(ModelSettings(model="companion"), {}) == (None, None)
    assert choice(ModelSettings(discover=False), {}) == (None, None)
    assert choice(ModelSettings(), {})[1] is not None


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://localhost:1", True),
        ("http://127.8.0.1/v1", True),
        ("http://[::1]:8080", True),
        ("http://api.localhost", True),
        ("https://localhost", False),
        ("http://10.0.0.1", False),
        ("http://localhost.example", False),
    ],
)
def test_what_is_on_this_machine_in_plain_http(url: str, loopback: bool) -> None:
    assert Endpoint(url).plain_loopback is loopback


@pytest.mark.parametrize(
    ("names", "wanted", "model"),
    [
        ([], "", ""),
        (["nomic-embed-text:latest", "qwen3"], "", "qwen3"),
        (["bge-m3", "whisper-1", "tts-1"], "", ""),
        (["a", "llama3.2:latest"], "llama3.2", "llama3.2:latest"),
        (["a", "b"], "c", ""),
        ([" ", ""], "", ""),
        (["half \ud800", "a\x1b[2J", "b"], "", "b"),
    ],
)
def test_the_model_among_those_that_are_offered(names: list[str], wanted: str, model: str) -> None:
    assert chat_model(names, wanted) == model


def test_a_name_from_an_environment_that_is_no_text_can_be_shown() -> None:
    named = OpenAIProvider(Endpoint("http://127.0.0.1:1/v1", model="m\udcff\x1b]0;x\x07"))
    assert named.model.isprintable()
    assert named.model.encode()


# --- looking on loopback --------------------------------------------------------------------------


@asynccontextmanager
async def closed_port() -> AsyncGenerator[int, None]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def local(*servers: ModelServer | int) -> list[LocalServer]:
    ports = [server if isinstance(server, int) else server.port for server in servers]
    return [LocalServer(f"server {number}", port) for number, port in enumerate(ports)]


def test_the_usual_servers_on_their_usual_ports() -> None:
    assert {server.name: server.port for server in LOCAL_SERVERS} == {
        "Ollama": 11434,
        "LM Studio": 1234,
        "llama.cpp": 8080,
        "vLLM": 8000,
    }


async def test_the_first_server_with_a_model_is_taken() -> None:
    async with closed_port() as nobody:
        with ModelServer(models=[]) as empty, ModelServer(models=["b"]) as second, ModelServer() as third:
            servers = local(nobody, empty, second, third)
            assert await find_local_endpoint(servers) == Endpoint(second.base_url, model="b")
            assert await find_local_endpoint(servers, wanted="scripted-model") == Endpoint(
                third.base_url, model="scripted-model"
            )
            assert await find_local_endpoint(servers, wanted="unknown") is None
            assert third.requests[0].path == "/v1/models"
            assert "authorization" not in third.requests[0].headers


@pytest.mark.parametrize(
    "answer",
    [
        Raw(b"<html>a web site in the making</html>", "text/html"),
        Raw(b'{"data": {"a": 1}}', "application/json"),
        Raw(b'{"data": [1]}', "application/json"),
        Raw(b"\xff\xfe", "application/json"),
        Raw(b"x" * 3_000_000, "text/plain"),
        Refusal(500),
        Refusal(401, body=b'{"data": [{"id": "behind-a-key"}]}'),
        HangUp(),
        Silence(),
    ],
)
async def test_whatever_else_listens_there_is_passed_over(answer: Script) -> None:
    with ModelServer(models_answer=answer) as other:
        assert await find_local_endpoint(local(other), patience=0.3) is None


async def test_a_silent_port_does_not_keep_the_others_waiting() -> None:
    with ModelServer(models_answer=Silence()) as silent, ModelServer() as good:
        found = await asyncio.wait_for(find_local_endpoint(local(silent, good), patience=1.0), 10)
        assert found == Endpoint(good.base_url, model="scripted-model")


# --- changing over --------------------------------------------------------------------------------


class ManualClock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class ScriptedSearch:
    """What is found on this machine, look by look."""

    def __init__(self, found: Endpoint | None = None) -> None:
        self.found = found
        self.looks = 0

    async def __call__(self) -> Endpoint | None:
        self.looks += 1
        return self.found


async def no_wait(_seconds: float) -> None:
    """A pause, passed at once."""


def connect(endpoint: Endpoint) -> OpenAIProvider:
    return OpenAIProvider(endpoint, patience=Patience(connect=10, silence=30, pauses=()), sleep=no_wait)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@asynccontextmanager
async def switching(
    tool: SendMessageTool, clock: ManualClock, search: ScriptedSearch | None, fixed: Endpoint | None = None
) -> AsyncGenerator[SwitchingAgent, None]:
    agent = SwitchingAgent(
        tool, Companion(sleep=no_wait), connect, fixed=fixed, find=search, clock=clock, recheck=15.0
    )
    try:
        yield agent
    finally:
        await agent.close()


async def answers(agent: SwitchingAgent, text: str = "hello") -> str:
    turn = RecordingTurn((text,))
    await agent.run(turn)
    assert turn.requests[0].tools == TOOL_SCHEMA
    return turn.all_text


async def test_a_server_that_is_started_later_takes_over_at_the_next_look(
    tool: SendMessageTool, clock: ManualClock
) -> None:
    search = ScriptedSearch()
    with ModelServer(said("I am the model.")) as server:
        async with switching(tool, clock, search) as agent:
            prompt = (agent.system_prompt(), agent.tools())
            await agent.look()
            assert (agent.model, agent.is_companion) == (COMPANION_NAME, True)
            search.found = Endpoint(server.base_url, model="scripted-model")
            clock.now += 14.9
            assert "companion" in await answers(agent)
            assert search.looks == 1
            clock.now += 0.2
            assert await answers(agent) == "I am the model."
            assert (agent.model, agent.is_companion, search.looks) == ("scripted-model", False, 2)
            assert (agent.system_prompt(), agent.tools()) == prompt == (SYSTEM_PROMPT, TOOL_SCHEMA)
            clock.now += 1000
            await answers(agent)
            assert search.looks == 2  # a known server is not looked for


async def test_a_found_server_that_goes_away_fails_the_turn_and_is_looked_for_again_at_once(
    tool: SendMessageTool, clock: ManualClock
) -> None:
    async with closed_port() as port:
        search = ScriptedSearch(Endpoint(f"http://127.0.0.1:{port}/v1", model="m"))
        async with switching(tool, clock, search) as agent:
            with pytest.raises(ModelUnreachable):
                await answers(agent)
            search.found = None
            assert "companion" in await answers(agent)
            assert (agent.model, search.looks) == (COMPANION_NAME, 2)


async def test_a_model_that_was_removed_is_looked_for_again(
    tool: SendMessageTool, clock: ManualClock
) -> None:
    with ModelServer(Refusal(404, "model not found"), said("Here.")) as server:
        search = ScriptedSearch(Endpoint(server.base_url, model="gone"))
        async with switching(tool, clock, search) as agent:
            with pytest.raises(ModelRefused):
                await answers(agent)
            search.found = Endpoint(server.base_url, model="other")
            assert await answers(agent) == "Here."
        assert [chat.json()["model"] for chat in server.chats] == ["gone", "other"]


async def test_an_endpoint_that_was_set_never_gives_way_to_the_companion(
    tool: SendMessageTool, clock: ManualClock, conversation: MemoryConversation
) -> None:
    search = ScriptedSearch()
    async with closed_port() as port:
        fixed = Endpoint(f"http://127.0.0.1:{port}/v1", model="m")
        async with switching(tool, clock, search, fixed) as agent:
            for _ in range(2):
                with pytest.raises(ModelUnreachable, match="No model server answers"):
                    await answers(agent)
                clock.now += 1000
            assert (agent.model, search.looks, conversation.changes) == ("m", 0, 0)


async def test_many_turns_at_once_look_once(tool: SendMessageTool, clock: ManualClock) -> None:
    search = ScriptedSearch()
    async with switching(tool, clock, search) as agent:
        await asyncio.gather(*(answers(agent) for _ in range(5)))
        assert search.looks == 1


async def test_settings_that_change_take_effect_with_the_next_turn(
    tool: SendMessageTool, clock: ManualClock
) -> None:
    with ModelServer(said("one"), said("two")) as server:
        async with switching(tool, clock, None) as agent:
            assert "companion" in await answers(agent)
            agent.use(Endpoint(server.base_url, model="m"), None)
            assert (await answers(agent), agent.model) == ("one", "m")
            agent.use(None, ScriptedSearch(Endpoint(server.base_url, model="n")))
            assert (await answers(agent), agent.model) == ("two", "n")
            agent.use(None, None)
            assert "companion" in await answers(agent)


async def test_the_factory_makes_an_agent_around_a_conversation(conversation: MemoryConversation) -> None:
    with ModelServer(said("Hello from the model.")) as server:
        environ = {"OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "m"}
        agent = agent_factory(ModelSettings(), environ, Directory())(conversation)
        assert await answers(agent) == "Hello from the model."
        await agent.close()
    companion = agent_factory(
        ModelSettings(), {"OPENAI_MODEL": "companion"}, Directory(), companion=Companion(sleep=no_wait)
    )(conversation)
    assert "companion" in await answers(companion)
    assert conversation.emoji_on(1) == ["👋"]
    await companion.close()
