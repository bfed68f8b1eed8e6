"""Tables for terminals that cannot draw an emoji: which Unicode brought it, and what may stand for it."""

from __future__ import annotations

import re
from typing import Final

# Wide emoji by the Unicode version that brought them (older ones are 2 cells in every terminal measured).
_SINCE: Final = (
    (10, "\U0001f6f7\U0001f6f8\U0001f91f\U0001f928-\U0001f92f\U0001f931\U0001f932\U0001f94c"
         "\U0001f95f-\U0001f96b\U0001f992-\U0001f997\U0001f9d0-\U0001f9e6"),
    (11, "\U0001f6f9\U0001f94d-\U0001f94f\U0001f96c-\U0001f970\U0001f973-\U0001f976\U0001f97a"
         "\U0001f97c-\U0001f97f\U0001f998-\U0001f9a2\U0001f9b0-\U0001f9b9\U0001f9c1\U0001f9c2"
         "\U0001f9e7-\U0001f9ff"),
    (12, "\U0001f6d5\U0001f6fa\U0001f7e0-\U0001f7eb\U0001f90d-\U0001f90f\U0001f93f\U0001f971\U0001f97b"
         "\U0001f9a5-\U0001f9aa\U0001f9ae\U0001f9af\U0001f9ba-\U0001f9bf\U0001f9c3-\U0001f9ca"
         "\U0001f9cd-\U0001f9cf\U0001fa70-\U0001fa73\U0001fa78-\U0001fa7a\U0001fa80-\U0001fa82"
         "\U0001fa90-\U0001fa95"),
    (13, "\U0001f6d6\U0001f6d7\U0001f6fb\U0001f6fc\U0001f90c\U0001f972\U0001f977\U0001f978\U0001f9a3"
         "\U0001f9a4\U0001f9ab-\U0001f9ad\U0001f9cb\U0001fa74\U0001fa83-\U0001fa86\U0001fa96-\U0001faa8"
         "\U0001fab0-\U0001fab6\U0001fac0-\U0001fac2\U0001fad0-\U0001fad6"),
    (14, "\U0001f6dd-\U0001f6df\U0001f7f0\U0001f979\U0001f9cc\U0001fa7b\U0001fa7c\U0001faa9-\U0001faac"
         "\U0001fab7-\U0001faba\U0001fac3-\U0001fac5\U0001fad7-\U0001fad9\U0001fae0-\U0001fae7"
         "\U0001faf0-\U0001faf6"),
    (15, "\U0001f6dc\U0001fa75-\U0001fa77\U0001fa87\U0001fa88\U0001faad-\U0001faaf\U0001fabb-\U0001fabd"
         "\U0001fabf\U0001face\U0001facf\U0001fada\U0001fadb\U0001fae8\U0001faf7\U0001faf8"),
    (16, "\U0001fa89\U0001fa8f\U0001fabe\U0001fac6\U0001fadc\U0001fadf\U0001fae9"),
    (17, "\U0001f6d8\U0001fa8a\U0001fa8e\U0001fac8\U0001facd\U0001faea\U0001faef"),
)  # fmt: skip
_SINCE_RE: Final = tuple((version, re.compile(f"[{ranges}]")) for version, ranges in _SINCE)
# Blocks in which Unicode still adds emoji: what is there and not in the table is newer than the table.
_GROWING: Final = re.compile(
    "[\U0001f6d5-\U0001f6df\U0001f6f9-\U0001f6ff\U0001f7e0-\U0001f7ff\U0001fa70-\U0001faff]"
)
NEWER: Final = 99

# Characters with emoji presentation by default (wide): outside the blocks below, wide means CJK.
_WIDE_EMOJI: Final = re.compile(
    "[\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab"
    "\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e"
    "\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\U0001f004\U0001f0cf\U0001f18e"
    "\U0001f191-\U0001f19a\U0001f201\U0001f21a\U0001f22f\U0001f232-\U0001f236\U0001f238-\U0001f23a\U0001f250\U0001f251"
    "\U0001f300-\U0001f320\U0001f32d-\U0001f335\U0001f337-\U0001f37c\U0001f37e-\U0001f393\U0001f3a0-\U0001f3ca"
    "\U0001f3cf-\U0001f3d3\U0001f3e0-\U0001f3f0\U0001f3f4\U0001f3f8-\U0001f43e\U0001f440\U0001f442-\U0001f4fc"
    "\U0001f4ff-\U0001f53d\U0001f54b-\U0001f54e\U0001f550-\U0001f567\U0001f57a\U0001f595\U0001f596\U0001f5a4"
    "\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cc\U0001f6d0-\U0001f6d2\U0001f6d5-\U0001f6df"
    "\U0001f6eb\U0001f6ec\U0001f6f4-\U0001f6ff\U0001f7e0-\U0001f7ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945"
    "\U0001f947-\U0001f9ff\U0001fa70-\U0001faff]"
)

# Characters that a skin tone may follow (Emoji_Modifier_Base).
_TONABLE: Final = re.compile(
    "[\u261d\u26f9\u270a-\u270d\U0001f385\U0001f3c2-\U0001f3c4\U0001f3c7\U0001f3ca-\U0001f3cc\U0001f442\U0001f443"
    "\U0001f446-\U0001f450\U0001f466-\U0001f469\U0001f46b-\U0001f478\U0001f47c\U0001f481-\U0001f483"
    "\U0001f485-\U0001f487\U0001f48f\U0001f491\U0001f4aa\U0001f574\U0001f575\U0001f57a\U0001f590\U0001f595\U0001f596"
    "\U0001f645-\U0001f647\U0001f64b-\U0001f64f\U0001f6a3\U0001f6b4-\U0001f6b6\U0001f6c0\U0001f6cc\U0001f90c\U0001f90f"
    "\U0001f918-\U0001f91f\U0001f926\U0001f930-\U0001f939\U0001f93c-\U0001f93e\U0001f977\U0001f9b5\U0001f9b6"
    "\U0001f9b8\U0001f9b9\U0001f9bb\U0001f9cd-\U0001f9cf\U0001f9d1-\U0001f9dd\U0001fac3-\U0001fac5\U0001faf0-\U0001fafa]"
)

# Narrow characters that stand in joined sequences (♂ of 🏃‍♂️); the wide ones all may.
_JOINED: Final = frozenset("❄🌫↕🕵⚖👁♂❤⚧⛹↔♀➡🏌🗨🏋☠⚕✈⛓🏳")

# Text-default characters that some terminal draws 2 cells wide even without U+FE0F (measured).
SOMETIMES_WIDE: Final = frozenset("☝⛹✌✍🏋🏌🕵🕴🖐🏳")

# Wide characters that some terminal draws one cell wide without U+FE0F (kitty 0.26).
SOMETIMES_NARROW: Final = frozenset("〰〽㊗㊙🈂🈷")

# What means the same and is drawn alike everywhere, where the first rungs of the ladder fail.
LOOKALIKES: Final[dict[str, str]] = {
    "☝": "👆", "✌": "V ", "✍": "📝", "🖐": "✋", "🏋": "💪", "⛹": "🏀", "🏌": "⛳", "🕵": "🔎", "🕴": "👔",
    "🏳": "⚐ ", "🏳‍🌈": "🌈", "🏳‍⚧": "⚧ ", "👁‍🗨": "👀", "❤‍🔥": "🔥", "❤‍🩹": "💗", "⛓‍💥": "🔗", "🐻‍❄": "🐻",
    "🥰": "😍", "🤩": "😍", "🥳": "🎉", "🥹": "😢", "🤣": "😂", "🥲": "😢", "🫠": "🙃", "🫶": "💞",
    "🩷": "💗", "🩵": "💙", "🫰": "💗",
}  # fmt: skip

# Two ASCII cells for those that people send most; anything else is made from its name.
ASCII: Final[dict[str, str]] = {
    "❤": "<3", "👍": "+1", "👎": "-1", "😂": "XD", "‼": "!!", "❓": "??", "❗": "! ", "🤣": "XD", "🙂": ":)",
    "😀": ":D", "😃": ":D", "😄": ":D", "😁": ":D", "😊": ":)", "😉": ";)", "🙁": ":(", "☹": ":(", "😢": ":'",
    "😭": "T_", "😮": ":o", "😐": ":|", "😕": ":/", "😛": ":P", "😜": ";P", "😘": ":*", "😍": "*)",
    "😎": "B)",
    "💔": "</", "✅": "ok", "✔": "v ", "❌": "x ", "👌": "ok", "💯": "00", "🔥": "^^", "🎉": "*!", "👀": "oo",
    "🚀": "=>", "⭐": "* ", "✨": "**", "🙏": "_/", "👏": "cl", "➡": "->", "⬅": "<-", "❔": "? ", "⁉": "!?",
}  # fmt: skip


def since(char: str) -> int:
    """The Unicode version (9 for all before 10) that brought a single emoji; ``NEWER`` if past the table."""
    for version, pattern in _SINCE_RE:
        if pattern.match(char):
            return version
    return NEWER if _GROWING.match(char) else 9


def is_wide_emoji(char: str) -> bool:
    """True for a character that is an emoji by default, without a variation selector."""
    return bool(_WIDE_EMOJI.match(char))


def takes_tone(char: str) -> bool:
    """True for a character to which a skin tone belongs; after any other a tone is an emoji of its own."""
    return bool(_TONABLE.match(char))


def is_joined_emoji(char: str) -> bool:
    """True for a character that may be part of a joined sequence."""
    return char in _JOINED or (is_wide_emoji(char) and not "\U0001f3fb" <= char <= "\U0001f3ff")
