"""Conditions: the regular expressions of rules (spec R).

Owns the only addition of the rule language to ECMAScript, the leading flag group, and the lazily compiled matchers.
Must not know rules, streams or buffers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from ttsr_ls.checkpoint import with_checkpoints
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.finality.horizon import is_end_sensitive
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.pattern_size import is_too_large

T = TypeVar("T")

FLAG_GROUP = re.compile(r"\(\?([ims]+)\)")
"""The flag group of a condition (spec R1). The ECMAScript parser rejects a group with other letters, with its span."""


class _Matchers:
    """The compiled forms of a pattern. Each is built once, on first use. Thread-safe."""

    __slots__ = ("_end_sensitive", "_final", "_form", "_lock", "_ordinary", "_pattern")

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._lock = Lock()
        self._ordinary: Matcher | None = None
        self._final: Matcher | None = None
        self._form: Pattern | None = None
        self._end_sensitive: bool | None = None

    @property
    def ordinary(self) -> Matcher:
        with self._lock:
            if self._ordinary is None:
                self._ordinary = _compiled(self._pattern)
            return self._ordinary

    @property
    def end_sensitive(self) -> bool:
        with self._lock:
            if self._end_sensitive is None:
                self._end_sensitive = is_end_sensitive(self._pattern)
            return self._end_sensitive

    @property
    def final(self) -> Matcher:
        if is_too_large(self._pattern) or not self.end_sensitive:
            return self.ordinary
        with self._lock:
            if self._final is None:
                from ttsr_ls.esregex.finality.finality import final_form

                self._final = _compiled(final_form(self._pattern) if self._form is None else self._form)
            return self._final

    def remember_final_form(self, form: Pattern) -> None:
        self._form = form


def _compiled(pattern: Pattern) -> Matcher:
    # Imported lazily: the matchers are a third of all code, and the check of whether a condition is valid needs none.
    from ttsr_ls.esregex.match.compile import compile_untrusted

    return compile_untrusted(pattern)


class Condition(Struct, frozen=True, eq=False):
    """A compiled condition. Two conditions are equal if their sources are.

    `source` is the condition as authored, with its flag group; `pattern` is the tree of the text after that group, and
    its spans are offset by `pattern_offset` units from the authored text. `shown` is the text for users: `source`,
    unless the condition was derived from another text.
    """

    source: str
    shown: str
    flags: Flags
    pattern: Pattern
    pattern_offset: int
    _matchers: _Matchers
    _results: dict[object, Any] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and other.source == self.source

    def __hash__(self) -> int:
        return hash(self.source)

    def __repr__(self) -> str:
        return f"Condition({self.source!r})"

    def with_displayed_text(self, text: str) -> Condition:
        """Returns the same condition with another text for users."""
        return replace(self, shown=text)

    def cached_analysis(self, analysis: Callable[[Pattern], T]) -> T:
        """Returns the result of an analysis of the pattern, cached as long as the condition exists.

        A keystroke in a rule file changes one of its conditions at most. `analysis` must be pure, and its result
        immutable and not much larger than the pattern.
        """
        if analysis not in self._results:  # Two threads may both get here; their results are equal.
            self._results[analysis] = analysis(self.pattern)
        result: T = self._results[analysis]
        return result

    def cached_items(self, analysis: Callable[[Pattern], Iterable[T]], limit: int | None = None) -> tuple[T, ...]:
        """Returns the first `limit` results of an analysis that yields them, or all; cached as in `cached_analysis`."""
        key = (analysis, limit)
        if key not in self._results:
            self._results[key] = tuple(with_checkpoints(islice(analysis(self.pattern), limit)))
        result: tuple[T, ...] = self._results[key]
        return result

    @property
    def matcher(self) -> Matcher:
        """The matcher for complete texts."""
        return self._matchers.ordinary

    @property
    def final_matcher(self) -> Matcher:
        """The matcher for prefixes of a text: matches those on which the match is final, so that no continuation can
        undo it.
        """
        return self._matchers.final

    def remember_final_form(self, form: Pattern) -> None:
        """Stores the final form of the pattern that a search has computed. `final_matcher` then need not compute it,
        which takes half of the time to build the matcher.
        """
        self._matchers.remember_final_form(form)

    @property
    def is_end_sensitive(self) -> bool:
        """True if following text can undo a match of a prefix, so that `reference` and `stable` matching may differ."""
        return self._matchers.end_sensitive


# An editor compiles all conditions of a rule file at each keystroke: up to 1,000 (`condition_limits`). A smaller cache
# would evict each condition before it is compiled again.
_MAX_CACHED = 1_500
_MAX_CACHED_LENGTH = 4096
# The trees of long conditions take megabytes, and a command compiles the same few many times.
_MAX_LONG_CACHED = 2


def compile_condition(text: str) -> Condition:
    """Returns the condition of a trimmed, authored text (spec R1). The result may be shared.

    Raises `RegexSyntaxError` with a span in units of `text`, including the flag group.
    """
    return _compile_cached(text) if len(text) <= _MAX_CACHED_LENGTH else _compile_long_cached(text)


def _compile(text: str) -> Condition:
    group = FLAG_GROUP.match(text)
    if group is None:
        return _condition(text, Flags(), parse(text), 0)
    letters = group[1]
    flags = Flags(ignore_case="i" in letters, multiline="m" in letters, dot_all="s" in letters)
    try:
        pattern = parse(text[group.end() :], flags)
    except RegexSyntaxError as error:
        raise RegexSyntaxError(error.message, error.span.shifted(group.end())) from error
    return _condition(text, flags, pattern, group.end())


_compile_cached = lru_cache(_MAX_CACHED)(_compile)
_compile_long_cached = lru_cache(_MAX_LONG_CACHED)(_compile)


def _condition(source: str, flags: Flags, pattern: Pattern, pattern_offset: int) -> Condition:
    return Condition(source, source, flags, pattern, pattern_offset, _Matchers(pattern))
