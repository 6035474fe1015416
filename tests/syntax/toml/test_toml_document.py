"""TOML files are read quickly, even hostile ones."""

from __future__ import annotations

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.syntax.toml.toml_document import MAX_BYTES, MAX_PARTS, TomlError, read_toml

SECONDS = 1.0
"""Of processor time; `tomllib` alone takes many times that."""

LONG = ".".join(["a"] * 20_000)


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1\n",
        f"[{LONG}]\n",
        f"[[{LONG}]]\n",
        f"a = {{{LONG} = 1}}\n",
        '"a.b" . ' * 15_000 + "b = 1\n",
        "x = 1\n'a' .\t" + "'b'." * 20_000 + "b = 1\n",
        "".join(".".join(["a"] * 300) + f".b{n} = 1\n" for n in range(300)),
        "a = " + "[" * 50_000 + "]" * 50_000,
        "a = " + "{a = " * 20_000,
        "a = " + "1" * 5_000,
        "a = 1 #" + "x" * MAX_BYTES,
        'a = "' + '\\"' * 100_000,
        "a = '''" + "'\n" * 100_000,
        '"' * 200_000,
        "é = \ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
def test_hostile_toml_files_are_rejected_quickly(text: str) -> None:
    with processor_time_below(SECONDS), pytest.raises(TomlError) as caught:
        read_toml(text.encode())
    assert len(str(caught.value)) < 300


def test_the_error_about_a_long_toml_key_names_its_line() -> None:
    with pytest.raises(TomlError, match="line 3 has more than 32 parts"):
        read_toml(f"a = 1\n# {LONG}\n{LONG} = 1\n".encode())


@pytest.mark.parametrize(
    "text",
    [
        f"# {LONG}\na = 1",
        f'a = "{LONG}"',
        f"a = '{LONG}'",
        f'a = """\n{LONG}"""',
        f"a = '''\n{LONG}'''",
        f'"{LONG}" = 1',
        f"{'.'.join(['a'] * MAX_PARTS)} = 1",
        '"a\\".b" = "c.d.e"',
        "\ufeffa = 1.5",
    ],
)
def test_dots_in_texts_and_comments_are_not_counted_as_key_parts(text: str) -> None:
    assert len(read_toml(text.encode())) == 1
