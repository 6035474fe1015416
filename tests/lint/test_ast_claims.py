"""The finding pages on AST conditions describe the recorded behaviour of the reference agent."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from tests.lint.ast_claims import Claim, claims
from ttsr_ls.isolation.ast_pool import AstPool
from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.rules.registration import register
from ttsr_ls.syntax.reader import read_rule

CLAIMS = claims()
VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "ast-claims.json").read_text(encoding="utf-8")
)["cases"]


def by_ours(claim: Claim, pool: AstPool) -> bool:
    rule = register(read_rule(claim.case.rule, name="r", path="r.md"), "native").rule
    assert rule is not None
    scan = FileScan([rule], pool, thread_time)
    paths = [claim.case.path]
    return bool(scan.scan(scan.rules_for(paths), claim.case.text, paths).matches)


def test_every_ast_code_has_a_demonstration() -> None:
    assert {claim.code for claim in CLAIMS} == {entry.code for entry in CATALOGUE if entry.code.startswith("ast-")}


@pytest.mark.parametrize(
    ("claim", "answer"), list(zip(CLAIMS, VECTORS, strict=True)), ids=[claim.case.about for claim in CLAIMS]
)
def test_reference_agent_behaves_as_the_ast_finding_pages_state(claim: Claim, answer: dict[str, Any]) -> None:
    assert {key: answer[key] for key in asdict(claim.case)} == asdict(claim.case), "record anew: tests/recorders"
    assert answer["fires"] is claim.fires


def test_our_engine_agrees_in_the_languages_with_a_grammar() -> None:
    with AstPool(1) as pool:
        for claim in CLAIMS:
            is_ours = language_of([claim.case.path]) in GRAMMARS or "astCondition" not in claim.case.rule
            assert by_ours(claim, pool) is (claim.fires and is_ours), claim.case.about
