"""Generates texts as agents stream them: code with comments, prose with Markdown. Seeded, without any `TELLTALE`."""

from __future__ import annotations

from random import Random

from benchmarks.vocabulary import ORDINARY, words

_FUNCTION_WORDS = words("""
the a of to and in that is for it on with as this by be are from or an at not which can will if but each when so
then all one no more only after before now its into has have we you I use there here than also still
""")


def code(size: int, seed: int) -> str:
    """About `size` characters of something like TypeScript and Python, cut to that size."""
    random = Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        part = random.choice(_STATEMENTS)(random, _Indent(random))
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


def prose(size: int, seed: int) -> str:
    """About `size` characters of something like an answer in Markdown, cut to that size."""
    random = Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        kind = random.random()
        if kind < 0.06:
            part = f"\n{'#' * random.randint(1, 4)} {_word(random).title()} {_words(random, 2)}\n\n"
        elif kind < 0.2:
            part = f"- **{_words(random, 2)}**: {_sentence(random)}\n"
        elif kind < 0.26:
            part = f"```ts\n{code(random.randint(40, 400), random.randrange(1 << 30))}\n```\n"
        elif kind < 0.28:
            part = f"{random.choice('→—…“”éüñ中文字')} {_sentence(random)} "
        elif kind < 0.4:
            part = f"{_sentence(random)} `{_name(random)}` {_sentence(random)}\n\n"
        else:
            part = _sentence(random) + " "
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


class _Indent:
    def __init__(self, random: Random) -> None:
        self.text = " " * (2 * min(int(random.expovariate(0.5)), 8))

    def __str__(self) -> str:
        return self.text


def _word(random: Random) -> str:
    # As in language, few words are frequent and many are rare.
    return ORDINARY[int(len(ORDINARY) * random.random() ** 2)]


def _words(random: Random, count: int) -> str:
    return " ".join(_word(random) for _ in range(count))


def _name(random: Random) -> str:
    words = [_word(random) for _ in range(random.choice((1, 1, 2, 2, 3)))]
    style = random.random()
    if style < 0.5:
        return words[0] + "".join(word.title() for word in words[1:])
    if style < 0.75:
        return "_".join(words)
    return "".join(word.title() for word in words)


def _sentence(random: Random) -> str:
    words = []
    for _ in range(random.randint(4, 18)):
        words.append(random.choice(_FUNCTION_WORDS) if random.random() < 0.5 else _word(random))
        if random.random() < 0.05:
            words[-1] += ","
    text = " ".join(words)
    return text[0].upper() + text[1:] + random.choice("....!?:")


def _value(random: Random) -> str:
    kind = random.random()
    if kind < 0.25:
        return str(random.randint(0, 10 ** random.randint(1, 6)))
    if kind < 0.45:
        return random.choice("'\"`") + _words(random, random.randint(1, 4)) + random.choice("'\"`")
    if kind < 0.55:
        return random.choice(("true", "false", "null", "None", "[]", "{}", "undefined", "0.5", "this"))
    if kind < 0.75:
        return _name(random)
    return f"{_name(random)}.{_name(random)}({_name(random)}{random.choice(('', ', ' + _name(random)))})"


_STATEMENTS = (
    lambda r, i: f"{i}const {_name(r)} = {_value(r)};\n",
    lambda r, i: f"{i}let {_name(r)}: {_name(r).title()} = {_value(r)};\n",
    lambda r, i: f"{i}{_name(r)} = {_value(r)}\n",
    lambda r, i: f"{i}if ({_name(r)} {r.choice(('===', '!==', '<', '>=', '&&', '||'))} {_value(r)}) {{\n",
    lambda r, i: f"{i}}}\n",
    lambda r, i: f"{i}}} else {{\n",
    lambda r, i: f"{i}return {_value(r)};\n",
    lambda r, i: f"{i}// {_sentence(r)}\n",
    lambda r, i: f"{i}# {_sentence(r)}\n",
    lambda r, i: f"{i}/** {_sentence(r)} */\n",
    lambda r, i: f"{i}export function {_name(r)}({_name(r)}: {_name(r)}, {_name(r)} = {_value(r)}): {_name(r)} {{\n",
    lambda r, i: f"{i}def {_name(r)}(self, {_name(r)}={_value(r)}):\n",
    lambda r, i: f'import {{ {_name(r)}, {_name(r)} }} from "./{_name(r)}/{_name(r)}";\n',
    lambda r, i: f"from {_word(r)}.{_word(r)} import {_name(r)}\n",
    lambda r, i: f"{i}await {_name(r)}.{_name(r)}({_value(r)}, {_value(r)});\n",
    lambda r, i: f"{i}for (const {_name(r)} of {_name(r)}.{_name(r)}()) {{\n",
    lambda r, i: f"{i}try {{ {_name(r)}({_value(r)}); }} catch (error) {{ {_name(r)}(error); }}\n",
    lambda r, i: f'{i}<{_word(r)} {_name(r)}={{{_name(r)}}} className="{_words(r, 2)}">\n',
    lambda r, i: f"{i}{_name(r)}({_value(r)})\n",
    lambda r, i: f"{i}'{_name(r)}': {_value(r)},\n",
    lambda r, i: f"{i}class {_name(r).title()} extends {_name(r).title()} {{\n",
    lambda r, i: "\n",
    lambda r, i: f"{i}console.log(`{_word(r)} ${{{_name(r)}}}`, {_value(r)});\n",
    lambda r, i: f"{i}SELECT {_name(r)} FROM {_name(r)} WHERE {_name(r)} = {_value(r)};\n",  # noqa: S608 - a line of source code
)
