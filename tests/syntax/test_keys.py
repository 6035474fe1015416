"""The table of keys."""

import re

import pytest

from ttsr_ls.syntax.keys import KEYS, Key, Kind, find_key
from ttsr_ls.syntax.reader import read_rule


def example(key: Key) -> str:
    [found] = re.findall(r"```yaml\n(.*?)```", key.documentation, re.DOTALL)
    return found


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
class TestEachKey:
    def test_its_example_is_read_without_a_problem(self, key: Key) -> None:
        file = read_rule(f"---\n{example(key)}---\nBody.", name="rule", path="rule.md")
        assert file.frontmatter is not None
        assert file.frontmatter.entry(key.name) is not None
        assert file.problems == ()

    def test_its_spellings_find_it(self, key: Key) -> None:
        assert key.spellings[0] == key.name
        assert all(find_key(spelling) is key for spelling in key.spellings)

    def test_values_are_only_limited_for_strings(self, key: Key) -> None:
        assert key.values is None or key.kinds == (Kind.STRING,)


def test_keys_in_another_case_or_snake_case_are_unknown() -> None:
    assert [find_key(spelling) for spelling in ("Condition", "interrupt_mode", "always_apply")] == [None, None, None]
