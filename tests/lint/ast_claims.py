"""The examples of the finding pages on AST conditions, with the texts of `tests/recorders/ast_claims.jsonl`.

`python -m tests.lint.ast_claims` prints the cases for `tests/recorders/record_ast_claims.ts`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.lint.finding_page import parse_page
from ttsr_ls.lint.catalogue import entry_of

CLAIMS = Path(__file__).parents[1] / "recorders" / "ast_claims.jsonl"


@dataclass(frozen=True)
class Case:
    about: str
    rule: str
    path: str
    text: str


@dataclass(frozen=True)
class Claim:
    code: str
    case: Case
    fires: bool


def claims() -> list[Claim]:
    found_claims = []
    for number, line in enumerate(CLAIMS.read_text().splitlines()):
        claim = json.loads(line)
        page = parse_page(entry_of(claim["code"]).page)
        for kind, examples in (("bad", page.bad), ("good", page.good)):
            for place, example in enumerate(examples):
                about = f"claim {number}: {claim['code']}, {kind} {place}"
                case = Case(about, example.text, claim["path"], claim["text"])
                found_claims.append(Claim(claim["code"], case, claim[kind]))
    return found_claims


if __name__ == "__main__":
    print(json.dumps([asdict(claim.case) for claim in claims()]))
