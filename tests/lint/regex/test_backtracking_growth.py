"""The power of growth in a finding is the measured one, and its text can occur where the rule is tested."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from math import log2

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.regex.backtracking_effect import growth_degree

BASH = "scope: tool:bash\n"
POWERS = {"square": 2, "cube": 3, "4th power": 4, "5th power": 5}


def backtracking(source: str, scope: str = "") -> list[Finding]:
    entry = json.dumps(source)
    (findings,) = findings_of([("rule.md", f"---\ncondition: {entry}\n{scope}---\nSay so.\n")])
    return [finding for finding in findings if "backtracking" in finding.code or "overlapping" in finding.code]


def witness(message: str) -> tuple[str, str, str]:
    """The prefix, the repeated part, and the suffix of the text that a message names."""
    text = r"(?:`([^`]*)` and then )?[\d,]+ times `([^`]*)`(?: and then `([^`]*)`)?"
    match = re.search(text, message)
    assert match is not None, message
    return tuple(part or "" for part in match.groups()[:3])  # type: ignore[return-value]


def steps(source: str, text: str) -> int:
    matcher = BacktrackMatcher(parse(source), 50_000_000)
    return sum(matcher.count_steps(text, start) for start in range(len(text)))


@pytest.mark.parametrize(
    ("efforts", "degree"),
    [
        ([3 * n + 5 for n in range(4, 14)], 1),
        ([n * n + 40 * n for n in range(4, 14)], 2),
        ([n**3 + 7 for n in range(4, 14)], 3),
        ([n * (n + 1) * (n + 2) // 6 for n in range(4, 14)], 3),
        ([5] * 10, 0),
    ],
)
def test_degree_of_a_polynomial(efforts: list[int], degree: int) -> None:
    assert growth_degree(efforts) == degree


@pytest.mark.parametrize("efforts", [[2**n for n in range(10)], [n * n + n % 3 for n in range(10)]])
def test_growth_that_is_not_polynomial_has_no_degree(efforts: list[int]) -> None:
    assert growth_degree(efforts) is None


@pytest.mark.parametrize(
    "source",
    [
        r"git\s+push\s+.*--force.*\b(main|master)\b|git\s+push\s+.*-f\s.*\b(main|master)\b",
        r"git\s+push\s+[^\n]*--force[^\n]*main",
        r"try[\s\S]*catch[\s\S]*finally",
        r"try[\s\S]*catch[\s\S]*\}[\s\S]*finally",
        r"[\s\S]*a[\s\S]*b[\s\S]*c[\s\S]*d",
        r"x(?:a\s*){0,9}\s*[^y]*\s*[^y]*y",
        r"\s+[^\n]*\s+[^\n]*;",
        r"<img [^>]*(?!alt)[^>]*\balt",
    ],
)
def test_power_in_the_message_is_measured(source: str) -> None:
    for finding in backtracking(source):
        if finding.code != "polynomial-backtracking":
            continue
        prefix, pump, suffix = witness(finding.message)
        named = next(power for word, power in POWERS.items() if word in finding.message)
        efforts = [steps(source, prefix + pump * n + suffix) for n in (10, 20, 40)]
        first, second = (log2(longer / shorter) for shorter, longer in pairwise(efforts))
        # Where the text is twice as long, so is what the lower powers take from the slope: half of it is left.
        assert abs(2 * second - first - named) < 0.3


def test_square_of_a_run_of_blanks_is_not_reported_as_a_cube() -> None:
    """1,000 blanks take a backtracking engine a millisecond here: a command has no such run."""
    source = r"git\s+push\s+.*--force.*\b(main|master)\b"
    assert not [finding for finding in backtracking(source) if "cube" in finding.message]


WORKTREE = (
    r"""(?:^|[;&|()\n])\s*\bgit\b(?:\s+(?:(?:-[Cc])\s+(?:"[^"]*"|'[^']*'|\S+)|-[pP]|--[A-Za-z][A-Za-z0-9-]*"""
    r"""(?:=\S+)?))*\s+worktree(?=$|[\s;&|()<>])"""
)


@pytest.mark.parametrize("source", [WORKTREE, r"^(?:\w+\s?)*!", r";(?:\"[^\"]*\"|\S\S|\S)*!", r"\((?:[^()]+)*\)"])
def test_text_is_slow_as_a_command_in_json(source: str) -> None:
    for finding in backtracking(source, BASH):
        prefix, pump, suffix = witness(finding.message)
        command = json.dumps({"command": prefix + pump * 24 + suffix}, separators=(",", ":"))
        matcher = BacktrackMatcher(parse(source), 1_000_000)
        assert any(is_slow(matcher, command, start) for start in range(len(command))), finding.message


def is_slow(matcher: BacktrackMatcher, text: str, start: int) -> bool:
    try:
        matcher.count_steps(text, start)
    except MatchLimitExceeded:
        return True
    return False


def test_defect_in_json_is_found_with_another_text() -> None:
    """In JSON, the quotes of the first witness are escaped, and no repeat matches them."""
    (finding,) = backtracking(WORKTREE, BASH)
    assert finding.code == "exponential-backtracking"
    assert '"' not in finding.message.split("time:")[1].split("takes")[0]


def test_slowness_that_no_command_can_cause_is_not_reported() -> None:
    assert backtracking(r"^(?:\w+\s?)*!", BASH) == []
    assert [finding.code for finding in backtracking(r"^(?:\w+\s?)*!", "scope: text\n")] == ["exponential-backtracking"]
