"""A model that answers as the message tells it to, for gateways that run with the real agent."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from .model_server import Answer, Call, ModelServer, Raw, Received, Refusal, Script, said

MODEL = "directed-model"
CONTEXT = 200_000
_NOTE = "[The user "
_SYSTEM_NOTE = "\n\n[System note"


def directed_model() -> ModelServer:
    """A server on loopback that does what the newest message of the user says; anything else it repeats.

    ``[[say TEXT]]`` answers TEXT, ``[[slow N S]]`` N words S seconds apart, ``[[think TEXT]]`` reasons first,
    ``[[tool NAME JSON]]`` calls a tool once (several in a row call several), ``[[error STATUS]]`` fails.
    """
    entry = {"id": MODEL, "object": "model", "created": 0, "owned_by": "script", "context_length": CONTEXT}
    listing = json.dumps({"object": "list", "data": [entry]}).encode()
    return ModelServer(otherwise=answer_for, models_answer=Raw(listing, "application/json"))


def answer_for(request: Received) -> Script:
    """The answer to one chat request."""
    body = request.json()
    messages: list[dict[str, Any]] = body.get("messages", [])
    offered: list[dict[str, Any]] = body.get("tools") or []
    tools: list[str] = [tool.get("function", {}).get("name", "") for tool in offered]
    place = max((i for i, m in enumerate(messages) if m.get("role") == "user"), default=-1)
    words = spoken(_text(messages[place].get("content"))) if place >= 0 else ""
    script = _side_work(words, tools)
    if script is None:
        done = sum(m.get("role") == "tool" for m in messages[place + 1 :])
        script = _directed(words, tools, done)
    if isinstance(script, Answer) and not body.get("stream"):
        return _whole(script)
    return script


def spoken(text: str) -> str:
    """A user's message without what a gateway puts around it: notes in front, remarks behind."""
    lines = [line for line in text.splitlines() if not line.startswith(_NOTE)]
    return "\n".join(lines).split(_SYSTEM_NOTE, 1)[0].strip()


def _side_work(words: str, tools: Sequence[str]) -> Answer | None:
    """What a gateway asks for beside the chat: a title, a summary."""
    if tools:
        return None
    if words.startswith("You are a summarization agent"):
        return said("Small talk so far; nothing is pending.")
    return Answer([json.dumps({"title": f"About {words[:30]}"})])


def _directed(words: str, tools: Sequence[str], done: int) -> Script:
    if found := re.search(r"\[\[error (\d{3})\]\]", words):
        return Refusal(int(found[1]))
    thought = re.search(r"\[\[think (.*?)\]\]", words)
    reasoning = [thought[1]] if thought else []
    calls = re.findall(r"\[\[tool (\S+) (\{.*?\})\]\]", words)
    if done < len(calls) and calls[done][0] in tools:
        name, arguments = calls[done]
        return Answer(calls=[Call(name, arguments, f"call_{done}_{len(words)}")], reasoning=reasoning)
    if found := re.search(r"\[\[slow (\d+) ([\d.]+)\]\]", words):
        return Answer([f"w{number} " for number in range(int(found[1]))], delay=float(found[2]))
    if found := re.search(r"\[\[say (.*?)\]\]", words, re.DOTALL):
        return said(found[1], reasoning=reasoning)
    return said(f"echo: {words[:200]}", reasoning=reasoning)


def _whole(answer: Answer) -> Raw:
    message = {"role": "assistant", "content": "".join(answer.text)}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    body = {"id": "c", "object": "chat.completion", "created": 0, "model": MODEL, "usage": usage}
    return Raw(json.dumps(body | {"choices": [choice]}).encode(), "application/json")


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return json.dumps(content) if content is not None else ""
