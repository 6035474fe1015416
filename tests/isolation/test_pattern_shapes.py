"""The shapes of AST patterns, from a process that may hang or crash."""

import subprocess
import sys

import pytest

from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.isolation.worker import Worker, WorkerLostError
from ttsr_ls.matching.ast.search import MAX_AST_PATTERN, PatternShape


@pytest.mark.parametrize(
    ("pattern", "language", "shape"),
    [
        ("$A as any", "typescript", PatternShape.NODE),
        ("as any", "typescript", PatternShape.SEVERAL),
        ("as any", "bash", PatternShape.NODE),
        ("$$$", "go", PatternShape.NODE),
        ("", "go", PatternShape.NOTHING),
        ("foo(", "javascript", PatternShape.BROKEN),
        ("\ud800", "python", PatternShape.NODE),
        ("x" * (MAX_AST_PATTERN + 1), "python", PatternShape.UNKNOWN),
    ],
)
def test_ast_patterns_have_their_shapes(pattern: str, language: str, shape: PatternShape) -> None:
    with PatternShapeCache() as checked:
        assert checked.shape(pattern, language) is shape
        assert checked.shape(pattern, language) is shape


def test_deeply_nested_patterns_do_not_prevent_later_answers() -> None:
    with PatternShapeCache() as checked:
        for opening in ("(", "[", "if(a){", "-", "{"):
            checked.shape(opening * (MAX_AST_PATTERN // len(opening)), "bash")
        assert checked.shape("as any", "typescript") in (PatternShape.SEVERAL, PatternShape.UNKNOWN)


def test_the_shape_is_unknown_if_the_process_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(self: Worker, seconds: float, processor_seconds: float = 0.0) -> object:
        raise WorkerLostError("gone")

    monkeypatch.setattr(Worker, "answer", lost)
    with PatternShapeCache() as checked:
        assert checked.shape("as any", "typescript") is PatternShape.UNKNOWN


def test_nothing_is_imported_or_started_before_the_first_pattern() -> None:
    code = (
        "import sys; from ttsr_ls.isolation.pattern_shapes import PatternShapeCache\n"
        "dear = {'subprocess', 'ast_grep_py', 'ttsr_ls.isolation.worker'}\n"
        "with PatternShapeCache(): print(sorted(dear.intersection(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
