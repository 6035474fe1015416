"""Rules are discovered as recorded from the reference agent, with the same order and names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.recorders.tree_files import make_workspace
from tests.store.discovery.discovery_vectors import recorded_trees
from ttsr_ls.lint.config.settings_check import check_settings
from ttsr_ls.lint.finding import Severity
from ttsr_ls.rules.providers import BUILTIN, BUILTIN_RULES
from ttsr_ls.rules.rule_set import RefusalReason
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LocalRules, rules_at

TREES = recorded_trees()

# The intended differences, by their reason.
DIFFERENT = {"instructions elsewhere, named from here": "paths are shown in full"}


def here(root: Path, tree: dict[str, Any]) -> LocalRules:
    root.mkdir()
    make_workspace(root, tree)
    environ = {name: value.replace("{root}", str(root)) for name, value in tree["env"].items()}
    return rules_at(AgentEnvironment(root / tree["cwd"], root / "home", environ))


def listed(rules: LocalRules, root: Path) -> list[list[Any]]:
    """Each rule that fires for some agent, in order: name, provider, path, globs."""
    rule_set = rules.rule_set()
    kept = {rule.path for rule in rule_set.rules}
    kept |= {refusal.path for refusal in rule_set.refusals if refusal.reason is RefusalReason.OTHER_AGENT}
    return [
        [
            rule.found.name,
            rule.found.provider,
            str(rule.found.path).replace(str(root), "{root}"),
            [glob.value for glob in rule.file.fields.globs],
        ]
        for rule in rules.loaded
        if str(rule.found.path) in kept
    ]


def builtin(rules: LocalRules) -> int:
    """The number of active built-in rules, of which only the names are known."""
    settings = rules.settings
    if not settings.enabled or not settings.builtin_rules or BUILTIN.id in rules.disabled_providers:
        return 0
    taken = {rule.path: rule.name for rule in rules.rule_set().rules}.values()
    claimed = {refusal.name for refusal in rules.rule_set().refusals if refusal.bucket != "disabled"} | set(taken)
    return len(BUILTIN_RULES - claimed - set(settings.disabled_rules) - set(settings.disabled_extensions))


def test_the_recorded_trees_cover_all_providers() -> None:
    assert len(TREES) >= 200
    assert sum(bool(tree["listed"]) for tree in TREES) > 150
    assert sum(tree["listed"] is None for tree in TREES) > 5
    assert {provider for tree in TREES for _, provider, *_ in tree["listed"] or ()} == {
        "native", "omp-plugins", "claude-plugins", "agents", "cursor", "windsurf", "cline", "github",
    }  # fmt: skip


def test_discovered_rules_equal_those_of_the_agent(tmp_path: Path) -> None:
    for number, tree in enumerate(TREES):
        if tree["listed"] is None:
            continue
        root = tmp_path / str(number)
        rules = here(root, tree)
        if tree["about"] in DIFFERENT:
            assert listed(rules, root) != tree["listed"], tree["about"]
        else:
            assert listed(rules, root) == tree["listed"], tree["about"]
        assert builtin(rules) == tree["builtin"], tree["about"]


def test_settings_that_stop_the_agent_have_an_error_finding(tmp_path: Path) -> None:
    for number, tree in enumerate(TREES):
        if tree["listed"] is None:
            layers = here(tmp_path / str(number), tree).layers.layers
            findings = [finding for layer in layers for finding in check_settings(layer.file)]
            assert [finding for finding in findings if finding.severity is Severity.ERROR], tree["about"]
