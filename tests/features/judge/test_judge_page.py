"""The program and the rule in docs/judge.md work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.rule_files import registration_of, rule_set_of
from ttsr_ls.rules.registration import register
from ttsr_ls.syntax.reader import read_rule

PAGE = (Path(__file__).parents[3] / "docs" / "judge.md").read_text()


async def test_the_documented_program_opens_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(program, names)  # noqa: S102 - runs the example of the page
    open_session = names["open_session"]
    assert callable(open_session)
    session = await open_session(rule_set_of(registration_of("question: Is it rude?")))
    async with session:
        assert session.messages == []


def test_the_documented_rule_has_a_question() -> None:
    [text] = re.findall(r"^```markdown\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    registration = register(read_rule(text, name="r", path="r.md"), "native")
    assert registration.problems == ()
    assert registration.rule is not None
    assert registration.rule.question is not None
