"""Records which rules the reference agent lists of the pages' examples.

    python -m tests.recorders.record_page_listings --omp OMP OUTPUT

Each side of a page is a project; `omp ttsr list --json` says what is registered in it. The codes are those of
which a page says that a rule is not found, not registered, or another one. Writes `page-listings.json`
(format: tests/vectors/README.md).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.lint.finding_page import Example, parse_page
from ttsr_ls.lint.catalogue import entry_of

HERE = Path(__file__).parent

CODES = (
    "frontmatter-not-recognised", "regex-does-not-compile", "unreachable-scope", "no-trigger", "empty-body",
    "inert-name", "wrong-value-type", "not-discovered", "duplicate-name", "shadowed-name", "replaces-builtin",
    "builtin-not-disabled", "switched-off",
)  # fmt: skip


def listed(omp: Path, examples: tuple[Example, ...]) -> list[list[str]]:
    """Name, provider and path of each rule of the project, and the built-in ones that its files name."""
    with tempfile.TemporaryDirectory(prefix="ttsr-pages-") as folder:
        root = Path(folder).resolve()
        (root / "home").mkdir()
        for example in examples:
            path = root / "project" / example.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(example.text, encoding="utf-8")
        environment = {**os.environ, "HOME": str(root / "home"), "NO_COLOR": "1"}
        done = subprocess.run(
            [omp, "ttsr", "list", "--json"], cwd=root / "project", env=environment, capture_output=True, check=True
        )
        project = str(root / "project") + "/"
        rows = [[rule["name"], rule["provider"], rule["path"].replace(project, "")] for rule in json.loads(done.stdout)]
    named = " ".join(example.path + example.text for example in examples)
    return [row for row in rows if row[1] != "builtin-defaults" or row[0] in named]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    version = subprocess.run([args.omp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    pages = {}
    for code in CODES:
        page = parse_page(entry_of(code).page)
        pages[code] = {
            side: {
                "files": {example.path: example.text for example in examples},
                "listed": listed(args.omp, examples),
            }
            for side, examples in (("bad", page.bad), ("good", page.good))
        }
        print(code, file=sys.stderr)
    provenance = {"recorder": "tests/recorders/record_page_listings.py", "agent": version}
    args.output.write_text(json.dumps({"provenance": provenance, "pages": pages}, indent=1) + "\n")


if __name__ == "__main__":
    main()
