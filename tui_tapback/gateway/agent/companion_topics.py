"""What the offline companion knows: a table of topics, each with its words and its answers in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.words import _, language, mark

from .chat_reading import Chat
from .companion_mood import find_emoji

_LONGEST_STREAM = 2000


@dataclass(frozen=True, slots=True)
class Topic:
    """Answers, of which one is taken, to messages in which ``words`` are found; ``also`` are those of other
    languages, by their code, which count where that is the language of the interface."""

    words: re.Pattern[str]
    answers: tuple[str, ...]
    also: Mapping[str, re.Pattern[str]]

    def fits(self, text: str) -> bool:
        """Whether the message is about this."""
        other = self.also.get(language())
        return self.words.search(text) is not None or (other is not None and other.search(text) is not None)


def answer_to(chat: Chat, seed: int) -> str:
    """The answer to the user's newest message; ``seed`` chooses among several that fit."""
    for special in _SPECIAL:
        answer = special(chat)
        if answer:
            return answer
    for topic in TOPICS:
        if topic.fits(chat.text):
            return _(topic.answers[seed % len(topic.answers)])
    answers = FALLBACK if chat.turns > 1 else FIRST_FALLBACK
    return _(answers[seed % len(answers)])


def _stream(chat: Chat) -> str:
    asked = re.fullmatch(r"\W*stream (\d{1,6})\W*", chat.text, re.IGNORECASE)
    if asked is None:
        return ""
    count = min(int(asked.group(1)), _LONGEST_STREAM)
    numbers = (f"**{number}**\n" if number % 10 == 0 else str(number) for number in range(1, count + 1))
    return " ".join(numbers).strip() or _("That was a short stream: nothing at all.")


def _emoji_names(chat: Chat) -> str:
    found = list(dict.fromkeys(find_emoji(chat.text)))[:5]
    asks = re.search(r"\b(what|which|mean|meaning|name|called|emoji|shortcode)\b", chat.text, re.IGNORECASE)
    alone = not re.search(r"\w", chat.text)
    if not found or not (asks or alone):
        return ""
    catalogue = load_catalogue(language())
    lines: list[str] = []
    for emoji in found:
        entry, name = catalogue.get(emoji), catalogue.name(emoji)
        if entry is not None and entry.shortcodes:
            told = _("{emoji} is *{name}*, short code `:{code}:`.")
            lines.append(told.format(emoji=emoji, name=name, code=entry.shortcodes[0]))
        else:
            lines.append(_("{emoji} is *{name}*.").format(emoji=emoji, name=name))
    return "  \n".join(lines)


_SPECIAL: tuple[Callable[[Chat], str], ...] = (_stream, _emoji_names)

_MARKDOWN = mark("""\
## Markdown, as it looks here

Plain text, *emphasis*, **strong**, ~~struck~~ and `code`.

1. first
2. second
   - inside it
   - with a [link](https://commonmark.org)

> A quotation, over which one may think.

```python
def tapback(message: str) -> str:
    return "❤️" if "thanks" in message else "👍"
```

| emoji | says |
| --- | --- |
| 👍 | agreed |
| ‼️ | look here |""")

_MODEL = mark("""\
I am only the stand-in. To talk with a real model:

* **On this machine:** start Ollama (`ollama serve`, after `ollama pull llama3.2`), LM Studio, llama.cpp or \
vLLM. I look for them on their usual ports, and the next message goes to the model I find.
* **Elsewhere:** set `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` before the gateway starts. \
Any OpenAI-compatible endpoint will do; with a key alone it is OpenAI itself.""")

_KEYS = mark("""\
The keys of the chat on a screen, to begin with:

* `Enter` sends, `Ctrl+J` begins a new line.
* `Ctrl+T` taps back on my last message: then `1` and so on for a quick one, or `+` for all the others.
* `Alt+↑` goes up into the chat, where `j` and `k` move and the digits tap back at once; `i` comes back here.
* `F1` shows all the others, `Ctrl+Q` leaves.

Where lines are typed, `/help` shows all commands; in a shell, `tui-tapback --help` does.""")

_REACTIONS = mark("""\
Each of us may put one emoji on a message of the other; another one replaces it, the same again removes it.

* On the screen `Ctrl+T` and a digit put a quick one on this message; go up with `Alt+↑` and press a digit \
on any other.
* Where you type, `/react heart` and `+:tada:` work too, also in plain lines.
* From a shell: `tui-tapback react heart`.

With your next message I am told what you tapped, and I tap back on yours, as a model would.""")

_HELP = mark("""\
I am a script, but I can show you around. Ask me about

* **keys**, **reactions**, or how to **connect a model**
* what an emoji is called: `what is 🫠`
* `show me markdown`, `stream 100`, or a **joke**""")


def _topic(words: str, german: str, *answers: str) -> Topic:
    return Topic(re.compile(words, re.IGNORECASE), answers, {"de": re.compile(german, re.IGNORECASE)})


TOPICS: tuple[Topic, ...] = (
    _topic(r"\bmarkdown\b", r"\bmarkdown\b", _MARKDOWN),
    _topic(
        r"^\W*(thanks|thank you|thx|cheers)\b",
        r"^\W*(danke|vielen dank|merci)\b",
        mark("You are welcome. Kind words work on scripts too, it seems."),
        mark("Gladly. If it was useful, put a ❤️ on this, and I shall see it."),
        mark("With pleasure!"),
    ),
    _topic(
        r"\b(ollama|lm ?studio|llama\.?cpp|vllm|openai|api key|base url|real model|a model"
        r"|(which|what|your) model|connect|endpoint|llm)\b",
        r"\b(modelle?|verbind\w*|endpunkt|anschließen)\b",
        _MODEL,
    ),
    _topic(
        r"\b(keys?|shortcuts?|keyboard|keybindings?|hotkeys?)\b", r"\b(tasten?\w*|tastatur|kürzel)\b", _KEYS
    ),
    _topic(
        r"\b(joke|make me laugh|something funny)\b",
        r"\b(witze?|etwas lustiges|bring mich zum lachen)\b",
        *(
            mark("Why did the tapback leave the group chat? It could not get a word in."),
            mark("A cursor walks into a bar. It blinks, waits, and blinks again."),
            mark(
                "How many terminals does it take to draw one heart? Half of them say one cell, the "
                "others two."
            ),
            mark(
                "I would tell you a joke about UDP, but I could not know whether you got it. ❤️ it, "
                "and I will."
            ),
        ),
    ),
    _topic(
        r"\b(react\w*|tap ?backs?|unreact|badges?|hearts?)\b",
        r"\b(reagier\w*|reaktion\w*|plaketten?|herz\w*)\b",
        _REACTIONS,
    ),
    _topic(
        r"\b(who|what) (are|r) (you|u)\b"
        r"|\bare you (an? )?(ai|bot|robot|human|real|person|model|script|chatgpt|gpt)\b",
        r"\b(wer|was) bist du\b|\bbist du (eine? )?(ki|bot|roboter|mensch|echt|modell|skript|chatgpt)\b",
        mark(
            "I am the *offline companion*: a small script, no model. I answer a few questions about this "
            "program and tap back through the same tool that a model would use. Say **help** to see what I "
            "know."
        ),
        mark(
            "No mind behind these words: I am the *offline companion*, a script that keeps the seat warm "
            "until a model is connected. Ask me how to **connect a model**."
        ),
    ),
    _topic(
        r"\b(help|what can (you|i) do|how does (this|it) work|commands?)\b|^\W*\?+\W*$",
        r"\b(hilfe|was kannst du|was kann ich|wie geht das|befehle?)\b",
        _HELP,
    ),
    _topic(
        r"^\W*(hi|hello|hey|hiya|howdy|good (morning|evening|afternoon)|moin|servus|yo)\b",
        r"^\W*(hallo|guten (morgen|abend|tag)|grüß \w+|na)\b",
        mark(
            "Hello! I am the *offline companion*, a script and no model. See the 👋 on your message? You "
            "can do that too: put a ❤️ on this one (say **reactions** to hear how). Write again and I will "
            "tell you that I saw it."
        ),
        mark(
            "Hi there. No model is connected, so you have me, the *offline companion*. Say **keys**, "
            "**reactions** or **connect a model**, or put a 👍 on this."
        ),
        mark(
            "Hey! I am a script with good manners, the *offline companion*. The 👋 is mine; put a 😂 on this "
            "if that made you smile, and say **help** for what I know."
        ),
    ),
    _topic(
        r"^\W*(bye|goodbye|good night|see you|see ya|cu)\b",
        r"^\W*(tschüss?|auf wiedersehen|gute nacht|bis (bald|später|dann|morgen)|ciao)\b",
        mark("Bye! All of this will still be here when you come back."),
        mark("See you. Your reactions are kept, and so are mine."),
    ),
    _topic(
        r"\b(lol|rofl|haha\w*|hehe\w*|hilarious|so funny)\b",
        r"\b(so lustig|zum schießen|lach\w*)\b",
        mark("Glad that one worked. There are a few more: say **joke**."),
        mark("😄 I have only four jokes, so laugh slowly."),
    ),
    _topic(
        r"\b(sad|lonely|tired|bad day|i failed|heartbroken)\b",
        r"\b(traurig|einsam|müde|schlechter tag|gescheitert|liebeskummer)\b",
        mark(
            "I am sorry to hear that. I am only a script, so a heart on your message is what I can give; "
            "a friend or a real model will listen better."
        ),
    ),
    _topic(
        r"\b(yay|hooray|hurray|awesome|amazing|congrat\w*|birthday|it works|we won|i passed)\b",
        r"\b(juhu|hurra|großartig|fantastisch|glückwunsch\w*|geburtstag"
        r"|es geht|gewonnen|bestanden|geschafft)\b",
        mark("That calls for a 🎉, so I put one on it."),
        mark("Splendid! Badge awarded."),
    ),
    _topic(
        r"^\W*(ok|okay|fine|alright|sure|good|great|perfect|nice|cool|done|yes|no)\W*$",
        r"^\W*(gut|klar|prima|toll|super|schön|fertig|ja|nein|passt|in ordnung)\W*$",
        mark("Good. What next? **help** lists what I know."),
        mark("Noted, and tapped."),
    ),
)

FIRST_FALLBACK = (
    mark(
        "That is beyond me: I am the *offline companion*, a script, and no model is connected. But your "
        "message is kept, and you can see my tapback on it. Say **help** for what I can show you, or ask "
        "how to **connect a model**."
    ),
    mark(
        "A real model would have something to say to that; I am the *offline companion* and only know this "
        "program. Ask me about **keys**, **reactions**, or how to **connect a model**."
    ),
)

FALLBACK = (
    mark(
        "I cannot answer that without a model. Start Ollama on this machine, or set `OPENAI_BASE_URL`, and "
        "your next message goes there. Say **connect a model** for the details."
    ),
    mark(
        "That needs a model, and I am only a script. I can tell you about **keys**, **reactions**, or how "
        "to **connect a model**."
    ),
    mark("I have no answer to that: there is no model behind me. **help** lists what I do know."),
)
