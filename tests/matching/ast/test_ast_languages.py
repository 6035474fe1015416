import re
from pathlib import Path

import pytest

from tests.matching.ast.ast_vectors import NOT_HERE, RECORDED, answers, groups
from ttsr_ls.matching.ast.languages import GRAMMARS, NoLanguage, language_names, language_of

MANUAL = Path(__file__).parents[3] / "docs/ast-conditions.md"


@pytest.mark.parametrize("group", groups())
def test_every_recorded_path_has_the_language_it_was_recorded_for(group: str) -> None:
    assert {language_of([path]) for path in RECORDED[group]["paths"]} == {group}


def test_every_grammar_has_recorded_answers() -> None:
    assert set(groups()) == GRAMMARS


def test_languages_that_only_the_reference_supports_are_reported_as_missing() -> None:
    assert {language_of([path]) for path in RECORDED[NOT_HERE]["paths"]} == {NoLanguage.MISSING}


def test_a_path_has_a_language_if_and_only_if_the_reference_matches_there() -> None:
    asked_answers = [answer for answer in answers("none") if answer.pattern == "$A" and answer.source]
    matching = {answer.path for answer in asked_answers if answer.matches}
    assert matching == {
        answer.path for answer in asked_answers if not isinstance(language_of([answer.path]), NoLanguage)
    }
    assert 0 < len(matching) < len({answer.path for answer in asked_answers})


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ((), NoLanguage.NO_EXTENSION),
        (("Dockerfile",), NoLanguage.NO_EXTENSION),
        ((".ts",), NoLanguage.NO_EXTENSION),
        (("a.",), NoLanguage.NO_EXTENSION),
        (("Makefile", "b.py"), "python"),
        (("a.txt", "b.py"), NoLanguage.UNKNOWN),
        (("..ts",), "typescript"),
        (("dir.py/file",), NoLanguage.NO_EXTENSION),
        (("C:\\code\\A.TSX",), "tsx"),
        (("a.ts/",), "typescript"),
    ],
)
def test_the_first_path_with_an_extension_decides_the_language(paths: tuple[str, ...], expected: str) -> None:
    assert language_of(paths) == expected


def test_languages_have_the_names_of_the_manual() -> None:
    section = MANUAL.read_text(encoding="utf-8").partition("## Languages\n\n")[2].partition(", by the extensions")[0]
    assert sorted(re.split(r",\s+|\s+and\s+", section)) == sorted(language_names(GRAMMARS))


def test_files_without_a_language_have_no_name() -> None:
    assert language_names({"csharp", "bash", NoLanguage.UNKNOWN, NoLanguage.MISSING}) == ("bash", "C#")
