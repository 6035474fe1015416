import pytest

from tests.esregex.regex_vectors import FILES, RecordedPattern, recorded_patterns
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse


def is_accepted(pattern: RecordedPattern) -> bool:
    try:
        parse(pattern.source, pattern.flags)
    except RegexSyntaxError:
        return False
    return True


@pytest.mark.parametrize(("file", "fewest"), tuple(zip(FILES, (520, 20_000), strict=True)))
def test_the_parser_accepts_what_engines_accept(file: str, fewest: int) -> None:
    patterns = recorded_patterns(file)
    valid = [pattern for pattern in patterns if pattern.is_valid]
    assert len(patterns) >= fewest
    assert len(patterns) // 2 < len(valid) < len(patterns)
    differing = [pattern for pattern in patterns if is_accepted(pattern) != pattern.is_valid]
    assert not differing


def test_the_handwritten_patterns_have_many_subjects() -> None:
    sizes = {len(pattern.matches or ()) for pattern in recorded_patterns(FILES[0]) if pattern.is_valid}
    assert min(sizes) >= 200
