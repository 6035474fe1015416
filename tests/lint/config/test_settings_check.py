"""Any settings file can be checked. The expected findings are in `cases/settings.md`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.lint.config.settings_check import check_settings, replaced_lists
from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.settings.keys import SETTING_KEYS
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat

VALUES = st.sampled_from(
    [
        "true",
        "off",
        "1",
        "x",
        "",
        "[]",
        "[a]",
        "[1]",
        "[[a]]",
        "{a: 1}",
        "[{path: x}]",
        "'",
        "always",
        ".nan",
        "~",
        "&a *a",
    ]
)
LINES = st.one_of(
    st.builds("{}: {}".format, st.sampled_from([key.name for key in SETTING_KEYS] + ["ttsr", "Ttsr"]), VALUES),
    st.builds("  {}: {}".format, st.sampled_from([key.path[-1] for key in SETTING_KEYS] + ["wibble"]), VALUES),
    st.just("ttsr:"),
)


@given(st.lists(LINES, max_size=8))
def test_findings_lie_in_the_settings_file_and_settings_are_built_from_it(lines: list[str]) -> None:
    text = "\n".join(lines)
    file = read_settings(text, "/p/.omp/config.yml", SettingsFormat.YAML)
    findings = check_settings(file)
    assert all(0 <= finding.span.start <= finding.span.end <= len(text) for finding in findings)
    assert (file.root is None) == any(finding.code == "broken-settings" for finding in findings)
    layers = SettingsLayers((SettingsLayer(file, Level.USER), SettingsLayer(file, Level.PROJECT)))
    layers.settings()
    assert replaced_lists(layers) == ()


def test_settings_of_other_programs_are_not_checked() -> None:
    file = read_settings('{"ttsr": {"enabled": "no"}}', "/p/.claude/settings.json", SettingsFormat.JSON)
    assert check_settings(file) == ()
