"""Parses a test file, `NAME.test.yml`, to its cases and problems. Never raises, for any text."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from ttsr_ls.escaping import one_line
from ttsr_ls.rule_tests.case import (
    CaseExpectation,
    CaseFile,
    CaseFix,
    CaseKind,
    CaseOrigin,
    CaseProblem,
    RuleTestCase,
    StreamSpec,
)
from ttsr_ls.rule_tests.case_fixes import remove_entry, write, write_as_list
from ttsr_ls.rule_tests.keys import (
    CHUNKS,
    DEFAULTS,
    EXPECTED_KEYS,
    INVALID_KEYS,
    STREAM_KEYS,
    TEXT,
    VALID_KEYS,
    CaseKey,
    ValueKind,
)
from ttsr_ls.rule_tests.yaml_document import YamlList, YamlMap, YamlScalar, YamlValue, read_yaml
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.text import Span, truncate

_TOP_KEYS = (str(CaseKind.VALID), str(CaseKind.INVALID), DEFAULTS)
_MAX_SHOWN_LENGTH = 40
_Values = dict[str, YamlValue]


def read_case_file(text: str) -> CaseFile:
    """Reads the text of a test file."""
    document = read_yaml(text)
    if document.problem is not None:
        return CaseFile((), (document.problem,))
    reader = _Reader(text)
    cases = tuple(reader.cases(document.value))
    return CaseFile(cases, tuple(reader.problems))


class _Reader:
    def __init__(self, text: str) -> None:
        self._source = text
        self.problems: list[CaseProblem] = []

    def cases(self, value: YamlValue | None) -> Iterator[RuleTestCase]:
        if not isinstance(value, YamlMap):
            span = Span(0, 0) if value is None else value.span
            self._report("A test file has the keys `valid` and `invalid`, each with a list of cases.", span)
            return
        found = self._entries(value, _TOP_KEYS)
        defaults = found.pop(DEFAULTS, None)
        stream = StreamSpec()
        if isinstance(defaults, YamlMap):
            stream = self._stream(self._entries(defaults, tuple(key.name for key in STREAM_KEYS)), stream)
        elif defaults is not None:
            self._report("`defaults` has keys of its own, such as `path: src/a.ts`.", defaults.span)
        count = 0
        for kind in CaseKind:
            listed = found.get(kind)
            if isinstance(listed, YamlScalar) and listed.is_null:
                continue
            if isinstance(listed, YamlList):
                for number, item in enumerate(listed.items, 1):
                    case = self._case(kind, number, item, stream)
                    if case is not None:
                        count += 1
                        yield case
            elif listed is not None:
                key = next(key for key, entry in value.entries if entry is listed)
                fix = write_as_list(self._source, key, listed)
                self._report(f"`{kind}` is a list of cases: write `- ` before each.", listed.span, fix)
        if not count and not self.problems:
            self._report("There are no cases. Write texts below `valid` and `invalid`, each after a `- `.", value.span)

    def _case(self, kind: CaseKind, number: int, value: YamlValue, defaults: StreamSpec) -> RuleTestCase | None:
        if isinstance(value, YamlScalar):
            text = self._text(TEXT.name, value)
            deltas: tuple[str, ...] | None = None if text is None else (text,)
            found: _Values = {}
        elif isinstance(value, YamlMap):
            known = INVALID_KEYS if kind is CaseKind.INVALID else VALID_KEYS
            found = self._entries(value, tuple(key.name for key in known))
            deltas = self._deltas(found, value.span)
        else:
            self._report("A case is a text, or has keys such as `text` and `path`.", value.span)
            return None
        before = len(self.problems)
        stream = self._stream(found, defaults)
        is_stream_known = len(self.problems) == before
        # A mistake in an expectation or in the name hides no failure: the case is run without that part.
        expected = self._expectation(found)
        name = self._text("name", found["name"]) if "name" in found else None
        if deltas is None or not is_stream_known:
            return None
        spans = {key.name: found[key.name].span for key in EXPECTED_KEYS if key.name in found}
        return RuleTestCase(
            kind, CaseOrigin.FILE, number, name, deltas, stream, expected, _start_of(value), expected_spans=spans
        )

    def _deltas(self, found: _Values, span: Span) -> tuple[str, ...] | None:
        text, chunks = found.get(TEXT.name), found.get(CHUNKS.name)
        if (text is None) is (chunks is None):
            self._report("A case has either `text` or `chunks`.", Span(span.start, span.start + 1))
            return None
        if text is not None:
            whole = self._text(TEXT.name, text)
            return None if whole is None else (whole,)
        if not isinstance(chunks, YamlList):
            assert chunks is not None
            self._report("`chunks` is a list of texts, in the order in which they are streamed.", chunks.span)
            return None
        parts = [self._text(CHUNKS.name, item) for item in chunks.items]
        return None if None in parts else tuple(part for part in parts if part is not None)

    def _stream(self, found: _Values, defaults: StreamSpec) -> StreamSpec:
        settings = {key.name: self._text(key.name, found[key.name], key) for key in STREAM_KEYS if key.name in found}
        if any(value is None for value in settings.values()):
            return defaults
        # A case that specifies its stream takes only `matching` from contradicting defaults.
        source, tool, path = settings.get("source"), settings.get("tool"), settings.get("path")
        is_prose = source in (Source.TEXT, Source.THINKING)
        if is_prose and (tool is not None or path is not None):
            self._report(
                "Text and thinking have no tool and no path.", found["tool" if tool is not None else "path"].span
            )
        matching = settings.get("matching")
        return StreamSpec(
            source=defaults.source if source is None and tool is None and path is None else _source_of(source),
            tool=tool if tool is not None or is_prose else defaults.tool,
            path=path if path is not None or is_prose else defaults.path,
            matching=defaults.matching if matching is None else Matching(matching),
        )

    def _expectation(self, found: _Values) -> CaseExpectation:
        condition = self._text("condition", found["condition"]) if "condition" in found else None
        return CaseExpectation(condition, self._number("offset", found), self._number("line", found))

    def _entries(self, value: YamlMap, known: tuple[str, ...]) -> _Values:
        """Returns the entries with known keys. Reports unknown and repeated keys.

        A misspelt key is read as the intended key, so that it hides no failure of the cases.
        """
        found: _Values = {}
        misspelt: _Values = {}
        for index, (key, entry) in enumerate(value.entries):
            if key.text not in known:
                meant = _nearest(key.text, known)
                fix = remove_entry(self._source, value, index) if meant is None else write(meant, key.span)
                self._report(_unknown(key.text, meant, known), key.span, fix)
                if meant is not None:
                    misspelt.setdefault(meant, entry)
            elif key.text in found:
                fix = remove_entry(self._source, value, index)
                self._report(f"`{key.text}` is given twice, and the first one counts. Remove one.", key.span, fix)
            else:
                found[key.text] = entry
        return misspelt | found

    def _text(self, name: str, value: YamlValue, key: CaseKey | None = None) -> str | None:
        if not isinstance(value, YamlScalar) or not value.is_string:
            message = f"`{name}` takes {ValueKind.TEXT.value}."
            if isinstance(value, YamlScalar) and value.text:
                quoted = "'" + value.text.replace("'", "''") + "'"
                self._report(f"{message} Put the value in quotes.", value.span, write(quoted, value.span))
            else:
                self._report(message, value.span)
            return None
        if key is not None and key.values is not None and value.text not in key.values:
            listed = ", ".join(f"`{each}`" for each in key.values)
            near = _nearest(value.text, key.values)
            fix = None if near is None else write(near, value.span)
            self._report(f"`{name}` is one of {listed}.", value.span, fix)
            return None
        return value.text

    def _number(self, name: str, found: _Values) -> int | None:
        value = found.get(name)
        if value is None:
            return None
        if isinstance(value, YamlScalar) and value.is_integer and value.text.isdecimal() and len(value.text) < 10:
            return int(value.text)
        quoted = self._source[value.span.start : value.span.end]
        digits = quoted.strip("'\"")
        is_quoted = len(digits) < len(quoted) < 12 and digits.isascii() and digits.isdecimal()
        fix = write(digits, value.span) if is_quoted else None
        self._report(f"`{name}` takes {ValueKind.NUMBER.value}, such as 12.", value.span, fix)
        return None

    def _report(self, message: str, span: Span, fix: CaseFix | None = None) -> None:
        self.problems.append(CaseProblem(message, span, fix))


def _source_of(source: str | None) -> Source:
    return Source.TOOL if source is None else Source(source)


def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    near = get_close_matches(name[:_MAX_SHOWN_LENGTH], known, n=1)
    return near[0] if near else None


def _unknown(name: str, meant: str | None, known: tuple[str, ...]) -> str:
    shown = one_line(truncate(name, _MAX_SHOWN_LENGTH))
    listed = ", ".join(f"`{each}`" for each in known)
    hint = f"Is `{meant}` meant?" if meant is not None else f"There are {listed}. Write one of them, or remove the key."
    return f"There is no key `{shown}` here. {hint}"


def _start_of(value: YamlValue) -> Span:
    """Returns the span of a case's first key, or of its text, because a whole case can have many lines."""
    if isinstance(value, YamlMap) and value.entries:
        return value.entries[0][0].span
    return value.span
