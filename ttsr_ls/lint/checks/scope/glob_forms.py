"""Finds globs in the syntax of other programs, which match no path here (spec G2 to G4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.globs.every_file import EVERY_FILE
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.scalars import ScalarStyle, replaced_part, scalar_at, single_quoted, style_of
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.inspection.globs import is_whole_glob, split_at_commas
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS

_UNMATCHABLE = "unmatchable-glob"
_HALF = "half-globstar"
_CASE = "glob-case"

# Before a bracket, a brace or a mark a backslash is one that somebody meant.
_BACKSLASH = re.compile(r"\\(?=[\w.*-])")
_BLANK_IN_BRACES = re.compile(r"(?<=,)[ \t]+|[ \t]+(?=[,}])|(?<=\{)[ \t]+")
# A name may have a dollar: `$RECYCLE.BIN`. The folder of the user is not that of the project.
_VARIABLE = re.compile(r"(?:\$\{\w+\}|\$(?:PWD|HOME|USERPROFILE|PROJECT_ROOT|CLAUDE_PROJECT_DIR)\b)(?=/)")
_AT_HOME = re.compile(r"\$\{?(?:HOME|USERPROFILE|userHome)\b")
# `(ts|tsx)` and `[ts|tsx]`: neither a pattern with a mark before it, nor a class of single characters.
_CHOICE = re.compile(r"(?<![@+*?!])\((?P<round>\w+(?:\|\w+)+)\)|\[(?P<square>\w{2,}(?:[|,]\w{2,})+)\]")
_OTHER_SEPARATORS = re.compile(r"\s*[;|]\s*|\s+")
_SHORT_GLOB = re.compile(r"(?:[\w.*-]+/)*[\w.-]*\*[\w.*-]*")
_CAPITALS = re.compile(r"\.([A-Z]{2,4}|(?=[a-z]*[A-Z])[A-Za-z]{2,6}|\{(?=[a-z,]*[A-Z])[A-Za-z,]{2,60}\})\Z")
_USUAL_NAMES = {
    name.lower(): name
    for name in ("AGENTS.md", "CLAUDE.md", "Cargo.toml", "Dockerfile", "GEMINI.md", "Gemfile", "README.md", "SKILL.md")
}
"""Names of files that are written one way nearly everywhere."""
_GLOBSTAR = re.compile(r"(?<![*\\])\*\*(?=[^/*,}])|(?<=[^/*{,\\!])\*\*(?!\*)")
SUFFIXES = frozenset((
    ".c", ".cpp", ".cs", ".css", ".go", ".h", ".html", ".java", ".js", ".json", ".jsx", ".kt", ".md", ".php", ".py",
    ".rb", ".rs", ".sh", ".sql", ".svelte", ".swift", ".toml", ".ts", ".tsx", ".vue", ".yaml", ".yml",
))  # fmt: skip
"""Extensions of files that are never written in capitals."""
_FILE = re.compile(rf"[\w./-]+(?:{'|'.join(map(re.escape, sorted(SUFFIXES)))})")
# What folders are called and files are not.
_FOLDERS = frozenset((
    "src", "lib", "app", "apps", "test", "tests", "docs", "packages", "components", "pages", "server", "client",
    "scripts", "public", "internal", "cmd", "pkg", "migrations", "node_modules", "dist", "vendor",
))  # fmt: skip
# A folder or file of a route, as web frameworks name them.
_ROUTE = re.compile(
    r"(?:(?<=/)|\A)\[{1,2}((?:\.\.\.)?[A-Za-z][A-Za-z_]*(?:[Ii]d|[Ss]lug|[a-z]{3,})|id|(?:\.\.\.)\w+)\]{1,2}(?=/|\.|\Z)"
)
_FROM_ROOT = re.compile(r"/([\w.-]+)")
# Folders at the root of file systems: a path that begins with one is meant as it is written.
_AT_ROOT = frozenset((
    "bin", "boot", "dev", "etc", "home", "Library", "media", "mnt", "nix", "opt", "private", "proc", "root", "run",
    "sbin", "srv", "sys", "tmp", "Users", "usr", "var", "Volumes",
))  # fmt: skip


class _Slip(Struct, frozen=True):
    """The mistake in a glob, in full sentences, and the glob that was probably meant."""

    message: str
    meant: str | None
    safety: Safety = Safety.UNSAFE


def written_globs(file: RuleFile) -> Iterator[MappedText]:
    """Yields the globs of a rule as written, those of `globs` first, without blanks around them."""
    for text in file.fields.globs:
        if text.value.strip():
            start = len(text.value) - len(text.value.lstrip())
            yield text.slice(start, start + len(text.value.strip()))
    yield from (
        token.glob
        for token in file.fields.scope
        # A path for a tool without paths has a finding of its own.
        if token.glob is not None and not token.inferred and token.tool not in PATHLESS_TOOLS
    )


def check_glob_forms(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each glob that matches no path as intended, and extensions in capitals."""
    several = [problem.span for problem in file.problems if problem.code == "comma-in-glob"]
    for glob in written_globs(file):
        if any(span.start <= glob.span.start and glob.span.end <= span.end for span in several):
            continue
        slip = _slip(glob.value)
        if slip is not None:
            fixes = _fixes(file, glob, slip)
            yield Finding(_UNMATCHABLE, entry_of(_UNMATCHABLE).severity, slip.message, glob.span, fixes)
        shallow = _half_globstar(glob.value)
        if shallow is not None:
            yield Finding(_HALF, entry_of(_HALF).severity, shallow.message, glob.span, _fixes(file, glob, shallow))
        match = _CAPITALS.search(glob.value)
        if match is not None:
            yield from _capital_extension_findings(file, glob, match)
        elif (name := _USUAL_NAMES.get(glob.value.rpartition("/")[2])) is not None:
            yield _otherwise_written(file, glob, name)


def _slip(glob: str) -> _Slip | None:
    return _slip_of_list(glob) or _slip_of_glob(glob)


def _slip_of_list(glob: str) -> _Slip | None:
    """Several globs, or several endings of one, that are told apart by what separates nothing in a glob."""
    if len(glob) > 2 and glob[0] in "\"'" and glob[-1] == glob[0]:
        return _Slip("The quotes are a part of the glob, and no file has them in its name.", glob[1:-1])
    if match := _VARIABLE.match(glob):
        rest = glob[match.end() :].lstrip("/")
        return _Slip(
            f"`{match[0]}` is not replaced by a value. Write paths relative to the project's folder.",
            None if not rest or rest in EVERY_FILE or _AT_HOME.match(glob) else rest,
        )
    if match := _CHOICE.search(glob):
        words = ",".join(re.split("[|,]", match["round"] or match["square"]))
        return _Slip(
            f"`{match[0]}` is no choice between words here. Write them in braces.",
            f"{glob[: match.start()]}{{{words}}}{glob[match.end() :]}",
        )
    parts = [part for part in _OTHER_SEPARATORS.split(glob) if part]
    are_globs = all(_SHORT_GLOB.fullmatch(part) and is_whole_glob(part) for part in parts)
    if not are_globs:
        parts = split_at_commas(glob)
        are_globs = all(is_whole_glob(part) or _FILE.fullmatch(part) for part in parts)
    if len(parts) > 1 and are_globs:
        return _Slip(
            "This is one glob, which matches no usual path: only braces or a list make several.",
            f"{{{','.join(parts)}}}",
        )
    return None


def _slip_of_glob(glob: str) -> _Slip | None:
    if _BACKSLASH.search(glob):
        return _Slip(
            "A backslash escapes the next character; it does not separate folders, not even on Windows: paths are "
            "compared with slashes. Write `/`.",
            _BACKSLASH.sub("/", glob),
        )
    if "{" in glob and _BLANK_IN_BRACES.search(glob):
        return _Slip(
            "A blank in braces is a part of the alternative, which then only matches names with a blank.",
            _BLANK_IN_BRACES.sub("", glob),
            Safety.SAFE,
        )
    if match := _ROUTE.search(glob):
        return _Slip(
            f"`{match[0]}` is a class here, which stands for one of its characters, and not for a folder of this name. "
            "Write a backslash before each bracket.",
            _ROUTE.sub(lambda route: f"\\[{route[1]}\\]", glob),
        )
    if glob.count("{") > glob.count("}") and "\\" not in glob:
        return _Slip(
            "The brace is not closed, so it is an ordinary character, and this matches no ordinary path.", f"{glob}}}"
        )
    if glob.startswith("@/"):
        return _Slip("`@/` begins imports, not file paths. Write the folder that it stands for.", None)
    if glob.startswith("./"):
        return _Slip(
            "This only matches a path that the agent writes with `./` itself. Paths of files in the project are "
            "compared as `src/a.ts`, without anything before.",
            glob.removeprefix("./") or None,
        )
    if glob.startswith("~"):
        return _Slip("`~` stands for itself and not for the home folder, so this matches no path there.", None)
    if (match := _FROM_ROOT.match(glob)) and match[1] not in _AT_ROOT:
        return _Slip(
            "A slash at the beginning is the root of the file system and not that of the project.", glob.lstrip("/")
        )
    if glob.endswith("/"):
        return _Slip("Paths of files do not end in a slash, so this matches none. Write `**` behind it.", f"{glob}**")
    if glob.rpartition("/")[2] in _FOLDERS:
        return _Slip("This is the name of a folder, and only files have a path. Write `/**` behind it.", f"{glob}/**")
    if f".{glob}" in SUFFIXES:
        return _Slip(f"This only matches a file that is called `{glob}`. Write `*.` before it.", f"*.{glob}")
    if glob in SUFFIXES:
        return _Slip(f"This only matches a file that is called `{glob}`. Write `*` before it.", f"*{glob}")
    return None


def _half_globstar(glob: str) -> _Slip | None:
    """`**` beside other characters in one component of a longer path. A lone name matches in every folder (spec G2)."""
    if "/" not in glob or not (match := _GLOBSTAR.search(glob)):
        return None
    suggestion = f"{glob[: match.start()]}**/*{glob[match.end() :]}"
    begins = glob[: match.start()].endswith("/") or match.start() == 0
    return _Slip(
        "`**` matches folders only as a whole path segment; here it means only `*`. Write `**/*`.",
        suggestion if begins else None,
    )


def _capital_extension_findings(file: RuleFile, glob: MappedText, match: re.Match[str]) -> Iterator[Finding]:
    """An extension with capitals. One that is known not to have any is a slip."""
    lower = match[1].lower()
    endings = {f".{part}" for part in lower.strip("{}").split(",")}
    is_slip = endings <= SUFFIXES
    if not is_slip and not match[1].isupper():
        return
    entry = entry_of(_CASE)
    message = (
        f"Case counts, so this does not match files that end in `.{lower}`. Write `.{lower}`, unless only names in "
        "capitals are intended."
    )
    fix = _replaced(file, glob, glob.value[: match.start(1)] + lower)
    fixes = () if fix is None else (Fix(f"Write .{lower}", (fix,), Safety.UNSAFE),)
    severity = entry.severity if is_slip else Severity.INFO
    yield Finding(_CASE, severity, message, glob.source_span(*match.span()), fixes)


def _otherwise_written(file: RuleFile, glob: MappedText, name: str) -> Finding:
    message = (
        f"Case counts, so this does not match files called `{name}`. Write `{name}`, unless small letters are meant."
    )
    start = len(glob.value) - len(name)
    fix = _replaced(file, glob, glob.value[:start] + name)
    fixes = () if fix is None else (Fix(f"Write {name}", (fix,), Safety.UNSAFE),)
    return Finding(_CASE, Severity.INFO, message, glob.source_span(start, len(glob.value)), fixes)


def _fixes(file: RuleFile, glob: MappedText, slip: _Slip) -> tuple[Fix, ...]:
    edit = None if slip.meant is None else _replaced(file, glob, slip.meant)
    return () if edit is None else (Fix(f"Write {slip.meant}", (edit,), slip.safety),)


def _replaced(file: RuleFile, glob: MappedText, suggestion: str) -> Edit | None:
    """Writes another glob; a whole plain value in quotes, as it may begin with a star then."""
    scalar = scalar_at(file, glob.span)
    if scalar is None:
        return None
    if style_of(file, scalar) is ScalarStyle.PLAIN and scalar.text.value.strip() == glob.value:
        quoted = single_quoted(suggestion)
        return None if quoted is None else Edit(scalar.span, quoted)
    return replaced_part(file, glob.span, glob.value, suggestion)
