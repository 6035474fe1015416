"""The manual has every provider with its locations, and every setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS, RuleProvider
from ttsr_ls.rules.settings.keys import SETTING_KEYS, SettingKey
from ttsr_ls.syntax.dialects.table import DIALECTS, Dialect

DOCS = Path(__file__).parents[3] / "docs"
MANUAL = (DOCS / "discovery.md").read_text(encoding="utf-8")
DIALECTS_MANUAL = (DOCS / "dialects.md").read_text(encoding="utf-8")


def row(first: str) -> str:
    return next(line for line in MANUAL.splitlines() if line.startswith(f"| `{first}` |"))


@pytest.mark.parametrize("provider", [*PROVIDERS, PI_TTSR], ids=lambda provider: provider.id)
def test_each_provider_has_a_row_in_the_manual(provider: RuleProvider) -> None:
    line = row(provider.id)
    assert provider is PI_TTSR or f"| {provider.priority} |" in line
    assert all(f"{location.path or location.names[0]}" in line for location in (*provider.project, *provider.user))
    names = [name for location in (*provider.project, *provider.user) for name in location.names]
    assert all(name in line for name in names)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.id)
def test_each_dialect_has_a_row_in_the_manual(dialect: Dialect) -> None:
    line = next(line for line in DIALECTS_MANUAL.splitlines() if line.startswith(f"| `{dialect.id}` |"))
    assert all(location.path in line for location in dialect.locations)
    assert not dialect.locations or str(dialect.locations[0]) in line


def test_providers_are_in_descending_order_of_priority() -> None:
    places = [MANUAL.index(row(provider.id)) for provider in PROVIDERS]
    assert places == sorted(places)
    assert [provider.priority for provider in PROVIDERS] == sorted(
        (provider.priority for provider in PROVIDERS), reverse=True
    )


@pytest.mark.parametrize("key", SETTING_KEYS, ids=lambda key: key.name)
def test_each_setting_has_a_row_in_the_manual(key: SettingKey) -> None:
    line = row(key.name)
    assert line.endswith(f"| `{key.default}` |")
    assert all(f"`{choice}`" in line for choice in key.choices)
    assert ("A setting of ours" in line) == key.is_ours
