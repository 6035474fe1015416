"""Project trees of which the reference agent is asked what rules it lists, each about one thing of discovery.

A file of a tree is `path: text`; a path that ends in `/` is an empty folder, a text that begins with `->` a link to
what follows. `cwd` is where the agent runs (default `p`), `env` its environment; `{root}` stands for the tree's folder.
The user's home folder is `home`.
"""

from __future__ import annotations

from typing import Any

RULE = "---\ncondition: foo\n---\nSay so.\n"
OFF = "---\ncondition: foo\nenabled: false\n---\nSay so.\n"
EMPTY = "---\ncondition: foo\n---\n"
BOOK = "---\ndescription: A book.\n---\nSay so.\n"
BROKEN = "---\ncondition: '('\ndescription: A book.\n---\nSay so.\n"
APPLY = "---\napplyTo: '**/*.ts, src/*.js'\ncondition: foo\n---\nSay so.\n"
APPLY_ALL = "---\napplyTo: '**'\ncondition: foo\nglobs: '*.py'\n---\nSay so.\n"

CONFIG, USERS = "p/.omp/config.yml", "home/.omp/agent/config.yml"
CURSOR, WINDSURF = "home/.cursor/rules", "home/.codeium/windsurf/memories/global_rules.md"


def tree(about: str, *rules: str, cwd: str = "p", env: dict[str, str] | None = None, **files: str) -> dict[str, Any]:
    """A tree with the usual rule at the paths `rules`, and `files` whose names are in `_NAMED`."""
    named = {_NAMED[name]: text for name, text in files.items()}
    return {"about": about, "cwd": cwd, "env": env or {}, "files": {**dict.fromkeys(rules, RULE), **named}}


def more(base: dict[str, Any], files: dict[str, str]) -> dict[str, Any]:
    """The same tree with more files."""
    return {**base, "files": {**base["files"], **files}}


_NAMED = {
    "config": CONFIG,
    "users": USERS,
    "users_yaml": "home/.omp/agent/config.yaml",
    "users_json": "home/.omp/agent/settings.json",
    "project_json": "p/.omp/settings.json",
    "claude": "p/.claude/settings.json",
    "gitignore": "p/.gitignore",
}
_GIT = {"p/.git/": ""}
_EVERY = (
    "p/.omp/rules/a.md", "home/.omp/agent/rules/b.md", "p/.agent/rules/c.md", "p/.agents/rules/d.md",
    "home/.agent/rules/e.md", "home/.agents/rules/f.md", "p/.cursor/rules/g.mdc", f"{CURSOR}/h.mdc",
    "p/.windsurf/rules/i.md", WINDSURF, "p/.clinerules/j.md", "p/.github/instructions/k.instructions.md",
    "p/.omp/RULES.md", "home/.omp/agent/RULES.md", "p/.pi/rules/l.md", "home/.pi/rules/m.md", "p/.claude/rules/n.md",
)  # fmt: skip
_SAME = tuple(f"{path.rsplit('/', 1)[0]}/x{path[path.rindex('.') :]}" for path in _EVERY[:8])

TREES: list[dict[str, Any]] = [
    tree("nothing"),
    tree("every place", *_EVERY),
    tree("every place, all opted in", *_EVERY, config="enabledProviders: ['*']\n"),
    tree("every place, one opted in", *_EVERY, config="enabledProviders: [cursor]\n"),
    tree("every place, opted in by the user", *_EVERY, users="enabledProviders: [windsurf, all]\n"),
    tree("every place, opted in where the project is", *_EVERY,
         users="enabledProviders:\n  - path: '~/..'\n    values: [cursor]\n"),
    tree("every place, opted in elsewhere", *_EVERY,
         users="enabledProviders:\n  - paths: [~/elsewhere]\n    providers: [cursor]\n"),
    *(
        tree(f"every place without {name}", *_EVERY, config=f"disabledProviders: [{name}]\n")
        for name in ("native", "agents", "cursor", "windsurf", "cline", "github", "builtin-defaults")
    ),
    tree("one name in several places", *_SAME),
    tree("one name in the project and at home", "p/.omp/rules/x.md", "home/.omp/agent/rules/x.md"),
    tree("one name in two places of equal priority", "p/.cursor/rules/x.md", "p/.windsurf/rules/x.md"),
    tree("one name with two suffixes", "p/.omp/rules/x.md", "p/.omp/rules/x.mdc", "p/.cursor/rules/y.mdc",
         "p/.cursor/rules/y.md"),
    more(tree("a file that is off leaves its name to others", "p/.agents/rules/x.md"), {"p/.omp/rules/x.md": OFF}),
    more(tree("an empty file takes its name along", "p/.agents/rules/x.md"), {"p/.omp/rules/x.md": EMPTY}),
    more(tree("a rule of the rulebook takes its name along", "p/.agents/rules/x.md"), {"p/.omp/rules/x.md": BOOK}),
    more(tree("a broken rule takes its name along", "p/.agents/rules/x.md"), {"p/.omp/rules/x.md": BROKEN}),
    more(tree("a built-in name that is off"), {"p/.omp/rules/ts-no-any.md": OFF}),
    tree("a built-in name that is taken", "p/.omp/rules/ts-no-any.md"),
    tree("the order of names", *(f"p/.omp/rules/{name}.md" for name in
                                 ("b", "a", "Z", "é", "10", "2", "_u", "-dash", "sp ace", "a-b", "a0", "x.y"))),
    tree("names that are no rules", *(f"p/.omp/rules/{name}" for name in
                                      ("LOUD.MD", ".hidden.md", ".md", "deep/in.md", "notes.txt", "x.markdown",
                                       "x.md.bak", "x.md.mdc", "y.instructions.md", "RULES.md"))),
    tree("suffixes that a place does not read", "p/.windsurf/rules/a.mdc", "p/.clinerules/b.mdc",
         "p/.github/instructions/c.instructions.mdc", "p/.github/instructions/d.md",
         "p/.github/instructions/.instructions.md"),
    tree("files of an older kind", "p/.cursorrules", "p/.windsurfrules"),
    # Where the agent runs
    tree("below the folder with rules", *_EVERY, cwd="p/sub/deeper"),
    more(tree("below the folder with rules, in a repository", *_EVERY, cwd="p/sub/deeper"), _GIT),
    more(tree("below a repository in a repository", "p/.agents/rules/a.md", "p/sub/.agents/rules/b.md",
              "p/sub/deeper/.agent/rules/c.md", "p/sub/deeper/.omp/rules/d.md", cwd="p/sub/deeper"),
         {**_GIT, "p/sub/.git/": ""}),
    more(tree("a file called .git marks a repository", ".agents/rules/a.md", "p/.agents/rules/b.md", cwd="p/sub"),
         {"p/.git": "gitdir: elsewhere\n"}),
    tree("the home folder itself", "home/.omp/rules/a.md", "home/.omp/agent/rules/b.md", "home/.agents/rules/c.md",
         "home/.omp/RULES.md", cwd="home"),
    tree("below the home folder", "home/.omp/rules/a.md", "home/.agents/rules/b.md", "home/w/.agents/rules/c.md",
         "home/.omp/RULES.md", ".agents/rules/d.md", cwd="home/w/v"),
    more(tree("the home folder is in a repository", "home/.agents/rules/a.md", ".agents/rules/b.md",
              "home/w/.agents/rules/c.md", cwd="home/w"), {".git/": ""}),
    # RULES.md
    tree("RULES.md of a folder above", "p/.omp/RULES.md", cwd="p/sub"),
    more(tree("a nearer .omp without RULES.md", "p/.omp/RULES.md", cwd="p/sub"), {"p/sub/.omp/rules/": ""}),
    more(tree("a nearer .omp that is empty", "p/.omp/RULES.md", cwd="p/sub"), {"p/sub/.omp/": ""}),
    more(tree("RULES.md above the repository", ".omp/RULES.md"), _GIT),
    more(tree("RULES.md that is empty or off"), {"p/.omp/RULES.md": "", "home/.omp/agent/RULES.md": OFF}),
    more(tree("RULES.md that is ignored"), {**_GIT, "p/.omp/RULES.md": RULE, "p/.gitignore": "RULES.md\n"}),
    tree("a rule called RULES", "p/.omp/rules/RULES.md", "home/.omp/agent/RULES.md"),
    # Cline
    tree("Cline's rules in one file", "p/.clinerules"),
    tree("Cline's rules of a folder above", "p/.clinerules/a.md", cwd="p/sub"),
    more(tree("Cline's rules above the repository", ".clinerules/a.md"), _GIT),
    more(tree("Cline's nearest rules, though empty", "p/.clinerules/a.md", cwd="p/sub"), {"p/sub/.clinerules/": ""}),
    more(tree("Cline's rules behind a link", "p/kept/a.md"), {"p/.clinerules": "->kept"}),
    # GitHub
    tree("instructions in folders", *(f"p/.github/instructions/{name}.instructions.md" for name in
                                      ("a", "a/x", "a-b", "b/c/d", "node_modules/e", ".f/g"))),
    more(tree("instructions with applyTo"), {
        "p/.github/instructions/a.instructions.md": APPLY, "p/.github/instructions/b.instructions.md": APPLY_ALL,
        "p/.github/instructions/c.instructions.md": RULE}),
    tree("instructions elsewhere", "one/.github/instructions/a.instructions.md",
         "two/.github/instructions/b/c.instructions.md", "p/.github/instructions/a.instructions.md",
         env={"COPILOT_CUSTOM_INSTRUCTIONS_DIRS": "{root}/one, {root}/two,,"}),
    tree("instructions elsewhere, named from here", "one/.github/instructions/a.instructions.md",
         env={"COPILOT_CUSTOM_INSTRUCTIONS_DIRS": "../one"}),
    # The environment
    tree("another agent folder", *_EVERY, "x/rules/z.md", "x/RULES.md", env={"PI_CODING_AGENT_DIR": "{root}/x"}),
    more(tree("another agent folder has the settings", "p/.omp/rules/a.md", "x/rules/b.md",
              env={"PI_CODING_AGENT_DIR": "../x"}),
         {"x/config.yml": "ttsr:\n  disabledRules: [a]\n", USERS: "ttsr:\n  disabledRules: [b]\n"}),
    tree("a profile", "home/.omp/profiles/work/agent/rules/a.md", "home/.omp/agent/rules/b.md",
         env={"OMP_PROFILE": "work", "PI_CODING_AGENT_DIR": "{root}/x"}),
    tree("a profile by its older name", "home/.omp/profiles/work/agent/rules/a.md", env={"PI_PROFILE": "work"}),
    tree("the default profile", "home/.omp/profiles/work/agent/rules/a.md", "home/.omp/agent/rules/b.md",
         env={"OMP_PROFILE": "default", "PI_PROFILE": "work"}),
    tree("another name for the folder at home", "home/.other/agent/rules/a.md", "p/.other/rules/b.md",
         "p/.omp/rules/c.md", env={"PI_CONFIG_DIR": ".other"}),
    # Links
    more(tree("links", "p/kept/a.md", "home/b.md"), {
        "p/.omp/rules/a.md": "->../../kept/a.md", "p/.omp/rules/out.md": "->{root}/home/b.md",
        "p/.omp/rules/gone.md": "->nowhere", "p/.omp/rules/folder.md": "->../../kept", "p/.agents": "->kept"}),
    more(tree("a rule folder behind a link", "kept/a.md", "kept/b.md"),
         {**_GIT, "p/.omp/rules": "->{root}/kept", "p/.gitignore": "a.md\n", "kept/.gitignore": "b.md\n"}),
    more(tree("links in a circle", "p/.github/instructions/a.instructions.md"),
         {"p/.github/instructions/up": "->..", "p/.omp/rules": "->../.omp"}),
]  # fmt: skip
