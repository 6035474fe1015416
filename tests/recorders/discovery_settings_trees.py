"""More trees for `record_discovery.py`: settings, and what git ignores."""

from __future__ import annotations

from typing import Any

from tests.recorders.discovery_trees import RULE, USERS, more, tree

_A, _B = "p/.omp/rules/a.md", "p/.omp/rules/b.md"
_GIT = {"p/.git/": ""}


def setting(about: str, config: str) -> dict[str, Any]:
    return tree(about, _A, _B, config=config)


def ignored(about: str, patterns: str, place: str = "p/.gitignore") -> dict[str, Any]:
    rules = (
        "p/.omp/rules/a.md",
        "p/.agents/rules/a.md",
        "p/.agents/rules/b.md",
        "p/.github/instructions/s/a.instructions.md",
    )
    return more(tree(about, *rules, "home/.omp/agent/rules/c.md"), {**_GIT, place: patterns})


TREES: list[dict[str, Any]] = [
    setting("a rule switched off", "ttsr:\n  disabledRules: [' a ', ts-no-any, nobody]\n"),
    setting("a rule switched off by its extension", "disabledExtensions: ['rule:a', 'b', 'rule: b']\n"),
    more(
        setting("a rule switched off by its extension leaves its name", "disabledExtensions: ['rule:a']\n"),
        {"p/.agents/rules/a.md": RULE},
    ),
    more(
        setting("a rule switched off by its name takes it along", "ttsr:\n  disabledRules: [a]\n"),
        {"p/.agents/rules/a.md": RULE},
    ),
    setting("built-in rules off", "ttsr:\n  builtinRules: false\n"),
    setting("rules off", "ttsr:\n  enabled: false\n"),
    *(
        setting(f"enabled: {value}", f"ttsr:\n  enabled: {value}\n")
        for value in ("'false'", "0", "", "no", "FALSE", "[]", "''", "0.0", "-1")
    ),
    *(
        setting(f"builtinRules: {value}", f"ttsr:\n  builtinRules: {value}\n")
        for value in ("'false'", "0", "", "False")
    ),
    *(setting(f"disabledRules: {value}", f"ttsr:\n  disabledRules: {value}\n") for value in ("a", "", "[1]", "{a: 1}")),
    *(setting(f"disabledExtensions: {value}", f"disabledExtensions: {value}\n") for value in ("a", "", "[1]", "5")),
    *(setting(f"disabledProviders: {value}", f"disabledProviders: {value}\n") for value in ("native", "", "[1]", "5")),
    setting("settings on one line", "ttsr.enabled: false\nttsr.disabledRules: [a]\n"),
    setting("settings at the top", "enabled: false\ndisabledRules: [a]\n"),
    *(
        more(setting(f"ttsr: {value} over the user's", f"ttsr: {value}\n"), {USERS: "ttsr:\n  disabledRules: [a]\n"})
        for value in ("false", "[]", "1", "", "{}")
    ),
    more(tree("ttsr: false of the user", _A, _B, config="theme: dark\n"), {USERS: "ttsr: false\n"}),
    tree("settings of the user", _A, _B, users="ttsr:\n  disabledRules: [a]\n"),
    tree("settings of the user with another suffix", _A, _B, users_yaml="ttsr:\n  disabledRules: [a]\n"),
    tree("an empty file before one with another suffix", _A, _B, users="", users_yaml="ttsr:\n  disabledRules: [a]\n"),
    tree("older settings of the user", _A, _B, users_json='{"ttsr": {"disabledRules": ["a"]}, /* so */ }'),
    tree(
        "older settings of the user beside new ones",
        _A,
        _B,
        users="theme: dark\n",
        users_json='{"ttsr": {"disabledRules": ["a"]}}',
    ),
    tree("older settings that are broken", _A, _B, users_json='{"ttsr": {"disabledRules": ["a"]}'),
    tree("lists are replaced", _A, _B, users="ttsr:\n  disabledRules: [a]\n", config="ttsr:\n  disabledRules: [b]\n"),
    tree("maps are merged", _A, _B, users="ttsr:\n  disabledRules: [a]\n", config="ttsr:\n  builtinRules: false\n"),
    tree("older settings of the project", _A, _B, project_json='{"ttsr": {"disabledRules": ["a"]}}'),
    tree(
        "older settings of the project under new ones",
        _A,
        _B,
        config="ttsr:\n  disabledRules: [b]\n",
        project_json='{"ttsr": {"disabledRules": ["a"], "builtinRules": false}}',
    ),
    tree("older settings with comments", _A, _B, project_json='{"ttsr": {"disabledRules": ["a"]} /* so */}'),
    tree(
        "settings of Claude Code over those of the project",
        _A,
        _B,
        config="ttsr:\n  disabledRules: [b]\n",
        claude='{"ttsr": {"disabledRules": ["a"]}}',
    ),
    more(
        tree("settings of a folder above", _A, "p/sub/.omp/rules/c.md", cwd="p/sub"),
        {"p/.omp/config.yml": "ttsr:\n  disabledRules: [c]\n"},
    ),
    more(tree("settings of the project with another suffix", _A), {"p/.omp/config.yaml": "ttsr:\n  enabled: false\n"}),
    tree("settings with anchors, tabs and CRLF", _A, _B, config="x: &l [a]\r\nttsr:\r\n  disabledRules: *l\r\n"),
    tree("settings twice", _A, _B, config="ttsr:\n  disabledRules: [a]\nttsr:\n  disabledRules: [b]\n"),
    *(
        tree(f"broken settings of the project: {text!r}", _A, config=text)
        for text in ("ttsr: [", "- ttsr\n", "just text\n")
    ),
    tree("broken settings of the user", _A, users="ttsr: ["),
    # What git ignores
    tree("patterns without a repository", _A, _B, gitignore="a.md\n"),
    *(
        ignored(f"ignored: {patterns!r}", patterns)
        for patterns in (
            "a.md\n",
            ".omp/\n",
            ".omp/rules/*\n",
            "rules\n",
            "*.md\n!b.md\n",
            "/.omp/rules/a.md\n",
            "*\n",
            "s/\n",
            ".agents/rules/\n!.agents/rules/b.md\n",
            "{a,b}.md\n",
            "# a.md\n\\#a\n a.md\n",
            "A.MD\n",
            "**/rules/a.md\n",
        )
    ),
    ignored("ignored by a file in the rule folder", "a.md\n", "p/.omp/rules/.gitignore"),
    ignored("ignored by the repository alone", "a.md\n", "p/.git/info/exclude"),
    ignored("ignored by other tools", "a.md\n", "p/.ignore"),
    ignored("ignored by the user", "a.md\n", "home/.config/git/ignore"),
    more(
        ignored("ignored by the user's other file", "a.md\n", "home/ignored"),
        {"home/.gitconfig": "[core]\n\texcludesFile = ~/ignored\n"},
    ),
    more(ignored("ignored and not", "a.md\n"), {"p/.omp/.gitignore": "!a.md\n"}),
]
