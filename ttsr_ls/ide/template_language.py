"""The language of the templates of rules: the one in which most files of the workspace are written. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from posixpath import splitext

from msgspec import Struct

_MAX_SUFFIXES = 3
_LEAST_SHARE = 0.05
"""The least share of a suffix in the files of its language: the glob leaves out rarer ones, such as that of a single
configuration file."""


class TemplateLanguage(Struct, frozen=True):
    """A language in templates: a glob of its files, an ast-grep pattern, and code that the pattern matches.

    `suffixes` are those of its files, the usual one first.
    """

    suffixes: tuple[str, ...]
    pattern: str
    sample: str

    @property
    def glob(self) -> str:
        """A glob of the files."""
        names = [suffix.removeprefix(".") for suffix in self.suffixes]
        return f"*.{names[0]}" if len(names) == 1 else f"*.{{{','.join(names)}}}"

    @property
    def path(self) -> str:
        """The name of a file that the glob matches."""
        return f"a{self.suffixes[0]}"


_LANGUAGES = tuple(
    TemplateLanguage(tuple(f".{suffix}" for suffix in suffixes.split()), pattern, sample)
    for suffixes, pattern, sample in (
        ("ts tsx js jsx mts cts mjs cjs", "console.log($$$)", "console.log(1)"),
        ("py pyi", "print($$$)", "print(1)"),
        ("go", "panic($$$)", "panic(1)"),
        ("rs", "$A.unwrap()", "let a = b.unwrap();"),
        ("java", "System.out.println($$$)", "System.out.println(1)"),
        ("kt kts", "println($$$)", "println(1)"),
        ("scala", "println($$$)", "println(1)"),
        ("swift", "print($$$)", "print(1)"),
        ("rb", "puts($$$)", "puts(1)"),
        ("php", "var_dump($$$)", "<?php var_dump(1);"),
        ("cs", "Console.WriteLine($$$)", "Console.WriteLine(1)"),
        ("c h", "printf($$$);", "printf(1);"),
        ("cpp cc cxx hpp hh hxx", "printf($$$)", "printf(1);"),
        ("dart", "print($$$)", "print(1)"),
        ("lua", "print($$$)", "print(1)"),
        ("ex exs", "IO.inspect($$$)", "IO.inspect(1)"),
    )
)
DEFAULT_LANGUAGE = TemplateLanguage((".ts",), _LANGUAGES[0].pattern, _LANGUAGES[0].sample)
"""The language of templates in a workspace without files of a known language."""
_BY_SUFFIX = {suffix: language for language in _LANGUAGES for suffix in language.suffixes}


def template_language(files: Iterable[str]) -> TemplateLanguage:
    """The language of most of the `files`, which are relative paths, with the suffixes that occur there."""
    return _most_frequent(tuple(files))


@lru_cache(maxsize=2)
def _most_frequent(files: tuple[str, ...]) -> TemplateLanguage:
    # Cached: an editor requests completions at each key, and the list of files stays the same for seconds.
    counts = Counter(splitext(file)[1].lower() for file in files)
    of_language: Counter[TemplateLanguage] = Counter()
    for suffix, count in counts.items():
        if (language := _BY_SUFFIX.get(suffix)) is not None:
            of_language[language] += count
    if not of_language:
        return DEFAULT_LANGUAGE
    # On a tie, the order of `_LANGUAGES` decides, and not the order of the files.
    main = max(_LANGUAGES, key=lambda language: of_language[language])
    least = of_language[main] * _LEAST_SHARE
    usual = sorted((suffix for suffix in main.suffixes if counts[suffix] > least), key=lambda each: -counts[each])
    return TemplateLanguage(tuple(usual[:_MAX_SUFFIXES]), main.pattern, main.sample)
