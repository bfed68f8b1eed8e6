"""Reads emoticons by their parts (brow, eyes, tear, nose, mouth), and the customary ones that have none."""

from __future__ import annotations

import re
from types import MappingProxyType

_LONGEST = 16
_FACE = re.compile(
    r"""(?P<brow>[>\]}3]|[oO0](?=[:;=8]))?
        (?P<sweat>[',](?=[:=]))?
        (?P<eyes>[:;=8xX%B])
        (?P<tear>["',]{0,2})
        (?P<nose>[-^~oc](?=.))?
        (?P<late>["',]{0,2})
        (?P<mouth>[)\](\[{}dDpPbBqoO0/\\|*xX#@$sSlLcC<>3zZ&?])""",
    re.VERBOSE,
)
_MIRROR = str.maketrans("()[]{}<>/\\", ")(][}{><\\/")
_MOUTHS = MappingProxyType(
    {
        **dict.fromkeys(")]}", "smile"),
        **dict.fromkeys("dD", "grin"),
        **dict.fromkeys("([{", "sad"),
        **dict.fromkeys("pPbq", "tongue"),
        **dict.fromkeys("oO0", "gasp"),
        **dict.fromkeys("/\\", "skew"),
        **dict.fromkeys("*", "kiss"),
        **dict.fromkeys("xX", "cross"),
        "#": "sealed",
        "|": "flat",
        "@": "rage",
        "$": "flush",
        **dict.fromkeys("sS", "wobble"),
        **dict.fromkeys("lL", "think"),
        **dict.fromkeys("cC", "pout"),
        "<": "glum",
        ">": "glad",
        "3": "cat",
        **dict.fromkeys("zZ", "zip"),
        "&": "woozy",
        "?": "doubt",
        "B": "teeth",
    }
)
_PLAIN = MappingProxyType(
    {
        "smile": "🙂 😃 😊",
        "grin": "😄 😃 😀",
        "sad": "🙁 ☹️ 😞 😦",
        "tongue": "😛 😜 😝",
        "gasp": "😮 😲 😯",
        "skew": "😕 🫤",
        "kiss": "😗 😘 😚 😙",
        "cross": "😘 🤐 😶",
        "sealed": "😶 🤐",
        "flat": "😐 😑",
        "rage": "😡 🤬",
        "flush": "😳 🤑",
        "wobble": "😖 😧 🫤",
        "think": "🤔 😕",
        "pout": "😫 ☹️",
        "glum": "😓 😞",
        "glad": "😊 😆",
        "cat": "😽 😺 😗",
        "zip": "🤐 😴",
        "woozy": "🥴 🤢",
        "doubt": "😒 🤨",
        "teeth": "🤓 😬",
    }
)
_WINK = MappingProxyType({"smile": "😉", "grin": "😉 😄", "tongue": "😜 😝", "kiss": "😘", "sad": "😢 😥"})
_SQUEEZED = MappingProxyType(
    {"smile": "😆", "grin": "😆 🤣", "tongue": "😝 😆", "sad": "😖 😣", "gasp": "😵 😱", "kiss": "😚"}
)
_GLASSES = MappingProxyType({"smile": "😎", "grin": "😎 😬", "flat": "😎", "sad": "😎", "tongue": "😎"})
_BY_EYES = MappingProxyType(
    {
        ";": _WINK,
        "x": _SQUEEZED,
        "X": _SQUEEZED,
        "8": _GLASSES,
        "B": _GLASSES,
        "%": {"smile": "🥴 😵", "sad": "🤢 😖", "grin": "🥴", "skew": "😖"},
    }
)

_FIXED = MappingProxyType(
    {
        "<3": "❤️",
        "<33": "❤️ 💕",
        "♥": "♥️ ❤️",
        "</3": "💔",
        "<\\3": "💔",
        "\\m/": "🤘",
        "\\o/": "🙌 🎉",
        "o/": "👋",
        "\\o": "👋",
        "(y)": "👍",
        "(n)": "👎",
        "orz": "🙇",
        "d:": "😩 😧",
        "d':": "😢 😭",
        "dx": "😱 😫",
        "d8": "😱",
        "¯\\_(ツ)_/¯": "🤷",
        "¯\\(ツ)/¯": "🤷",
        "¯\\_(ツ)_": "🤷",
        "/shrug": "🤷",
        "(╯°□°)╯︵ ┻━┻": "😡 🤬",
        "(╯°□°）╯︵ ┻━┻": "😡 🤬",
        "┻━┻": "😡",
        "( ͡° ͜ʖ ͡°)": "😏",
        "ಠ_ಠ": "😒 🤨",
        "ʕ•ᴥ•ʔ": "🐻",
        "(ง'̀-'́)ง": "💪",
        "-_-": "😑 😒",
        "-.-": "😑 😒",
        "-__-": "😑",
        "--": "😑",
        "-_-'": "😓 😅",
        "^_^": "😊 😄",
        "^^": "😊 😄",
        "^-^": "😊",
        "^.^": "😊",
        "^o^": "😆 😄",
        "n_n": "😊",
        "^_^;": "😅",
        "^^;": "😅",
        "^_~": "😉",
        "~_^": "😉",
        "o_o": "😳 😮",
        "o.o": "😳 😮",
        "o_0": "🤨 😳",
        "0_o": "🤨 😳",
        "0_0": "😳",
        "o-o": "😳",
        "@_@": "😵‍💫 😵",
        ">_<": "😣 😖",
        ">.<": "😣 😖",
        "><": "😣 😆",
        ">_>": "🙄 😒",
        "<_<": "🙄 😒",
        ">.>": "🙄",
        "<.<": "🙄",
        "t_t": "😢 😭",
        "t-t": "😢 😭",
        "t.t": "😢 😭",
        "tt": "😭",
        "ttt": "😭",
        ";_;": "😢 😭",
        ";-;": "😢 😭",
        "qq": "😭",
        "q_q": "😭",
        "qaq": "😭",
        "u_u": "😔",
        "v_v": "😔",
        "x_x": "😵 💀",
        "x.x": "😵",
        "*_*": "🤩 😍",
        "*.*": "🤩",
        "$_$": "🤑",
        "$$": "🤑 💰",
        "♥_♥": "😍",
        "<3_<3": "😍",
        "uwu": "🥺 😊",
        "owo": "😳 🥺",
        ":3": "😺 😽",
        "=3": "😺 😽",
        "zzz": "💤 😴",
        "!!": "‼️",
        "!?": "⁉️",
        "?!": "⁉️",
        "??": "❓",
        "!": "❗",
        "?": "❓",
        "->": "➡️",
        "-->": "➡️",
        "=>": "➡️",
        "<-": "⬅️",
        "<--": "⬅️",
        "<->": "↔️",
        "(c)": "©️",
        "(r)": "®️",
        "tm": "™️",
        "(tm)": "™️",
        "x": "❌",
        "@}->--": "🌹",
        "@->--": "🌹",
        "8<": "✂️",
        "><>": "🐟",
        "<><": "🐟",
        "=^.^=": "😺 🐱",
        ":{": "😞 ☹️",
        "8-}": "🤓",
        ":^)": "🙂",
        ":v": "🙂",
        "(:": "🙂 😃",
    }
)


def _read(match: re.Match[str]) -> str:
    mouth = _MOUTHS[match["mouth"]]
    tear = match["tear"] + match["late"]
    happy = mouth in {"smile", "grin"}
    if match["brow"] in {"o", "O", "0"}:
        return "😇" if happy else "😮"
    if match["brow"]:
        if happy or mouth == "tongue":
            return "😈"
        grim = "👿 😠" if match["brow"] in {"]", "}", "3"} else "😠 😡 👿"
        return {"gasp": "😲 😡", "skew": "😠 😡", "flat": "😠 😒"}.get(mouth, grim)
    if match["sweat"]:
        return "😅" if happy else "😓"
    if '"' in tear:
        return "😊 😳" if happy else "😳"
    if tear:
        if happy:
            return "😂 🥲" if mouth == "smile" else "😂 🤣"
        return "😭 😢" if len(tear) > 1 else "😢 😭"
    own = _BY_EYES.get(match["eyes"], {}).get(mouth)
    return own or _PLAIN[mouth]


def read_emoticon(text: str) -> tuple[str, ...]:
    """The emoji that an emoticon stands for, the likeliest first; empty for anything else."""
    text = text.strip()
    if not 1 < len(text) <= _LONGEST and text not in _FIXED:
        return ()
    fixed = _FIXED.get(text) or _FIXED.get(text.lower())
    if fixed is not None:
        return tuple(fixed.split())
    # Letters and digits alone (``xo``, ``8D`` apart) are words first.
    if text.isalnum() and not (text[0] in "xX8" and text[1:] in {"D", "P", "d", "p", "O"}):
        return ()
    match = _FACE.fullmatch(text)
    if match is None:
        # Read from the other side: ``(-:`` is ``:-)`` in a mirror.
        match = _FACE.fullmatch(text[::-1].translate(_MIRROR)) if text[-1] in ":;=8" else None
    return tuple(_read(match).split()) if match is not None else ()
