"""The language in which the text of a tool call is parsed for AST conditions (spec A1, A3).

Owns the table from file name extensions to grammars, the names of the languages, and the list of the reference agent's
languages that are missing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

# A grammar of ast-grep's Python package, by its name there, with the extensions for which the reference uses it. The
# package must never be given any other name: it would panic.
_EXTENSIONS = {
    "bash": "bash bats ksh sh zsh",
    "c": "c h",
    "cpp": "c++ cc cpp cu cuh cxx hh hpp ino",
    "csharp": "c# cs csharp",
    "css": "css",
    "dart": "dart",
    "elixir": "elixir ex exs",
    "go": "go golang",
    "haskell": "haskell hs",
    "hcl": "hcl terraform tf tfvars",
    "html": "htm html xhtml",
    "java": "java",
    "javascript": "cjs javascript js jsx mjs",
    "json": "json",
    "kotlin": "kotlin kt ktm kts",
    "lua": "lua",
    "markdown": "markdown md mdx",
    "nix": "nix",
    "php": "php",
    "python": "py py3 pyi python",
    "ruby": "gemspec rb rbw ruby",
    "rust": "rs rust",
    "scala": "sbt sc scala",
    "solidity": "sol solidity",
    "swift": "swift",
    "tsx": "tsx",
    "typescript": "cts mts ts typescript",
    "yaml": "yaml yml",
    "zig": "zig",
}

# What the reference parses with grammars that the package does not have.
_MISSING = frozenset(
    (
        "astro", "bazel", "bzl", "cfg", "clj", "cljc", "cljs", "clojure", "clojurescript", "cmake", "conf", "config",
        "containerfile", "diff", "docker", "dockerfile", "edn", "el", "elisp", "emacs-lisp", "emacslisp", "erl",
        "erlang", "f03", "f08", "f90", "f95", "fortran", "gnumake", "gql", "graphql", "hrl", "ini", "jl", "julia",
        "just", "justfile", "m", "mak", "make", "makefile", "mk", "ml", "mm", "obj-c", "objc", "objective-c", "ocaml",
        "odin", "patch", "pcal", "plist", "pluscal", "powershell", "properties", "proto", "protobuf", "ps1", "psm1",
        "r", "re", "regex", "skylark", "sql", "star", "starlark", "sv", "svelte", "svg", "svh", "systemverilog",
        "tla", "tla+", "tlaplus", "toml", "v", "verilog", "vh", "vue", "xml", "xsl", "xslt",
    )
)  # fmt: skip

_LANGUAGES = {extension: grammar for grammar, extensions in _EXTENSIONS.items() for extension in extensions.split()}


class NoLanguage(StrEnum):
    """The reason why a text cannot be parsed. The value is shown to users."""

    NO_EXTENSION = "no path with a file name extension is known"
    MISSING = "oh-my-pi has a grammar for files of this kind, ttsr-ls has none"
    UNKNOWN = "files of this kind have no grammar"


GRAMMARS = frozenset(_EXTENSIONS)
"""The names of all grammars that there are."""

_UPPER_CASE = ("css", "hcl", "html", "json", "php", "tsx", "yaml")
_DISPLAY_NAMES = {
    "bash": "bash", "cpp": "C++", "csharp": "C#", "javascript": "JavaScript", "typescript": "TypeScript",
    **{grammar: grammar.upper() for grammar in _UPPER_CASE},
}  # fmt: skip


def language_names(languages: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of languages as users write them, such as `C#`, sorted. Values of `NoLanguage` are left out."""
    names = (_DISPLAY_NAMES.get(grammar, grammar.capitalize()) for grammar in GRAMMARS.intersection(languages))
    return tuple(sorted(names, key=str.casefold))


def language_of(paths: Iterable[str]) -> str | NoLanguage:
    """Returns the grammar for a tool call with these candidate paths: that of the first path that has an extension.

    Only the extension counts, ignoring case: a `Dockerfile` has none.
    """
    for path in paths:
        extension = _extension(path)
        if extension:
            suffix = extension.lower().strip()
            if suffix in _LANGUAGES:
                return _LANGUAGES[suffix]
            return NoLanguage.MISSING if suffix in _MISSING else NoLanguage.UNKNOWN
    return NoLanguage.NO_EXTENSION


def _extension(path: str) -> str:
    """Returns the extension of the last segment; empty if its only dot begins or ends the name."""
    segments = path.replace("\\", "/").rstrip("/").rpartition("/")
    stem, dot, extension = segments[2].rpartition(".")
    return extension if dot and stem else ""
