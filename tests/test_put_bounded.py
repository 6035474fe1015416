"""Bounded mappings forget their oldest keys."""

from ttsr_ls.put_bounded import put_bounded


def test_a_new_key_beyond_the_limit_removes_the_oldest() -> None:
    mapping: dict[str, int] = {}
    for number, key in enumerate("abc"):
        put_bounded(mapping, key, number, 2)
    assert mapping == {"b": 1, "c": 2}


def test_an_existing_key_removes_no_other() -> None:
    mapping = {"a": 1, "b": 2}
    put_bounded(mapping, "a", 3, 2)
    assert mapping == {"a": 3, "b": 2}
