"""The part of the documentation that lists the keys of the configuration, made from their table."""

from __future__ import annotations

from ttsr_ls.lint.config.keys import CONFIG_KEYS, PATHS, ConfigKey


def config_reference() -> str:
    """A section for each key, in Markdown."""
    return "\n".join(_section(key) for key in (*CONFIG_KEYS, PATHS))


def _section(key: ConfigKey) -> str:
    place = " (in an override)" if key is PATHS else ""
    return f"### `{key.name}`{place}\n\nTakes {key.kind}. {key.documentation}\n\n```toml\n{key.example}\n```\n"
