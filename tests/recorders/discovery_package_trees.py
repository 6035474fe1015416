"""More trees for `record_discovery.py`: extension packages and marketplace plugins."""

from __future__ import annotations

import json
from typing import Any

from tests.recorders.discovery_trees import more, tree


def registry(**plugins: Any) -> str:
    return json.dumps(
        {"version": 1, "plugins": {name.replace("_at_", "@"): entries for name, entries in plugins.items()}}
    )


TREES: list[dict[str, Any]] = [
    more(
        tree("extension packages", "e/rules/a.md", "p/x/rules/b.md", "home/y/rules/c.mdc", "p/.omp/rules/c.md"),
        {"p/.omp/config.yml": "extensions: ['{root}/e', x, ~/y, ./gone, x/rules/b.md]\n"},
    ),
    tree("extension packages of the user", "p/x/rules/b.md", users="extensions: [./x]\n"),
    tree(
        "extension packages of the project alone",
        "p/x/rules/a.md",
        "p/y/rules/b.md",
        users="extensions: [x]\n",
        config="extensions: [y]\n",
    ),
    tree("extensions that are no list", "p/x/rules/a.md", users="extensions: [x]\n", config="extensions: y\n"),
    more(
        tree(
            "installed packages",
            *(
                f"home/.omp/plugins/node_modules/{name}/rules/{name[-1]}.md"
                for name in ("one-a", "two-b", "three-c", "four-d", "@s/five-e")
            ),
        ),
        {
            "home/.omp/plugins/package.json": json.dumps(
                {"dependencies": {"one-a": "1", "two-b": "1", "three-c": "1", "@s/five-e": "1"}}
            ),
            "home/.omp/plugins/omp-plugins.lock.json": json.dumps(
                {"plugins": {"three-c": {"enabled": False}, "one-a": {"enabled": True}, "four-d": {"enabled": True}}}
            ),
            **{
                f"home/.omp/plugins/node_modules/{name}/package.json": json.dumps(
                    {"version": "1.0.0", "omp": {}} if name != "two-b" else {"version": "1.0.0"}
                )
                for name in ("one-a", "two-b", "three-c", "four-d", "@s/five-e")
            },
        },
    ),
    more(
        tree("installed packages of the project", "p/.omp/plugins/node_modules/one/rules/a.md", cwd="p/sub"),
        {
            "p/.omp/plugins/package.json": '{"dependencies": {"one": "1"}}',
            "p/.omp/plugins/node_modules/one/package.json": '{"version": "1.0.0", "pi": {"extensions": []}}',
        },
    ),
    more(
        tree("marketplace plugins", "m/one/rules/a.md", "m/two/rules/b.md", "m/three/rules/c.md", "m/four/rules/d.md"),
        {
            "home/.omp/plugins/installed_plugins.json": registry(
                one_at_m=[{"scope": "user", "installPath": "{root}/m/one", "version": "1"}],
                two_at_m=[{"scope": "user", "installPath": "{root}/m/two", "version": "1", "enabled": False}],
                three=[],
            ),
            "home/.claude/plugins/installed_plugins.json": registry(
                three_at_m=[{"scope": "user", "installPath": "{root}/m/three", "version": "1"}],
                four_at_m=[
                    {"scope": "local", "installPath": "{root}/m/four", "version": "1", "projectPath": "{root}/p"}
                ],
            ),
        },
    ),
    more(
        tree(
            "marketplace plugins of Claude Code, opted in",
            "m/three/rules/c.md",
            "m/four/rules/d.md",
            "m/five/rules/e.md",
            "p/.agents/rules/c.md",
            config="enabledProviders: [claude]\n",
        ),
        {
            "home/.claude/settings.json": '{"enabledPlugins": {"five@m": false}}',
            "home/.claude/plugins/installed_plugins.json": registry(
                three_at_m=[{"scope": "user", "installPath": "{root}/m/three", "version": "1"}],
                four_at_m=[
                    {"scope": "local", "installPath": "{root}/m/four", "version": "1", "projectPath": "{root}/q"}
                ],
                five_at_m=[{"scope": "user", "installPath": "{root}/m/five", "version": "1"}],
            ),
        },
    ),
    more(
        tree("marketplace plugins of the project", "m/one/rules/a.md", "m/two/rules/a.md", cwd="p/sub"),
        {
            "p/.omp/plugins/installed_plugins.json": registry(
                one_at_m=[{"scope": "project", "installPath": "{root}/m/one", "version": "1"}]
            ),
            "home/.omp/plugins/installed_plugins.json": registry(
                one_at_m=[{"scope": "user", "installPath": "{root}/m/two", "version": "1"}]
            ),
        },
    ),
]
