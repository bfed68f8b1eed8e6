"""What is said in the rig: a line for every class of emoji, each behind a word that can be waited for."""

from __future__ import annotations

LINES = (
    "tapbacks ❤️ 👍 👎 😂 ‼️ ❓ end",
    "selectors ☀️✈️⚠️🅰️🌶️™️ bare ❤‼☀✌ end",
    "wide ㊗️🈂️〰️ caps 1️⃣#️⃣*️⃣ end",
    "toned 👍🏽🙏🏻🧑🏿☝🏽✌🏽🕵🏿 end",
    "joined 👨‍👩‍👧‍👦👩🏽‍💻🏳️‍🌈❤️‍🔥🐻‍❄️ end",
    "couples 👩‍❤️‍👨🧑🏿‍❤️‍💋‍🧑🏻🤦🏽‍♂️👁️‍🗨️ end",
    "flags 🇩🇪🇺🇸🇨🇶 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🇩 end",
    "newer 🥲🫠🫨\U0001fae9\U0001faea🛜🤩🥰🥱 end",
    "scripts हिन्दी தமிழ் நன்றி বাংলা ไทย น้ำ ພາສາ မြန်မာ ខ្មែរ සිංහල end",
    "words यह हिन्दी में लिखा गया एक लम्बा वाक्य है और किताब end",
    "other 日本語 e\u0301 → ✓ ● … 👩\u200d x\ufe0f end",
)
TABLE = (
    "What do 🖥️ and ⚖️ and 💻 and ❤️‍🩹 mean?",
    "🅱️🅱️🅱️ test 🅱️🅱️🅱️ that is long enough to be wrapped, since ❤️ and ‼️ come again: " + "❤️‼️" * 24,
)
