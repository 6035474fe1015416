"""Folders with ignore files of which the reference agent's listing is recorded, handwritten and random ones."""

from __future__ import annotations

import random
from typing import Any

FLAT = {f"r/.omp/rules/{name}": "x" for name in ("a.md", "b.md", "ab.md", "c.mdc")}
DEEP = {
    f"r/.github/instructions/{name}": "x"
    for name in ("a.md", "b.md", "s/a.md", "s/b.md", "s/t/a.md", "s/rules/a.md", "u/ab.md")
}
_GIT = {"r/.git/": ""}


def flat(files: dict[str, str]) -> dict[str, Any]:
    return {"folder": "r/.omp/rules", "recursive": False, "files": {**FLAT, **files}}


def deep(files: dict[str, str]) -> dict[str, Any]:
    return {"folder": "r/.github/instructions", "recursive": True, "files": {**DEEP, **files}}


# One line or more of a `.gitignore` at the root of the repository.
_PATTERNS = (
    "a.md",
    ".omp/",
    ".omp",
    ".omp/rules",
    ".omp/rules/",
    ".omp/*",
    ".omp/**",
    ".omp/**/*",
    ".omp/*/*",
    ".omp/*/a.md",
    ".omp/rules/*",
    ".omp/rules/**",
    ".omp/rules/**/a.md",
    "**/.omp/rules/a.md",
    "**/rules/a.md",
    "**/a.md",
    "*/a.md",
    "/a.md",
    "/.omp/rules/a.md",
    "./.omp/rules/a.md",
    "rules",
    "rules/",
    "rules/a.md",
    "rules/**",
    "**/rules/**",
    "**/rules/*",
    "[ab].md",
    "[!a].md",
    "[^a].md",
    "[]a].md",
    "[a-b].md",
    "[z-a].md\nb.md",
    "[[:alpha:]].md",
    "a.m[d",
    ".omp/rules/[!a]*.md",
    ".omp/rules[/]b.md",
    "?.md",
    ".omp?rules?a.md",
    "\\a.md",
    "a.md ",
    "a.md\\ ",
    "a.md\t",
    "a.md\r",
    "#a.md",
    "\\#a.md",
    "\\!a.md",
    "A.MD",
    "a.md/",
    "a.md//",
    "//a.md",
    "a",
    "a.*",
    "{a,b}.md",
    "{a,{b,ab}}.md",
    "{a,}b.md",
    "{a.md\nb.md}\nab.md",
    "{a\\,b}.md",
    "{.omp/rules,x}/a.md",
    "a.md\\\nb.md",
    "[\na.md",
    "a**.md",
    "**a.md",
    "***.md",
    "***/a.md",
    "**/**/a.md",
    ".omp/**/a.md\nrules/**/b.md\n/**/ab.md",
    "/.omp/rules/**a.md",
    "*",
    "**",
    "/**",
    "/*",
    "!",
    "a.md\n!",
    "/",
    "!a.md",
    "*.md\n!a.md",
    "!a.md\n*.md",
    "*\n!a.md",
    "*\n!*/\n!a.md",
    "*\n!rules",
    "*\n!.omp",
    "*\n!.omp/\n!.omp/rules/",
    "*\na.md",
    "a.md\n*",
    "*.md\n*",
    "*\n?ules",
    "*\n!*.md\n*",
    "{.omp,a.md}",
    "{rules,a.md}",
    "{rules,a.md}\n!rules",
    "{rules,*.md}\n!a.md",
    "{.omp,a.md}\n!.omp\n{rules,b.md}",
    "{rules,a.md}\n!rules\n.omp",
    "*.md\n!{a.md,.omp}\n.omp",
    ".omp/\na.md",
    ".omp/*\n!.omp/rules/\na.md",
    "\ufeffa.md",
)
_DEEP_PATTERNS = (
    "s/", "s", "t/", "s/t", "s/*", "**/s/**", "*", "{s,a.md}", "{instructions,s,a.md}", ".github/\ns/", "*\n!*/",
    "*\n!*/\n!s/a.md", "s/\n!s/a.md", ".github/instructions/s", "*.md\n!s/*.md", "{instructions,t}",
)  # fmt: skip
_PLACED = (
    {"r/.gitignore": "a.md\n"},
    {**_GIT, ".git/": "", ".gitignore": "a.md\n", "r/.gitignore": "b.md\n"},
    {**_GIT, ".git/": "", ".ignore": "a.md\n", "r/.gitignore": "b.md\n"},
    {".git/": "", "r/.gitignore": "a.md\n"},
    {".git/": "", ".gitignore": "r/\na.md\n", "r/.gitignore": "b.md\n"},
    {"r/.git": "gitdir: elsewhere", "r/.gitignore": "a.md\n"},
    {"r/.jj/": "", "r/.gitignore": "a.md\n", "r/.ignore": "b.md\n"},
    {"r/.hg/": "", "r/.gitignore": "a.md\n"},
    {**_GIT, "r/.omp/.git/": "", "r/.gitignore": "a.md\n"},
    {**_GIT, "r/.omp/rules/.git/": "", "r/.gitignore": "a.md\n"},
    {"r/.omp/rules/.git/": "", "r/.omp/rules/.gitignore": "a.md\n", "r/.omp/.gitignore": "b.md\n"},
    {**_GIT, "r/.omp/.gitignore": "*\n", "r/.gitignore": "a.md\n"},
    {**_GIT, "r/.omp/rules/.gitignore": "*\n"},
    {**_GIT, "r/.omp/rules/.gitignore": "/a.md\nrules/b.md\n"},
    {"r/.omp/rules/.gitignore": "a.md\n", "r/.omp/rules/.ignore": "b.md\n", "r/.ignore": "ab.md\n"},
    {**_GIT, "r/.git/info/exclude": "a.md\n", "r/.gitignore": "!a.md\n"},
    {**_GIT, "r/.git/info/exclude": ".omp/\nb.md\n", "r/.gitignore": "a.md\n"},
    {"r/.omp/rules/.git/info/exclude": "a.md\n"},
    {**_GIT, "r/.ignore": "!a.md\n", "r/.gitignore": "*.md\n"},
    {**_GIT, "r/.ignore": "a.md\n", "r/.omp/rules/.gitignore": "!a.md\n"},
    {**_GIT, "r/.ignore": "!a.md\n", "r/.omp/rules/.gitignore": "a.md\n"},
    {**_GIT, "r/.ignore": "!rules\n", "r/.gitignore": "*\n"},
    {**_GIT, "r/.gitignore": "*.md\n", "r/.omp/rules/.gitignore": "!a.md\n"},
    {**_GIT, "r/.gitignore": "{rules,a.md}\n", "r/.omp/.gitignore": "!rules\n"},
    {**_GIT, "r/.gitignore/": ""},
    {**_GIT, "r/.rgignore": "a.md\n", "r/.fdignore": "b.md\n"},
)
_DEEP_PLACED = (
    {**_GIT, "r/.github/instructions/s/.gitignore": "a.md\n"},
    {**_GIT, "r/.github/instructions/s/.gitignore": "/a.md\n"},
    {**_GIT, "r/.gitignore": "a.md\n", "r/.github/instructions/s/.git/": ""},
    {**_GIT, "r/.gitignore": "b.md\n", "r/.github/instructions/s/.git/info/exclude": "a.md\n"},
    {"r/.github/instructions/node_modules/n.md": "x", "r/.github/instructions/.h/n.md": "x"},
)

HANDWRITTEN = [
    *(flat({**_GIT, "r/.gitignore": f"{patterns}\n"}) for patterns in _PATTERNS),
    *(deep({**_GIT, "r/.gitignore": f"{patterns}\n"}) for patterns in _DEEP_PATTERNS),
    *(flat(files) for files in _PLACED),
    *(deep(files) for files in _DEEP_PLACED),
]

_ATOMS = (
    "a", "b", "md", ".", "*", "?", "**", "/", "!", "{", "}", ",", "[", "]", "\\", "-", " ", "rules", ".omp", "r", "#",
    "a.md", "b.md", "ab.md", "*.md", "[ab]", "{a,b}", "*/", "/**", "**/", "[!a]", "rules/", ".omp/",
)  # fmt: skip
_LINES = (
    "a.md", "*.md", "!a.md", "rules", "rules/", "/r", ".omp", "*", "!*", "**", "!rules/", "!.omp/", ".omp/*",
    ".omp/rules/*", "**/a.md", "/a.md", "b*", "s/", "{rules,a.md}", "!*/",
)  # fmt: skip
_FLAT_PLACES = (
    "r/.gitignore", "r/.gitignore", "r/.omp/.gitignore", "r/.omp/rules/.gitignore", "r/.ignore", ".gitignore",
    "r/.git/info/exclude", "r/.omp/rules/.ignore",
)  # fmt: skip
_DEEP_PLACES = (
    "r/.gitignore", "r/.github/.gitignore", "r/.github/instructions/.gitignore",
    "r/.github/instructions/s/.gitignore", "r/.ignore",
)  # fmt: skip


def generate(seed: int, count: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [_generated(rng, flat, _FLAT_PLACES) if rng.random() < 0.7 else _generated(rng, deep, _DEEP_PLACES)
            for _ in range(count)]  # fmt: skip


def _generated(rng: random.Random, make: Any, places: tuple[str, ...]) -> dict[str, Any]:
    files = dict(_GIT) if rng.random() < 0.85 else {}
    if rng.random() < 0.2:
        files[".git/"] = ""
    for place in rng.sample(places, rng.choice((1, 1, 2, 3))):
        lines = [_line(rng) for _ in range(rng.randint(1, 3))]
        if make is deep:
            lines = [
                line.replace(".omp", ".github").replace("rules", rng.choice(("instructions", "s"))) for line in lines
            ]
        files[place] = "".join(f"{line}\n" for line in lines)
    case: dict[str, Any] = make(files)
    return case


def _line(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return rng.choice(_LINES)
    return "".join(rng.choice(_ATOMS) for _ in range(rng.randint(1, 5)))
