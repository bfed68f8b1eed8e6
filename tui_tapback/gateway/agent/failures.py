"""Puts what went wrong with a model's server into words: which error, what happened, what to do."""

from __future__ import annotations

import re

from tui_tapback.domain.errors import (
    ModelError,
    ModelFailed,
    ModelGarbled,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from tui_tapback.domain.text import clean_line

from .endpoint import Endpoint

_QUOTE_LIMIT = 200
_SCANNED = 5_000
_ADDRESS_HINT = "Check OPENAI_BASE_URL (or base_url in the settings); it usually ends in /v1."
_KEY_HINT = "Check OPENAI_API_KEY (or the key in the settings)."
_MODEL_HINT = "Choose another model with OPENAI_MODEL (or model in the settings)."
_AGAIN = "Send the message again in a moment."
# A server may quote the key it was given, whole or with stars in its middle.
_KEYLIKE = re.compile(
    r"\b(?:sk|pk|gsk|xai|key)[-_][\w*.-]{6,}|[\w-]*\*{3,}[\w-]*|Bearer\s+\S+", re.IGNORECASE
)


class Failures:
    """Makes the errors of one endpoint; its key never stands in any of them."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._where = f"The model server at {endpoint.shown}"

    def refused(self, status: int, message: str, code: str, model: str) -> ModelError:
        """The error for an HTTP status that is no success; ``message`` and ``code`` are the server's."""
        said = self.quoted(message)
        low = f"{message[:_SCANNED]} {code}".lower()
        name = clean_line(model, 80)
        match status:
            case 401 if self._endpoint.key:
                return ModelRefused(f"{self._where} refused the API key.", hint=_KEY_HINT)
            case 401:
                return ModelRefused(f"{self._where} wants an API key, and there is none.", hint=_KEY_HINT)
            case 403:
                return ModelRefused(f"{self._where} does not permit this{said}.", hint=_KEY_HINT)
            case 404 if "model" in low:
                return ModelRefused(f"{self._where} does not know the model “{name}”.", hint=_MODEL_HINT)
            case 404:
                return ModelRefused(
                    f"There is no chat endpoint at {self._endpoint.shown}.", hint=_ADDRESS_HINT
                )
            case 402 | 429 if status == 402 or "quota" in low or "billing" in low or "credit" in low:
                hint = "Look at the account of the key, or choose another endpoint."
                return ModelRefused(f"The quota of the API key is used up{said}.", hint=hint)
            case 429:
                hint = "Wait a little, then send the message again."
                return ModelRefused(f"{self._where} takes no more requests for now{said}.", hint=hint)
            case _ if status >= 500:
                return ModelFailed(f"{self._where} failed (status {status}){said}.", hint=_AGAIN)
            case _ if status < 400:
                return ModelGarbled(f"{self._where} sent status {status}, not an answer.", hint=_ADDRESS_HINT)
            case _ if "tool" in low and ("support" in low or "not allowed" in low or "enable" in low):
                hint = "Choose a model that can call tools: tapbacks are given through one."
                return ModelRefused(f"The model “{name}” cannot call tools{said}.", hint=hint)
            case _ if "context" in low and ("length" in low or "window" in low or "size" in low):
                hint = "Begin a new session, or choose a model with a larger context."
                return ModelRefused(f"The conversation is too long for the model “{name}”{said}.", hint=hint)
            case _:
                return ModelRefused(
                    f"{self._where} refused the request (status {status}){said}.", hint=_MODEL_HINT
                )

    def unreachable(self) -> ModelError:
        """Nothing listens there."""
        return ModelUnreachable(
            f"No model server answers at {self._endpoint.shown}.",
            hint="Start it, or check OPENAI_BASE_URL (or base_url in the settings).",
        )

    def untrusted(self) -> ModelError:
        """The TLS handshake failed."""
        return ModelUnreachable(
            f"There is no secure connection to {self._endpoint.shown}: its certificate cannot be verified.",
            hint="Check the address, and the clock of this machine.",
        )

    def unsendable_key(self) -> ModelError:
        """The key holds characters that cannot stand in a header."""
        return ModelRefused(
            "The API key holds blanks or characters that no key has, so nothing was sent.", hint=_KEY_HINT
        )

    def silent(self, seconds: float, *, begun: bool) -> ModelError:
        """No byte for too long, before or after the answer began."""
        what = "stopped in the middle of its answer and kept" if begun else "kept"
        return ModelTimeout(f"{self._where} {what} silent for {seconds:g} seconds.", hint=_AGAIN)

    def dropped(self, *, begun: bool) -> ModelError:
        """The connection broke."""
        what = (
            "broke the connection in the middle of its answer"
            if begun
            else "closed the connection unanswered"
        )
        return ModelGarbled(f"{self._where} {what}.", hint=_AGAIN)

    def unfinished(self) -> ModelError:
        """The stream ended in good order and too early."""
        return ModelGarbled(f"{self._where} ended its answer in the middle.", hint=_AGAIN)

    def no_answer(self, content_type: str) -> ModelError:
        """A success that holds nothing of an answer."""
        kind = clean_line(content_type.partition(";")[0], 60) or "nothing"
        return ModelGarbled(
            f"What answers at {self._endpoint.shown} sent no answer of a model ({kind}).", hint=_ADDRESS_HINT
        )

    def unreadable(self, detail: str = "") -> ModelError:
        """Something that is not JSON, or JSON of another shape."""
        more = f" ({clean_line(detail, 100)})" if detail else ""
        return ModelGarbled(f"{self._where} sent something that cannot be read{more}.", hint=_ADDRESS_HINT)

    def broken_off(self, message: str) -> ModelError:
        """An error object in the stream."""
        return ModelFailed(f"{self._where} broke off with an error{self.quoted(message)}.", hint=_AGAIN)

    def cut_short(self, reason: str) -> ModelError:
        """A finish reason that means the answer is not whole."""
        if reason == "length":
            return ModelGarbled(
                "The answer reached the model's limit of length and ends in the middle.",
                hint="Ask the model to go on.",
            )
        return ModelRefused("The model's server withheld the rest of the answer by its content filter.")

    def no_models(self) -> ModelError:
        """An endpoint that offers nothing to talk to."""
        hint = "Load one there (with Ollama: ollama pull llama3.2), or name one with OPENAI_MODEL."
        return ModelRefused(f"{self._where} offers no model for chat.", hint=hint)

    def quoted(self, message: str) -> str:
        """``: “what the server said”`` on one clean line without anything like a key, or nothing."""
        text = message[:_SCANNED]
        key = self._endpoint.key.reveal()
        if key:
            text = text.replace(key, "…")
        if "<html" in text[:400].lower() or "<!doctype" in text[:400].lower():
            return ""
        line = clean_line(_KEYLIKE.sub("…", text), _QUOTE_LIMIT).rstrip(". ")
        return f": “{line}”" if line else ""
