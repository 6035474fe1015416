"""Doubled backslashes that nothing unescapes."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.analysis.slips.doubled_backslashes import single_backslashes_if_certain


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("\\\\bfoo\\\\b", "\\bfoo\\b"),
        ("console\\\\.log\\\\s*=", "console\\.log\\s*="),
        ("\\\\d+x", "\\d+x"),
        ("a\\\\s*=", "a\\s*="),
        ("foo\\.bar", None),
        ("node_modules[/\\\\][a-z]+", None),
        ("C:\\\\[A-Za-z]+", None),
        ("C:\\\\Windows\\\\.*", None),
        ("[A-Z]:\\\\+Users\\\\+.*", None),
        ("\\\\[a-zA-Z]+", None),
        ("[^\\\\][.]", None),
        ('-m \\\\?"fix', None),
        ("\\\\{2,}", None),
        ("\\\\[nrt]", None),
        ("\\\\begin", None),
        ("\\\\section\\{", None),
        ("src\\\\dist\\\\bin", None),
        ("App\\\\Models\\\\.", None),
        ("x\\\\n(?:y)", None),
        ("\\\\(\\\\", None),
        ("foo", None),
    ],
)
def test_backslashes_are_halved_if_certainly_doubled(source: str, meant: str | None) -> None:
    assert single_backslashes_if_certain(source) == meant
