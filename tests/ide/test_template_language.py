"""Templates of rules are for the language of the workspace."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.template_language import DEFAULT_LANGUAGE, template_language


@pytest.mark.parametrize(
    ("files", "glob", "path"),
    [
        ([], "*.ts", "a.ts"),
        (["README.md", "data.json", "Makefile"], "*.ts", "a.ts"),
        (["a.py", "docs/b.md", "web/c.ts", "d.PY"], "*.py", "a.py"),
        (["a.ts", "b.tsx", "c.ts", "d.py"], "*.{ts,tsx}", "a.ts"),
        (["a.py", *(f"{number}.ts" for number in range(21)), "eslint.js"], "*.ts", "a.ts"),
        (["a.js", "b.jsx", "c.mjs", "d.cjs", "e.js"], "*.{js,jsx,mjs}", "a.js"),
        (["a.c", "a.h", "b.c"], "*.{c,h}", "a.c"),
        (["a.py", "b.go"], "*.py", "a.py"),
        (["b.go", "a.py"], "*.py", "a.py"),
    ],
)
def test_the_most_frequent_language_is_chosen(files: list[str], glob: str, path: str) -> None:
    found = template_language(files)
    assert (found.glob, found.path) == (glob, path)


def test_without_files_the_default_is_taken() -> None:
    assert template_language(()) == DEFAULT_LANGUAGE
