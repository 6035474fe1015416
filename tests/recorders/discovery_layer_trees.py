"""More trees for `record_discovery.py`: layers of settings, odd files, and places that overlap."""

from __future__ import annotations

from typing import Any

from tests.recorders.discovery_trees import CURSOR, OFF, RULE, USERS, WINDSURF, more, tree

_A, _B = "p/.omp/rules/a.md", "p/.omp/rules/b.md"
_GIT = {"p/.git/": ""}
_GEMINI, _CURSOR = "p/.gemini/settings.json", "p/.cursor/settings.json"


def layers(about: str, **files: Any) -> dict[str, Any]:
    """Two rules of the project and one of each editor at home, under several files of settings."""
    return tree(about, _A, _B, f"{CURSOR}/c.mdc", WINDSURF, **files)


TREES: list[dict[str, Any]] = [
    # Lists of one layer take the place of those below, whatever they are
    layers(
        "an empty list opens nothing", users="enabledProviders: [cursor, windsurf]\n", config="enabledProviders: []\n"
    ),
    layers(
        "a shorter list opens less",
        users="enabledProviders: [cursor, windsurf]\n",
        config="enabledProviders: [cursor]\n",
    ),
    layers("null in the place of a list", users="enabledProviders: [cursor]\n", config="enabledProviders:\n"),
    layers(
        "a text in the place of a list", users="enabledProviders: [cursor]\n", config="enabledProviders: windsurf\n"
    ),
    layers(
        "providers off by the user and on again",
        users="disabledProviders: [native]\n",
        config="disabledProviders: []\n",
    ),
    layers(
        "extensions off by the user and on again",
        users="disabledExtensions: ['rule:a']\n",
        config="disabledExtensions: ['rule:b']\n",
    ),
    layers(
        "rules off by the user and on again",
        users="ttsr:\n  disabledRules: [a, b]\n",
        config="ttsr:\n  disabledRules: []\n",
    ),
    layers(
        "switched off by the user and on again", users="ttsr:\n  enabled: false\n", config="ttsr:\n  enabled: true\n"
    ),
    layers(
        "two settings of one map from two layers",
        users="ttsr:\n  disabledRules: [a]\n  builtinRules: false\n",
        config="ttsr:\n  enabled: true\n",
    ),
    more(
        layers(
            "four layers",
            users="ttsr:\n  disabledRules: [a]\n",
            config="ttsr:\n  disabledRules: [b]\n",
            claude='{"ttsr": {"disabledRules": ["a"]}}',
        ),
        {_GEMINI: '{"ttsr": {"disabledRules": ["b"]}}'},
    ),
    more(
        layers("Cursor's settings over Gemini's"),
        {_GEMINI: '{"ttsr": {"disabledRules": ["a"]}}', _CURSOR: '{"ttsr": {"disabledRules": ["b"]}}'},
    ),
    more(
        layers("an empty list of another program", config="ttsr:\n  disabledRules: [a]\n"),
        {_CURSOR: '{"ttsr": {"disabledRules": []}}'},
    ),
    more(layers("broken settings of another program", config="ttsr:\n  disabledRules: [a]\n"), {_GEMINI: "{"}),
    more(
        layers("settings of another program at home"),
        {"home/.claude/settings.json": '{"ttsr": {"disabledRules": ["a"]}}'},
    ),
    more(
        layers("local settings of Claude Code"), {"p/.claude/settings.local.json": '{"ttsr": {"disabledRules": ["a"]}}'}
    ),
    more(
        layers("both suffixes at home", users="ttsr:\n  disabledRules: [a]\n"),
        {"home/.omp/agent/config.yaml": "ttsr:\n  disabledRules: [b]\n"},
    ),
    more(
        tree("the home folder's settings as a project's", "home/.omp/rules/a.md", "home/.omp/rules/b.md", cwd="home"),
        {"home/.omp/config.yml": "ttsr:\n  disabledRules: [a]\n", USERS: "ttsr:\n  disabledRules: [b]\n"},
    ),
    # RULES.md
    tree(
        "the project's sticky rule by its name",
        "p/.omp/RULES.md",
        "home/.omp/agent/RULES.md",
        config="ttsr:\n  disabledRules: ['RULES@project']\n",
    ),
    tree(
        "the user's sticky rule by its name",
        "p/.omp/RULES.md",
        "home/.omp/agent/RULES.md",
        config="disabledExtensions: ['rule:RULES']\n",
    ),
    tree("a sticky file in small letters", "p/.omp/rules.md", "p/.omp/Rules.md"),
    more(tree("a sticky file behind a link", "p/kept.md"), {"p/.omp/RULES.md": "->../kept.md"}),
    more(tree("a sticky folder"), {"p/.omp/RULES.md/a.md": RULE}),
    tree("a sticky file without anything else", "p/.omp/RULES.md"),
    # Walking up
    tree(
        "agent folders up to the top without a repository",
        ".agents/rules/a.md",
        "p/.agents/rules/b.md",
        "p/sub/.agent/rules/c.md",
        cwd="p/sub",
    ),
    more(
        tree("a repository of Jujutsu", ".agents/rules/a.md", "p/.agents/rules/b.md", cwd="p/sub"),
        {"p/.jj/": "", "p/.gitignore": "b.md\n"},
    ),
    more(tree("a repository below", "p/.agents/rules/a.md"), {"p/sub/.git/": ""}),
    more(
        tree(
            "one name at several heights",
            "p/.agents/rules/x.md",
            "p/sub/.agents/rules/x.md",
            "p/sub/deep/.agents/rules/x.md",
            cwd="p/sub/deep",
        ),
        _GIT,
    ),
    more(
        tree("the nearest one is off", "p/.agents/rules/x.md", cwd="p/sub"), {**_GIT, "p/sub/.agents/rules/x.md": OFF}
    ),
    tree("both agent folders have one name", "p/.agent/rules/x.md", "p/.agents/rules/x.md", "home/.agent/rules/x.md"),
    tree("Cline's rules at home", "home/.clinerules/a.md", cwd="home/w"),
    more(tree("Cline's file and folder", "p/.clinerules", "p/sub/.clinerules/a.md", cwd="p/sub/deep"), _GIT),
    more(tree("Cline's file that is empty", "p/.clinerules", cwd="p/sub"), {"p/sub/.clinerules": ""}),
    more(tree("Cline's file that is ignored"), {**_GIT, "p/.clinerules": RULE, "p/.gitignore": ".clinerules\n"}),
    more(tree("Cline's link that leads nowhere", "p/.clinerules/a.md", cwd="p/sub"), {"p/sub/.clinerules": "->gone"}),
    # Odd files
    more(tree("a folder called as a rule", _A), {"p/.omp/rules/b.md/c.md": RULE}),
    more(tree("a file in the place of the rule folder", "p/.agents/rules/a.md"), {"p/.omp/rules": RULE}),
    tree("folders in capitals", "p/.OMP/rules/a.md", "p/.omp/Rules/b.md", "p/.Agents/rules/c.md"),
    tree("names in both forms of Unicode", "p/.omp/rules/\u00e9.md", "p/.omp/rules/e\u0301.md"),
    tree(
        "names with blanks around", "p/.omp/rules/ a .md", "p/.omp/rules/a.md", config="ttsr:\n  disabledRules: [a]\n"
    ),
    tree("a name that is a number", "p/.omp/rules/1.md", "p/.omp/rules/01.md", config="ttsr:\n  disabledRules: [1]\n"),
    tree(
        "names of instructions in other places", "p/.omp/rules/a.instructions.md", "p/.cursor/rules/b.instructions.md"
    ),
    more(tree("rules that begin with a BOM"), {_A: "\ufeff" + RULE, _B: "\ufeff\n" + RULE}),
    more(tree("rules with line ends of old"), {_A: RULE.replace("\n", "\r\n"), _B: RULE.replace("\n", "\r")}),
    more(tree("an empty file among rules", _B), {_A: ""}),
    more(tree("plain text takes its name along", "p/.agents/rules/a.md"), {_A: "Just words.\n"}),
    more(
        tree("a rule for another agent takes its name along", "p/.agents/rules/a.md"),
        {_A: RULE.replace("foo", "foo\nagents: sub")},
    ),
    # What is ignored
    *(
        more(
            tree(
                f"ignored {about}",
                _A,
                "p/sub/.omp/rules/c.md",
                "p/sub/.agents/rules/d.md",
                "p/.agents/rules/a.md",
                cwd="p/sub",
            ),
            {**_GIT, **files},
        )
        for about, files in (
            ("above the folder", {"p/.gitignore": "*.md\n"}),
            ("above the folder, and not in it", {"p/.gitignore": "*.md\n", "p/sub/.gitignore": "!c.md\n"}),
            ("as a folder", {"p/.gitignore": "sub/\n"}),
            ("with all that is in a folder", {"p/.gitignore": "sub/**\n"}),
            ("from the root", {"p/.gitignore": "/.agents/rules/*\n"}),
            ("from the folder", {"p/sub/.gitignore": "/.agents/rules/d.md\n/.omp/rules/\n"}),
            ("by .ignore and not by .gitignore", {"p/.gitignore": "c.md\n", "p/.ignore": "!c.md\n"}),
            ("by .gitignore and not by .ignore", {"p/.gitignore": "!c.md\n", "p/.ignore": "c.md\n"}),
            ("by .rgignore", {"p/.rgignore": "*.md\n"}),
            ("by .ompignore", {"p/.ompignore": "*.md\n"}),
            ("by a file beside the rules", {"p/sub/.omp/rules/.ignore": "*\n"}),
            ("by a file with a BOM", {"p/.gitignore": "\ufeffc.md\n"}),
            ("by a file with CRLF", {"p/.gitignore": "c.md\r\nd.md\r\n"}),
            ("above the repository", {".gitignore": "*.md\n"}),
        )
    ),
    more(
        tree(
            "instructions ignored below",
            "p/.github/instructions/s/a.instructions.md",
            "p/.github/instructions/s/t/b.instructions.md",
        ),
        {**_GIT, "p/.github/instructions/s/.gitignore": "t/\n"},
    ),
    more(
        tree("the user's ignore file by XDG", _A, env={"XDG_CONFIG_HOME": "{root}/x"}),
        {**_GIT, "x/git/ignore": "a.md\n"},
    ),
    more(
        tree("rules at home that are ignored", "home/.agents/rules/a.md", "home/.omp/agent/rules/b.md", cwd="p"),
        {**_GIT, "home/.git/": "", "home/.gitignore": "*.md\n"},
    ),
]
