"""Finds globs that match no path as intended, such as globs in the syntax of other programs (spec G2 to G4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.globs.every_file import EVERY_FILE
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import ScalarStyle, replaced_part, scalar_at, style_of
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.frontmatter.quoting import single_quoted_if_printable
from ttsr_ls.syntax.inspection.globs import is_whole_glob, split_at_commas
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS

_UNMATCHABLE = "unmatchable-glob"
_HALF = "half-globstar"
_CASE = "glob-case"

# A backslash before a bracket, a brace or a wildcard is an intended escape.
_BACKSLASH = re.compile(r"\\(?=[\w.*-])")
_BLANK_IN_BRACES = re.compile(r"(?<=,)[ \t]+|[ \t]+(?=[,}])|(?<=\{)[ \t]+")
# A name may contain a dollar: `$RECYCLE.BIN`. The user's folder is not the project's folder.
_VARIABLE = re.compile(r"(?:\$\{\w+\}|\$(?:PWD|HOME|USERPROFILE|PROJECT_ROOT|CLAUDE_PROJECT_DIR)\b)(?=/)")
_AT_HOME = re.compile(r"\$\{?(?:HOME|USERPROFILE|userHome)\b")
# `(ts|tsx)` and `[ts|tsx]`: neither an extended glob such as `@(a|b)`, nor a class of single characters.
_CHOICE = re.compile(r"(?<![@+*?!])\((?P<round>\w+(?:\|\w+)+)\)|\[(?P<square>\w{2,}(?:[|,]\w{2,})+)\]")
_OTHER_SEPARATORS = re.compile(r"\s*[;|]\s*|\s+")
_SHORT_GLOB = re.compile(r"(?:[\w.*-]+/)*[\w.-]*\*[\w.*-]*")
_CAPITALS = re.compile(r"\.([A-Z]{2,4}|(?=[a-z]*[A-Z])[A-Za-z]{2,6}|\{(?=[a-z,]*[A-Z])[A-Za-z,]{2,60}\})\Z")
_USUAL_NAMES = {
    name.lower(): name
    for name in ("AGENTS.md", "CLAUDE.md", "Cargo.toml", "Dockerfile", "GEMINI.md", "Gemfile", "README.md", "SKILL.md")
}
"""File names with a usual case."""
_GLOBSTAR = re.compile(r"(?<![*\\])\*\*(?=[^/*,}])|(?<=[^/*{,\\!])\*\*(?!\*)")
SUFFIXES = frozenset((
    ".c", ".cpp", ".cs", ".css", ".go", ".h", ".html", ".java", ".js", ".json", ".jsx", ".kt", ".md", ".php", ".py",
    ".rb", ".rs", ".sh", ".sql", ".svelte", ".swift", ".toml", ".ts", ".tsx", ".vue", ".yaml", ".yml",
))  # fmt: skip
"""Extensions of files that are never written in capitals."""
_FILE = re.compile(rf"[\w./-]+(?:{'|'.join(map(re.escape, sorted(SUFFIXES)))})")
# Names of folders that no file has.
_FOLDERS = frozenset((
    "src", "lib", "app", "apps", "test", "tests", "docs", "packages", "components", "pages", "server", "client",
    "scripts", "public", "internal", "cmd", "pkg", "migrations", "node_modules", "dist", "vendor",
))  # fmt: skip
# A folder or file of a route, as in web frameworks: `[id]`, `[...slug]`.
_ROUTE = re.compile(
    r"(?:(?<=/)|\A)\[{1,2}((?:\.\.\.)?[A-Za-z][A-Za-z_]*(?:[Ii]d|[Ss]lug|[a-z]{3,})|id|(?:\.\.\.)\w+)\]{1,2}(?=/|\.|\Z)"
)
_FROM_ROOT = re.compile(r"/([\w.-]+)")
# Folders at the root of file systems, with which an absolute path can begin.
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
    """Yields the globs of `globs` as written, without blanks around them, then those in `scope`."""
    for text in file.fields.globs:
        if text.value.strip():
            start = len(text.value) - len(text.value.lstrip())
            yield text.slice(start, start + len(text.value.strip()))
    yield from (
        token.glob
        for token in file.fields.scope
        # `glob-without-paths` reports a path for a tool without paths.
        if token.glob is not None and not token.inferred and token.tool not in PATHLESS_TOOLS
    )


def check_glob_forms(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each glob that matches no path as intended, and extensions in capitals."""
    several = [problem.span for problem in file.problems if problem.code == "comma-in-glob"]
    for glob in written_globs(file):
        if any(span.covers(glob.span) for span in several):
            continue
        slip = _slip_of_list(glob.value) or _slip_of_glob(glob.value)
        if slip is not None:
            yield report(_UNMATCHABLE, slip.message, glob.span, *_fixes(file, _UNMATCHABLE, glob, slip))
        shallow = _half_globstar(glob.value)
        if shallow is not None:
            yield report(_HALF, shallow.message, glob.span, *_fixes(file, _HALF, glob, shallow))
        match = _CAPITALS.search(glob.value)
        if match is not None:
            yield from _capital_extension_findings(file, glob, match)
        elif (name := _USUAL_NAMES.get(glob.value.rpartition("/")[2])) is not None:
            yield _wrong_case(file, glob, name)


def _slip_of_list(glob: str) -> _Slip | None:
    """Finds quotes, variables, and alternatives that are separated by characters with no such meaning in a glob."""
    if len(glob) > 2 and glob[0] in "\"'" and glob[-1] == glob[0]:
        return _Slip("The quotes are a part of the glob, and no file name has them. Write it without.", glob[1:-1])
    if match := _VARIABLE.match(glob):
        rest = glob[match.end() :].lstrip("/")
        return _Slip(
            f"`{match[0]}` is not replaced by a value. Write paths relative to the project's folder.",
            None if not rest or rest in EVERY_FILE or _AT_HOME.match(glob) else rest,
        )
    if match := _CHOICE.search(glob):
        words = ",".join(re.split("[|,]", match["round"] or match["square"]))
        return _Slip(
            f"`{match[0]}` is not a choice between words in a glob. Write the words in braces.",
            f"{glob[: match.start()]}{{{words}}}{glob[match.end() :]}",
        )
    parts = [part for part in _OTHER_SEPARATORS.split(glob) if part]
    are_globs = all(_SHORT_GLOB.fullmatch(part) and is_whole_glob(part) for part in parts)
    if not are_globs:
        parts = split_at_commas(glob)
        are_globs = all(is_whole_glob(part) or _FILE.fullmatch(part) for part in parts)
    if len(parts) > 1 and are_globs:
        return _Slip(
            "This is one glob, which matches no usual path. Write several globs in braces or as a list.",
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
            "A blank in braces is a part of the alternative, which then matches only names with a blank. Remove it.",
            _BLANK_IN_BRACES.sub("", glob),
            Safety.SAFE,
        )
    if match := _ROUTE.search(glob):
        return _Slip(
            f"`{match[0]}` is a class, which matches one of its characters, and not a folder of this name. Write a "
            "backslash before each bracket.",
            _ROUTE.sub(lambda route: f"\\[{route[1]}\\]", glob),
        )
    if glob.count("{") > glob.count("}") and "\\" not in glob:
        return _Slip(
            "The brace is not closed, so it is an ordinary character, and this matches no ordinary path. Close it.",
            f"{glob}}}",
        )
    if glob.startswith("@/"):
        return _Slip("`@/` begins imports, not file paths. Write the folder that it stands for.", None)
    if glob.startswith("./"):
        return _Slip(
            "This matches only a path that the agent itself writes with `./`: paths in the project are compared as "
            "`src/a.ts`. Remove the `./`.",
            glob.removeprefix("./") or None,
        )
    if glob.startswith("~"):
        return _Slip("`~` is an ordinary character, so this matches no path in the home folder.", None)
    if (match := _FROM_ROOT.match(glob)) and match[1] not in _AT_ROOT:
        return _Slip(
            "A slash at the start is the root of the file system, not of the project. Remove it.", glob.lstrip("/")
        )
    if glob.endswith("/"):
        return _Slip("File paths do not end in a slash, so this matches none. Write `**` after it.", f"{glob}**")
    if glob.rpartition("/")[2] in _FOLDERS:
        return _Slip("This names a folder, but globs match paths of files. Write `/**` after it.", f"{glob}/**")
    if f".{glob}" in SUFFIXES:
        return _Slip(f"This matches only a file that is called `{glob}`. Write `*.` before it.", f"*.{glob}")
    if glob in SUFFIXES:
        return _Slip(f"This matches only a file that is called `{glob}`. Write `*` before it.", f"*{glob}")
    return None


def _half_globstar(glob: str) -> _Slip | None:
    """Finds `**` beside other characters in a segment of a longer path. A lone name matches in any folder (spec G2)."""
    if "/" not in glob or not (match := _GLOBSTAR.search(glob)):
        return None
    suggestion = f"{glob[: match.start()]}**/*{glob[match.end() :]}"
    begins = glob[: match.start()].endswith("/") or match.start() == 0
    return _Slip(
        "`**` matches folders only as a whole path segment; here it means only `*`. Write `**/*`.",
        suggestion if begins else None,
    )


def _capital_extension_findings(file: RuleFile, glob: MappedText, match: re.Match[str]) -> Iterator[Finding]:
    """Reports an extension with capitals; with a lower severity if such files may exist."""
    lower = match[1].lower()
    endings = {f".{part}" for part in lower.strip("{}").split(",")}
    is_slip = endings <= SUFFIXES
    if not is_slip and not match[1].isupper():
        return
    message = (
        f"Case counts, so this does not match files that end in `.{lower}`. Write `.{lower}`, unless only names in "
        "capitals are intended."
    )
    fixes = build_fixes(_CASE, _replace_glob(file, glob, glob.value[: match.start(1)] + lower), title=f"Write .{lower}")
    severity = None if is_slip else Severity.INFO
    yield report(_CASE, message, glob.source_span(*match.span()), *fixes, severity=severity)


def _wrong_case(file: RuleFile, glob: MappedText, name: str) -> Finding:
    message = (
        f"Case counts, so this does not match files called `{name}`. Write `{name}`, unless small letters are meant."
    )
    start = len(glob.value) - len(name)
    fixes = build_fixes(_CASE, _replace_glob(file, glob, glob.value[:start] + name), title=f"Write {name}")
    span = glob.source_span(start, len(glob.value))
    return report(_CASE, message, span, *fixes, severity=Severity.INFO)


def _fixes(file: RuleFile, finding_code: str, glob: MappedText, slip: _Slip) -> tuple[Fix, ...]:
    edit = None if slip.meant is None else _replace_glob(file, glob, slip.meant)
    return build_fixes(finding_code, edit, title=f"Write {slip.meant}", safety=slip.safety)


def _replace_glob(file: RuleFile, glob: MappedText, suggestion: str) -> Edit | None:
    """Returns the edit that writes another glob. A whole plain value gets quotes, as a glob may begin with a star."""
    scalar = scalar_at(file, glob.span)
    if scalar is None:
        return None
    if style_of(file, scalar) is ScalarStyle.PLAIN and scalar.text.value.strip() == glob.value:
        quoted = single_quoted_if_printable(suggestion)
        return None if quoted is None else Edit(scalar.span, quoted)
    return replaced_part(file, glob.span, glob.value, suggestion)
