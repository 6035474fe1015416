"""Random project trees for `record_discovery.py`: several things of discovery at once."""

from __future__ import annotations

import random
from typing import Any

from tests.recorders.discovery_trees import APPLY, BOOK, BROKEN, EMPTY, OFF, RULE

_TEXTS = (RULE, RULE, RULE, RULE, OFF, EMPTY, BOOK, BROKEN, APPLY)
_FOLDERS = (
    ".omp/rules", ".agent/rules", ".agents/rules", ".cursor/rules", ".windsurf/rules", ".clinerules",
    ".github/instructions", ".github/instructions/s", ".pi/rules",
)  # fmt: skip
_PROJECTS = ("p", "p", "p", "p/sub", "p/sub/deep", "")
_AT_HOME = (".omp/agent/rules", ".agent/rules", ".agents/rules", ".cursor/rules", ".codeium/windsurf/memories")
_NAMES = ("a.md", "b.md", "b.mdc", "c.md", "C.md", "a.instructions.md", "b.instructions.md", "ts-no-any.md", "RULES.md")
_PATTERNS = ("a.md", "*.md", "!b.md", "rules/", ".omp", ".agents/", "*", "**/rules/b.*", "/.omp/rules/c.md", "b*", "s/")
_SETTINGS = (
    "ttsr:\n  disabledRules: [{}]\n", "ttsr:\n  builtinRules: false\n", "ttsr:\n  enabled: false\n",
    "disabledExtensions: ['rule:{}']\n", "disabledProviders: [{}]\n", "enabledProviders: [{}]\n",
)  # fmt: skip
_PROVIDERS = ("native", "agents", "cursor", "windsurf", "cline", "github")


def generate(seed: int, count: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [_tree(rng, number) for number in range(count)]


def _tree(rng: random.Random, number: int) -> dict[str, Any]:
    files: dict[str, str] = {}
    for _ in range(rng.randint(2, 12)):
        if rng.random() < 0.25:
            folder = f"home/{rng.choice(_AT_HOME)}"
        else:
            folder = "/".join(part for part in (rng.choice(_PROJECTS), rng.choice(_FOLDERS)) if part)
        name = "global_rules.md" if folder.endswith("memories") else rng.choice(_NAMES)
        files[f"{folder}/{name}"] = rng.choice(_TEXTS)
    for path in ("p/.omp/RULES.md", "home/.omp/agent/RULES.md", "p/sub/.omp/RULES.md"):
        if rng.random() < 0.15:
            files[path] = rng.choice(_TEXTS)
    if rng.random() < 0.6:
        files[f"{rng.choice(('p', 'p', 'p/sub'))}/.git/"] = ""
    if rng.random() < 0.4:
        place = rng.choice(
            ("p/.gitignore", "p/sub/.gitignore", "p/.omp/.gitignore", "p/.omp/rules/.gitignore", "p/.ignore")
        )
        files[place] = "".join(f"{rng.choice(_PATTERNS)}\n" for _ in range(rng.randint(1, 3)))
    for path in ("p/.omp/config.yml", "home/.omp/agent/config.yml", "p/sub/.omp/config.yml"):
        if rng.random() < 0.3:
            files[path] = _settings(rng)
    cwd = rng.choice(("p", "p", "p/sub", "p/sub/deep"))
    return {"about": f"generated {number}", "cwd": cwd, "env": {}, "files": files}


def _settings(rng: random.Random) -> str:
    setting = rng.choice(_SETTINGS)
    if "Providers" in setting:
        return setting.format(", ".join(rng.sample(_PROVIDERS, rng.randint(1, 3))))
    return setting.format(rng.choice(("a", "b", "RULES", "ts-no-any")))
