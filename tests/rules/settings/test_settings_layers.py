"""Settings of several files are merged as by the reference agent (spec O)."""

from __future__ import annotations

import math

import pytest

from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.rules.settings.settings import ContextMode, JudgeMode, RepeatMode, RepeatUnit, Settings
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat


def layer(text: str, level: Level = Level.PROJECT, path: str = "config.yml") -> SettingsLayer:
    return SettingsLayer(read_settings(text, path, SettingsFormat.YAML), level)


def layers(users: str, project: str) -> SettingsLayers:
    return SettingsLayers((layer(users, Level.USER, "users.yml"), layer(project)))


def settings(project: str) -> Settings:
    return SettingsLayers((layer(project),)).settings()


def test_without_files_the_defaults_hold() -> None:
    assert SettingsLayers(()).settings() == Settings()
    assert SettingsLayers((layer(""), layer("["))).settings() == Settings()


def test_every_setting_is_read() -> None:
    assert settings(
        """
ttsr:
  enabled: false
  judge: 'off'
  contextMode: keep
  interruptMode: tool-only
  repeatMode: after-gap
  repeatGap: 3
  builtinRules: false
  disabledRules: [a, ' b ']
disabledExtensions: ['rule:c', 'tool:d', e]
"""
    ) == Settings(
        enabled=False,
        judge=JudgeMode.OFF,
        context_mode=ContextMode.KEEP,
        interrupt_mode=InterruptMode.TOOL_ONLY,
        repeat_mode=RepeatMode.AFTER_GAP,
        repeat_gap=3,
        builtin_rules=False,
        disabled_rules=("a", "b"),
        disabled_extensions=("c",),
    )


@pytest.mark.parametrize(
    ("users", "project", "names"),
    [
        ("ttsr: {disabledRules: [a, b]}", "ttsr: {disabledRules: [c]}", ("c",)),
        ("ttsr: {disabledRules: [a, b]}", "ttsr: {disabledRules: []}", ()),
        ("ttsr: {disabledRules: [a, b]}", "ttsr: {enabled: true}", ("a", "b")),
        ("ttsr: {disabledRules: [a, b]}", "ttsr: false", ("a", "b")),
        ("ttsr: {disabledRules: [a, b]}", "ttsr:", ("a", "b")),
        ("ttsr: {disabledRules: [a, b]}", "ttsr: {disabledRules: }", ()),
        ("ttsr: 1", "ttsr: {disabledRules: [c]}", ("c",)),
        ("ttsr: 1", "theme: dark", ()),
        ("ttsr: {disabledRules: [a]}\nttsr: {enabled: true}", "", ()),
    ],
)
def test_lists_are_replaced_and_maps_are_merged(users: str, project: str, names: tuple[str, ...]) -> None:
    assert layers(users, project).settings().disabled_rules == names


@pytest.mark.parametrize(
    ("value", "enabled"),
    [("true", True), ("false", False), ("off", True), ("0", False), ("''", False), ("", False), ("[]", True),
     ("{}", True), (".nan", False), ("0.5", True)],
)  # fmt: skip
def test_the_setting_enabled_is_read_as_truthy_or_falsy(value: str, enabled: bool) -> None:
    assert settings(f"ttsr:\n  enabled: {value}").enabled is enabled


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("interruptMode: Never", Settings()),
        ("interruptMode: [never]", Settings()),
        ("interruptMode:", Settings()),
        ("repeatMode: 1", Settings()),
        ("contextMode:", Settings()),
        ("judge: maybe", Settings()),
        ("builtinRules: no", Settings()),
        ("repeatGap: '7'", Settings(repeat_gap=7)),
        ("repeatUnit: turns", Settings(repeat_unit=RepeatUnit.TURNS)),
        ("repeatUnit: answers", Settings(repeat_unit=RepeatUnit.ANSWERS)),
        ("repeatUnit: Turns", Settings()),
        ("repeatUnit: [turns]", Settings()),
        ("maxInterrupts: 3", Settings(max_interrupts=3)),
        ("maxInterrupts: 0", Settings(max_interrupts=0)),
        *((f"maxInterrupts: {value}", Settings()) for value in ("-1", "true", "three", ".inf", ".nan", "[3]", "1e9")),
        ("askRules: [no-old, ' b ']", Settings(ask_rules=("no-old", "b"))),
        ("askRules: ['*']", Settings(ask_rules=("*",))),
        ("repeatGap:", Settings(repeat_gap=0)),
        ("repeatGap: ''", Settings(repeat_gap=0)),
        ("repeatGap: '0x10'", Settings(repeat_gap=16)),
        ("repeatGap: [3]", Settings(repeat_gap=3)),
        ("repeatGap: '1_0'", Settings(repeat_gap=math.inf)),
        ("repeatGap: many", Settings(repeat_gap=math.inf)),
        ("repeatGap: .nan", Settings(repeat_gap=math.inf)),
        ("repeatGap: {}", Settings(repeat_gap=math.inf)),
        ("disabledRules: ab", Settings(disabled_rules=("a", "b"))),
        ("disabledRules: {a: 1}", Settings()),
        ("disabledRules: [1, a, [b]]", Settings(disabled_rules=("a",))),
    ],
)
def test_invalid_setting_values_are_read_as_by_the_agent(line: str, changed: Settings) -> None:
    assert settings(f"ttsr:\n  {line}") == changed


def test_a_setting_knows_its_layer_and_the_values_it_overrides() -> None:
    settings_layers = layers("ttsr: {disabledRules: [a]}", "ttsr: {disabledRules: [b]}")
    setting = settings_layers.effective(keys.DISABLED_RULES)
    assert setting is not None
    assert setting.layer.file.path == "config.yml"
    assert [setting.layer.file.path for setting in settings_layers.overridden(keys.DISABLED_RULES)] == ["users.yml"]
    assert settings_layers.effective(keys.ENABLED) is None
    assert settings_layers.overridden(keys.ENABLED) == ()
