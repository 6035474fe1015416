"""Sessions for `record_interrupts.py`: rule files, settings, and what the model answers to each prompt.

Each row of the matrix has a rule and a word of its own, so that rows of one session do not touch each other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.recorders.scripted_answers import Block

Prompt = list[list[Block]]
"""What is answered, request by request; what is asked beyond that is answered with a word that no rule is about."""

VALID = ("never", "prose-only", "tool-only", "always")
ODD = (
    "Never", "NEVER", "Always", '" never "', "never # as it is", '"never"', "prose", "prose_only", "Tool-Only", "off",
    "false", "true", "null", '""', "0", "[never]", "[prose-only, tool-only]", "prose-only, tool-only", "{never: true}",
)  # fmt: skip
OTHER_KEYS = ("interrupt-mode: never", "interrupt_mode: never", "InterruptMode: never", "interruptmode: never")
ODD_SETTINGS = ("Never", '" always "', "prose_only", "off", "false", "true", "null", '""', "[always]", "0")
EVERYWHERE = "scope: text, thinking, tool"
SOURCES = ("text", "thinking", "write")
ARGUMENTS = {
    "write": '{"path": "out.py", "content": "',
    "edit": '{"path": "out.py", "old_string": "It", "new_string": "',
    "bash": '{"command": "true ',
}
"""The arguments of a call, up to the text that a rule is about."""
SCOPES = ("text", "thinking", "tool", "tool:write(*.py)", "tool:bash", "text, tool", "text, thinking")


def said(source: str, word: str, before: str = "It says ", after: str = " here.") -> Block:
    """A block of an answer that has the word in a piece of its own."""
    if source in ("text", "thinking"):
        return {source: [before, word, after]}
    head = ARGUMENTS[source]
    return {"tool": source, "json": [head + before, *_in_json(word), _in_json(after)[0] + '"}']}


def _in_json(text: str) -> list[str]:
    return [json.dumps(text)[1:-1]]


def answers(source: str, word: str) -> list[Block]:
    """An answer that has the word in one of its blocks. A model does not stop after thinking."""
    rest: list[Block] = [{"text": ["So."]}] if source == "thinking" else []
    return [said(source, word), *rest]


def rule(word: str, *lines: str) -> str:
    return "\n".join(["---", f"condition: '{word}'", *lines, "---", f"Body of {word}.", ""])


class _Rows:
    """A session in the making."""

    def __init__(self, about: str, settings: str | None = None) -> None:
        self.about = about
        self.settings = settings
        self.rules: dict[str, str] = {}
        self.prompts: list[Prompt] = []

    def row(self, sources: tuple[str, ...], *lines: str) -> None:
        """A rule for each source, and an answer that has its word there."""
        for source in sources:
            word = f"zq{len(self.rules)}z"
            self.rules[f"r{len(self.rules)}"] = rule(word, *lines)
            self.prompts.append([answers(source, word)])

    def done(self) -> dict[str, Any]:
        return {"about": self.about, "settings": self.settings, "rules": self.rules, "prompts": self.prompts}


def sessions() -> list[dict[str, Any]]:
    return [*_matrix(), *_scopes(), *_contexts(), *_batches(), *_repeats(), *_questions()]


def _matrix() -> Iterator[dict[str, Any]]:
    rows = _Rows("modes of rules")
    rows.row((*SOURCES, "bash"), EVERYWHERE)
    for mode in (*VALID, *ODD):
        rows.row((*SOURCES, "bash") if mode in VALID else SOURCES, EVERYWHERE, f"interruptMode: {mode}")
    for line in OTHER_KEYS:
        rows.row(SOURCES, EVERYWHERE, line)
    yield rows.done()
    for setting in (*VALID, *ODD_SETTINGS):
        rows = _Rows(f"the setting {setting}", f"ttsr:\n  interruptMode: {setting}\n")
        rows.row(SOURCES, EVERYWHERE)
        for mode in (*VALID, "Never") if setting in VALID else ():
            rows.row(SOURCES, EVERYWHERE, f"interruptMode: {mode}")
        yield rows.done()


def _scopes() -> Iterator[dict[str, Any]]:
    rows = _Rows("scopes")
    for mode in ("prose-only", "tool-only", "always", "never"):
        rows.row((*SOURCES, "bash"), f"interruptMode: {mode}")
        for scope in SCOPES:
            rows.row((*SOURCES, "bash"), f"scope: {scope}", f"interruptMode: {mode}")
    yield rows.done()


def _contexts() -> Iterator[dict[str, Any]]:
    for mode in ("discard", "keep", "Discard", "drop", "null", '""', "true"):
        rows = _Rows(f"what is kept: {mode}", f"ttsr:\n  contextMode: {mode}\n")
        rows.row(SOURCES, EVERYWHERE)
        yield rows.done()


def _batches() -> Iterator[dict[str, Any]]:
    modes = ("never", "prose-only", "tool-only", "always")
    for first, second in (("never", "always"), ("never", "prose-only"), ("prose-only", "tool-only"), ("never",) * 2):
        word = "zqz"
        rules = {"a": rule(word, EVERYWHERE, f"interruptMode: {first}")}
        rules["b"] = rule(word, EVERYWHERE, f"interruptMode: {second}")
        for source in SOURCES:
            about = f"{first} and {second} match at once in {source}"
            yield {"about": about, "settings": None, "rules": rules, "prompts": [[answers(source, word)], []]}
    both = {mode: rule(f"zq{mode}z", EVERYWHERE, f"interruptMode: {mode}") for mode in modes}
    words = {mode: f"zq{mode}z" for mode in modes}
    never, always = words["never"], words["always"]
    mixed = {
        "never in the text, then always in it": [{"text": ["Some ", never, " and ", always, " at last."]}],
        "never in the thinking, then always in the text": [said("thinking", never), said("text", always)],
        "never in the text, then always in a call": [said("text", never), said("write", always)],
        "never in a call, then always in another": [said("write", never), said("bash", always)],
        "never in the text, and a call that no rule is about": [said("text", never), said("write", "fine")],
        "never in the text and in a call": [said("text", never), said("write", never)],
        "never in two calls": [said("write", never), said("bash", never)],
        "always in the second of two calls": [said("write", "fine"), said("bash", always)],
        "prose-only in a call, then in the text": [said("write", words["prose-only"]), said("text", never)],
        "tool-only in the text, then in a call": [said("text", words["tool-only"]), said("bash", words["tool-only"])],
    }
    for about, answer in mixed.items():
        yield {"about": about, "settings": None, "rules": both, "prompts": [[answer], []]}


def _repeats() -> Iterator[dict[str, Any]]:
    for settings in ("repeatMode: once", *(f"repeatMode: after-gap, repeatGap: {gap}" for gap in (0, 1, 2, 3, 4))):
        for mode in ("always", "never"):
            for source in ("text", "write"):
                yield {
                    "about": f"{mode} again and again in {source}, {settings}",
                    "settings": f"ttsr: {{{settings}}}\n",
                    "rules": {"r": rule("zqz", EVERYWHERE, f"interruptMode: {mode}")},
                    "prompts": [[answers(source, "zqz")] for _ in range(5)],
                }
    for mode in ("Once", "null", "true", '""'):
        yield {
            "about": f"again and again, repeatMode: {mode}",
            "settings": f"ttsr: {{repeatMode: {mode}, repeatGap: 0}}\n",
            "rules": {"r": rule("zqz", EVERYWHERE)},
            "prompts": [[answers("text", "zqz")] for _ in range(3)],
        }
    for settings in ("repeatMode: once", "repeatMode: after-gap, repeatGap: 0"):
        for mode in ("always", "never"):
            yield {
                "about": f"{mode} in the retry too, {settings}",
                "settings": f"ttsr: {{{settings}}}\n",
                "rules": {"r": rule("zqz", EVERYWHERE, f"interruptMode: {mode}")},
                "prompts": [[answers("text", "zqz")] * 3],
            }


def _questions() -> Iterator[dict[str, Any]]:
    """The judge says yes to questions that begin so."""
    yes, no = "question: 'Yes, is this about a word?'", "question: 'No, is this about a word?'"
    condition, broken = "condition: zqz", "condition: 'zqz('"
    kinds = {
        "a question": (yes,),
        "a question that is answered by no": (no,),
        "a question with a condition": (yes, condition),
        "a question with a condition that is not met": (yes, "condition: other"),
        "a question with a condition that does not compile": (yes, broken),
        "a question that is a list": (f"question: [{yes.partition(' ')[2]}]",),
        "a question that is a list, with a condition": (f"question: [{yes.partition(' ')[2]}]", condition),
        "an empty question with a condition": ("question: ' '", condition),
    }
    for about, lines in kinds.items():
        for mode in ("always", "never"):
            yield _asking(f"{about}, {mode}", "'on'", (*lines, f"interruptMode: {mode}"), ("text", "thinking", "write"))
    for judge in ("yes", "On", "true", "null"):
        yield _asking(f"a question, the judge is {judge}", judge, kinds["a question"], ("text",))
    for judge in ("'off'", "'auto'"):
        for about in ("a question", "a question with a condition"):
            yield _asking(f"{about}, the judge is {judge[1:-1]}", judge, kinds[about], ("text", "write"))


def _asking(about: str, judge: str, lines: tuple[str, ...], sources: tuple[str, ...]) -> dict[str, Any]:
    text = "\n".join(["---", *lines, EVERYWHERE, "---", "Body.", ""])
    settings = f"ttsr: {{judge: {judge}, repeatMode: after-gap, repeatGap: 0}}\n"
    prompts = [[answers(source, "zqz")] for source in sources]
    return {"about": about, "settings": settings, "rules": {"r": text}, "prompts": prompts}
