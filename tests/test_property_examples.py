"""The examples that property tests try in a run of the suite."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st


def tried() -> list[int]:
    numbers: list[int] = []

    @given(st.integers())
    def keep(number: int) -> None:
        numbers.append(number)

    keep()
    return numbers


def test_the_examples_do_not_depend_on_the_modules_that_other_tests_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tried()
    source = tmp_path / "some_constants.py"
    source.write_text("\n".join(f"x{number} = {number}" for number in range(1_000_000, 1_000_300)))
    spec = importlib.util.spec_from_file_location("some_constants", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "some_constants", module)
    spec.loader.exec_module(module)
    assert tried() == before
