"""Rule files, configurations and other inputs that are costly by what surrounds the patterns, or by their number."""

# ruff: noqa: E501 - tables of cases, one on a line

from __future__ import annotations

import json

from tests.hostile.hostile_cases import RULE, Case, quoted, rule_of
from tests.hostile.pathological_patterns import patterns


def file_cases() -> list[Case]:
    """Cases that are no single pattern in an ordinary rule."""
    return [*_many_conditions(), *_frontmatters(), *_bodies(), *_dialects(), *_projects(), *_configurations()]


def _many_conditions() -> list[Case]:
    cases = []
    by_family: dict[str, list[str]] = {}
    for name, pattern in patterns().items():
        by_family.setdefault(name.rsplit(",", 1)[0], []).append(pattern)
    for family, made in by_family.items():
        short = [pattern for pattern in made if len(pattern) <= 700]
        if short:
            # Different conditions, so that none is remembered.
            many = [f"x{number}{pattern}" for number in range(60) for pattern in short[-1:]]
            while sum(map(len, many)) > 50_000:
                many.pop()
            cases.append(Case(f"conditions of {family}", {RULE: rule_of(*many)}))
        # Of tools whose arguments are matched as JSON, and of files with an extension.
        middle = [pattern for pattern in made if len(pattern) <= 300][-1:]
        few = [f"^x{number}{pattern}" for number in range(20) for pattern in middle]
        cases.append(Case(f"conditions on JSON of {family}", {RULE: rule_of(*few, more="scope: tool:bash\n")}))
        on_files = "scope: 'tool:edit(*.ts)'\n"
        cases.append(Case(f"few conditions of {family}", {RULE: rule_of(*(made[-3:-1]), more=on_files)}))
    ordinary = ["a#", "a#*", r"\bword#\b", "(?:a|b)#+c*$", "#(?!x)", "(?i)word#", r"foo#\s*\(", ".*#"]
    for form in ordinary:
        many = [form.replace("#", str(number)) for number in range(3_000)]
        cases.append(Case(f"3,000 conditions {form}", {RULE: rule_of(*many)}))
    slow = [f"(?:a|aa|a{{{number}}})*(?:a|b)[!?]" for number in range(3, 600)]
    cases.append(Case("600 slow conditions", {RULE: rule_of(*slow), "src/slow.txt": "a" * 3_000 + "a? b!"}))
    cases.append(Case("600 slow conditions on JSON", {RULE: rule_of(*slow, more="scope: tool:bash\n")}))
    cases.append(Case("one condition, 4,000 times", {RULE: rule_of(*["a+b"] * 4_000)}))
    return cases


def _frontmatter(name: str, lines: str, rule: str = RULE) -> Case:
    return Case(name, {rule: f"---\ncondition: foo\n{lines}\n---\nSay so.\n"}, rule)


def _frontmatters() -> list[Case]:
    size = 60_000
    mark = "ttsr-ls: ignore[x]"
    known = "ttsr-ls: ignore[comment-removed]"
    lines = {
        "scope tokens": "scope: " + ", ".join(f"tool:edit(*.x{n})" for n in range(3_000)),
        "scope tokens that are misspelt": "scope: " + ", ".join(f"tol:edi{n}" for n in range(4_000)),
        "scope with open brackets": "scope: " + "tool:edit(" * 6_000,
        "scope with braces": "scope: tool:edit(" + "{a,b}" * 10_000 + ")",
        "scope of one long word": "scope: " + "a" * size,
        "scope of commas": "scope: " + "," * size,
        "scope of quotes": "scope: " + "'\"" * (size // 2),
        "scope list": "scope:\n" + "".join(f"  - tool:t{n}\n" for n in range(4_000)),
        "globs": "globs:\n" + "".join(f"  - '*.x{n}'\n" for n in range(4_000)),
        "globs that are equal": "globs:\n" + "  - '*.ts'\n" * 4_500,
        "globs with stars": "globs: '" + "**/" * 1_300 + "*.ts'",
        "globs with stars within words": "globs: '" + "*a" * 2_000 + "'",
        "globs with braces": "globs: '" + "{a,b}" * 800 + "'",
        "globs with nested braces": "globs: '" + "{a," * 1_000 + "b" + "}" * 1_000 + "'",
        "globs with ranges": "globs: '{1..999999999}'",
        "globs with many ranges": "globs: '" + "{1..9999}" * 400 + "'",
        "globs with classes": "globs: '" + "[a-z]" * 800 + "'",
        "globs that are negated": "globs: '" + "!" * 4_000 + "a'",
        "globs of extended patterns": "globs: '" + "@(a|" * 900 + "b" + ")" * 900 + "'",
        "one long glob": "globs: '" + "a" * size + "'",
        "many globs with braces": "globs:\n" + "".join(f"  - '{{a{n},b}}{{c,d}}{{e,f}}/**/*.ts'\n" for n in range(1_500)),
        "agents": "agents: [" + ", ".join(f"agent{n}" for n in range(5_000)) + "]",
        "agents with braces": "agents: [" + ", ".join(f"'a{n}*'" for n in range(4_000)) + "]",
        "keys": "\n".join(f"key{n}: v" for n in range(5_000)),
        "keys that are misspelt": "\n".join(f"condtion{n}: v" for n in range(3_500)),
        "keys that are equal": "description: v\n" * 4_000,
        "key names of other cases": "\n".join(f"Condition{'n' * (n % 9)}: v{n}" for n in range(3_000)),
        "one long key": "a" * size + ": b",
        "long lines": "description: " + "a b " * (size // 4),
        "colons": "description: " + "a: " * (size // 3),
        "hashes": "description: a" + " #" * (size // 2),
        "quotes": "description: " + "'" * size,
        "escapes": 'description: "' + "\\d" * (size // 2) + '"',
        "open brackets": "x: " + "[" * size,
        "nested brackets": "x: " + "[" * 30_000 + "]" * 30_000,
        "nested braces": "x: " + "{a: " * 12_000 + "}" * 12_000,
        "nested sequences": "x:\n  " + "- " * 29_000,
        "nested keys": "\n".join(" " * depth + "a:" for depth in range(340)),
        "aliases": "a: &a [x, x]\n" + "\n".join(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]" for n in range(1, 900)),
        "aliases of a list": f"a: &a [{'x, ' * 9000}x]\nb: [{'*a, ' * 8000}*a]",
        "aliases as conditions": "a: &a ['" + "a*" * 5_000 + "']\nscope: [" + "*a, " * 8_000 + "*a]",
        "merges": "a: &a {" + ", ".join(f"k{n}: 1" for n in range(2_500)) + "}\n" + "<<: *a\n" * 4_000,
        "tags": "x: " + "!a " * 20_000,
        "anchors": "x: " + "&a " * 20_000,
        "block scalar of blanks": "x: |\n" + " \n" * (size // 2),
        "folded scalar": "description: >\n" + "  a\n\n" * (size // 5),
        "folded condition": "astCondition: >\n" + "  a*\n" * (size // 5),
        "plain lines": "description: a\n" + "  b\n" * (size // 4),
        "tabs": "description: a" + "\t" * (size - 1),
        "many tabs": "astCondition:\n" + "  - 'a\tb'\n" * 4_000,
        "comments": f"# {mark}\n" * 2_500,
        "comments of known codes": f"# {known}\n" * 1_500,
        "comments of many codes": "# ttsr-ls: ignore[" + ", ".join(f"code{n}" for n in range(8_000)) + "]",
        "html comments": f"<!-- {mark} -->\n" * 2_000,
        "html comments in values": "description: a" + " <!-- x -->" * 5_000,
        "html comments in conditions": "\n".join(f"c{n}: 'a<!-- {n} -->'" for n in range(2_500)),
        "open html comments": "description: " + "<!--" * 15_000,
        "ast conditions": "astCondition:\n" + "".join(f"  - 'foo{n}($A)'\n" for n in range(2_500)) + "scope: tool:edit(*.ts)",
        "nested ast condition": "astCondition: '" + "f(" * 5_000 + "x" + ")" * 5_000 + "'\nscope: tool:edit(*.ts)",
        "nested ast conditions": "astCondition:\n" + ("  - '" + "[" * 450 + "x" + "]" * 450 + "'\n") * 40 + "scope: tool:edit(*.ts)",
        "long ast condition": "astCondition: '" + "a + " * 10_000 + "b'\nscope: tool:edit(*.ts)",
        "ast metavariables": "astCondition: 'f(" + "$$$A, " * 5_000 + "$B)'\nscope: tool:edit(*.ts)",
        "questions": "question:\n" + "  - Is it?\n" * 4_000,
        "long question": "question: " + "is it " * 8_000,
    }  # fmt: skip
    return [_frontmatter(f"frontmatter: {name}", text) for name, text in lines.items()]


def _bodies() -> list[Case]:
    mark = "<!-- ttsr-ls: ignore[x] -->"
    texts = {
        "30,000 comments": mark * 30_000,
        "30,000 comments on lines": f"{mark}\n" * 30_000,
        "comments of known codes": "<!-- ttsr-ls: ignore[glob-shorthand] -->\n" * 20_000,
        "comments in fences": "```\n<!-- x -->\n```\n" * 20_000,
        "comments in one fence": "```\n" + "<!-- x -->\n" * 40_000,
        "fences": "```\n" * 100_000,
        "fences that stay open": "".join("`" * (3 + n % 50) + "\n" for n in range(20_000)),
        "directives before fences": (f"{mark}\n```\n") * 15_000,
        "open comments": "<!--" * 200_000,
        "closed comments": "-->" * 200_000,
        "comments in comments": "<!-- <!-- -->" * 50_000,
        "one long line": "a b " * 500_000,
        "many lines": "a\n" * 1_000_000,
        "many blanks": " " * 2_000_000,
        "many returns": "\r" * 1_000_000,
        "many lines as on Windows": "\r\n" * 400_000,
        "many short lines as on Windows": "a\r\n" * 300_000,
        "many comments on lines as on Windows": "<!-- a -->\r\n" * 60_000,
        "delimiters": "---\n" * 200_000,
        "backticks": "`foo` " * 200_000,
        "open backticks": "`" * 500_000,
        "quotes": "'foo' \"foo\" " * 100_000,
        "links": "[" * 300_000,
        "placeholders": "{{x}}" * 200_000,
        "examples": "Never write `foo`.\n\n```ts\nfoo\n```\n" * 20_000,
    }
    return [
        Case(f"body: {name}", {RULE: f"---\ncondition: foo\nscope: text\n---\n{text}"}) for name, text in texts.items()
    ]


_COSTLY = {
    "loops": "(a+)+" * 200 + "$",
    "references": "(a)" + r"\1" * 8_000,
    "start or letter": "(?:^|a)" * 4_000,
    "nested loops": "(?:" * 3_000 + "a" + ")*" * 3_000,
    "lookaheads": "(?=.*a)" * 2_000 + "b",
    "words": "|".join(f"word{n}" for n in range(4_000)),
    "counts": "(?:a{0,1000}){1000}" * 50,
    "nested groups": "(" * 10_000 + "a" + ")" * 10_000,
    "classes": "(?i)" + "".join(f"[\x80-{chr(0x3000 + n)}]" for n in range(4_000)),
    "blanks": r"\s*=\s*" * 2_000,
}


def _dialects() -> list[Case]:
    cases = []
    for name, pattern in _COSTLY.items():
        hookify = f"---\nname: costly\nenabled: true\nevent: bash\npattern: {quoted(pattern)}\naction: warn\n---\nNo.\n"
        conditions = "".join(
            f"  - field: command\n    operator: regex_match\n    pattern: {quoted(pattern)}\n" for _ in range(3)
        )
        many = f"---\nname: costly\nenabled: true\nevent: bash\nconditions:\n{conditions}---\nNo.\n"
        pi = f"---\ntrigger: {quoted(pattern.removeprefix('(?i)'))}\nflags: i\nscope: accumulated\n---\nNo.\n"
        legacy = f"---\nttsrTrigger: {quoted(pattern)}\n---\nNo.\n"
        for dialect, path, text in (
            ("hookify", ".claude/hookify.rule.local.md", hookify),
            ("hookify conditions", ".claude/hookify.rule.local.md", many),
            ("pi", ".pi/rules/rule.md", pi),
            ("legacy", RULE, legacy),
        ):
            cases.append(Case(f"{dialect}: {name}", {path: text}, path))
    globs = ", ".join("{a,b}" * 200 for _ in range(50))
    for path in (".cursor/rules/r.mdc", ".windsurf/rules/r.md", ".clinerules/r.md", ".claude/rules/r.md"):
        for key in ("globs", "paths", "applyTo"):
            cases.append(_frontmatter(f"guidance {path} {key}", f"{key}: {globs}", path))
    path = ".github/instructions/r.instructions.md"
    cases.append(_frontmatter("guidance for github", f'applyTo: "{globs}"', path))
    return cases


def _projects() -> list[Case]:
    many = {f".omp/rules/r{n}.md": rule_of(f"word{n}") for n in range(300)}
    costly = {f".omp/rules/r{n}.md": rule_of(f"x{n}" + "(a+)+" * 60 + "$") for n in range(20)}
    same = {f"{folder}/rules/r{n}.md": rule_of("foo") for n in range(60) for folder in (".omp", ".agents", ".agent")}
    references = {f".omp/rules/r{n}.md": rule_of(f"(a{n})" + r"\1" * 4_000) for n in range(10)}
    return [
        Case(name, {RULE: rule_of("foo"), **files})
        for name, files in {
            "300 rules": many,
            "20 costly rules": costly,
            "rules of one name": same,
            "10 rules with references": references,
            "ignored by many patterns": {".gitignore": "".join(f"**/a{n}*/**/b*\n" for n in range(5_000))},
            "ignored by a costly pattern": {".gitignore": "*a" * 2_000 + "\n" + "**/" * 3_000 + "x\n"},
        }.items()
    ]


def _configurations() -> list[Case]:
    baseline = {
        "version": 1,
        "findings": [{"path": RULE, "code": "x", "fingerprint": f"{n:016x}"} for n in range(20_000)],
    }
    configurations = {
        "dotted keys": {"ttsr-ls.toml": ".".join(["a"] * 20_000) + " = 1\n"},
        "dotted tables": {"ttsr-ls.toml": "[" + ".".join(["a"] * 20_000) + "]\n"},
        "many dotted keys": {"ttsr-ls.toml": "".join(".".join(["a"] * 300) + f".b{n} = 1\n" for n in range(800))},
        "dotted keys in pyproject": {"pyproject.toml": "[tool.ttsr-ls]\n" + ".".join(["a"] * 20_000) + " = 1\n"},
        "dotted keys in inline tables": {"ttsr-ls.toml": "a = {" + ".".join(["a"] * 20_000) + " = 1}\n"},
        "quoted dotted keys": {"ttsr-ls.toml": '"a" . ' * 15_000 + "b = 1\n"},
        "nested arrays": {"ttsr-ls.toml": "a = " + "[" * 50_000 + "]" * 50_000 + "\n"},
        "nested tables": {"ttsr-ls.toml": "a = " + "{a = " * 30_000 + "1" + "}" * 30_000 + "\n"},
        "tables": {"ttsr-ls.toml": "".join(f"[a{n}]\n" for n in range(10_000))},
        "arrays of tables": {"ttsr-ls.toml": "[[a]]\nb = 1\n" * 10_000},
        "keys": {"ttsr-ls.toml": "".join(f"key{n} = 1\n" for n in range(10_000))},
        "ignored codes": {"ttsr-ls.toml": "ignore = [" + ", ".join(f'"code{n}"' for n in range(8_000)) + "]\n"},
        "overrides": {"ttsr-ls.toml": "".join(f'[[overrides]]\nfiles = ["**/a{n}*"]\nignore = ["x"]\n' for n in range(3_000))},
        "long string": {"ttsr-ls.toml": 'a = "' + "x" * 200_000 + '"\n'},
        "open string": {"ttsr-ls.toml": "a = '''" + "x\n" * 100_000},
        "comments": {"ttsr-ls.toml": "#" * 200_000 + "\n"},
        "settings with nesting": {".omp/config.yml": "ttsr: " + "[" * 30_000 + "]" * 30_000 + "\n"},
        "settings with keys": {".omp/config.yml": "ttsr:\n" + "".join(f"  key{n}: 1\n" for n in range(10_000))},
        "settings with aliases": {".omp/config.yml": "a: &a [x, x]\n" + "".join(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]\n" for n in range(1, 2_000))},
        "settings in JSON with nesting": {".omp/settings.json": "[" * 100_000 + "]" * 100_000},
        "settings in JSON with keys": {".omp/settings.json": json.dumps({"ttsr": {f"key{n}": 1 for n in range(10_000)}})},
        "settings in JSON with digits": {".omp/settings.json": '{"ttsr": {"repeatGap": ' + "9" * 100_000 + "}}"},
        "settings with disabled rules": {".omp/config.yml": "ttsr:\n  disabledRules: [" + ", ".join(f"r{n}" for n in range(10_000)) + "]\n"},
        "baseline": {"ttsr-ls.toml": 'baseline = "b.json"\n', "b.json": json.dumps(baseline)},
        "nested baseline": {"ttsr-ls.toml": 'baseline = "b.json"\n', "b.json": "[" * 100_000},
    }  # fmt: skip
    return [Case(f"configuration: {name}", {RULE: rule_of("foo"), **files}) for name, files in configurations.items()]
