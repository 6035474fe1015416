"""A converted rule of hookify fires in the reference agent wherever it fired in hookify, or it is not converted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ttsr_ls.convert.conversion import convert
from ttsr_ls.convert.path_globs import globs_for_endings, join_globs
from ttsr_ls.convert.portable_rule import ConversionError
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.syntax.dialects.table import HOOKIFY, OMP
from ttsr_ls.syntax.reader import read_rule

VECTORS = json.loads(
    gzip.decompress((Path(__file__).parents[1] / "vectors" / "hookify-conversions.json.gz").read_bytes())
)
CASES: list[dict[str, Any]] = VECTORS["cases"]
CONVERTED = [case for case in CASES if case["converted"] is not None]


def pattern_of(case: dict[str, Any]) -> str:
    return " & ".join(line.strip() for line in case["text"].splitlines() if "pattern:" in line)


def test_vectors_are_many() -> None:
    assert len(CONVERTED) >= 80
    assert sum(answer != "silent" for case in CONVERTED for answer in case["hookify"]) >= 250
    assert 5 <= len(CASES) - len(CONVERTED) <= 12


def converted(case: dict[str, Any]) -> tuple[str | None, str | None]:
    """The converted rule of a case, or why it is refused."""
    try:
        return convert(case["text"], name="r", path="r.md", source=HOOKIFY, target=OMP).text, None
    except ConversionError as refused:
        return None, str(refused)


def test_rules_are_converted_as_recorded() -> None:
    assert not [case["text"] for case in CASES if converted(case) != (case["converted"], case.get("refusal"))]


def test_converted_rules_fire_where_hookify_fired() -> None:
    assert not [
        (call, case["converted"])
        for case in CONVERTED
        for call, before, after in zip(case["calls"], case["hookify"], case["omp"], strict=True)
        if before != "silent" and not after
    ]


def test_converted_rules_fire_on_no_more() -> None:
    unwanted = [
        (pattern_of(case), call["tool_input"])
        for case in CONVERTED
        for call, before, after in zip(case["calls"], case["hookify"], case["omp"], strict=True)
        if after and before == "silent"
    ]
    assert not unwanted


def test_our_engine_matches_as_the_reference_agent() -> None:
    for case in CONVERTED:
        (condition,) = read_rule(case["converted"], name="r", path="r.md").fields.conditions
        matcher = compile_condition(condition.value).matcher
        for call, fires in zip(case["calls"], case["omp"], strict=True):
            given = call["tool_input"]
            if call["tool_name"] == "Bash":
                text = json.dumps({"command": given["command"]}, separators=(",", ":"), ensure_ascii=False)
                assert matcher.test(to_units(text)) == fires, (pattern_of(case), given)


@pytest.mark.parametrize(
    ("pattern", "glob"),
    [
        (r"\.tsx?$", "*.{ts,tsx}"), (r"\.(?:js|ts)$", "*.{js,ts}"), (r"\.py$|\.pyi$", "*.{py,pyi}"),
        (r"\.[jt]s$", "*.{js,ts}"), (r"^[^\n]*\.go$", "*.go"), (r"/package\.json$", "package.json"),
        (r"\.env$", "*.env"), (r"\.ts", None), (r"\.\w+$", None), (r"(?:a|b){40}$", None), (r"src/a\.ts$", None),
        (r"\.ts$|secrets", None), ("", None), ("$", None),
    ],
)  # fmt: skip
def test_ends_of_paths_become_globs(pattern: str, glob: str | None) -> None:
    globs = globs_for_endings(pattern)
    assert (None if globs is None else join_globs(globs)) == glob
