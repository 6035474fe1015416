"""Finding a configuration: the nearest one upwards, in either file, and errors that name the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.lint.config.config import ConfigError
from ttsr_ls.lint.selection import EVERYTHING
from ttsr_ls.store.settings.config_file import ConfigFinder, config_in_file, no_config
from ttsr_ls.syntax.dialects.table import DialectId


def write(root: Path, **files: str) -> None:
    """Writes files by name, with `__` for a slash and `_toml` for the suffix."""
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_toml", ".toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(folder: Path) -> str | None:
    """The configuration for a folder, by the last two parts of its path."""
    path = ConfigFinder().config_for(folder).path
    return None if path is None else "/".join(path.parts[-2:])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a rule folder."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "pkg" / "rules").mkdir(parents=True)
    return tmp_path / "repo"


OURS = "[tool.ttsr-ls]\nignore = ['inert-name']\n"
OTHERS = "[tool.other]\nx = 1\n"


def test_the_nearest_configuration_upwards_is_used(root: Path) -> None:
    write(root, pyproject_toml=OURS)
    assert found(root / "pkg" / "rules") == "repo/pyproject.toml"
    write(root, **{"pkg__ttsr-ls_toml": ""})
    assert found(root / "pkg" / "rules") == "pkg/ttsr-ls.toml"
    assert found(root) == "repo/pyproject.toml"


def test_ttsr_ls_toml_is_used_before_pyproject_toml(root: Path) -> None:
    write(root, **{"pyproject_toml": OURS, "ttsr-ls_toml": ""})
    assert found(root) == "repo/ttsr-ls.toml"


def test_a_pyproject_toml_without_the_table_is_skipped(root: Path) -> None:
    write(root, pyproject_toml=OURS, pkg__pyproject_toml=OTHERS)
    assert found(root / "pkg" / "rules") == "repo/pyproject.toml"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "pyproject.toml",
            OURS.replace("ttsr-ls", "ttsr_ls"),
            "[tool.ttsr_ls] is not read; the name is [tool.ttsr-ls]",
        ),
        (
            "pyproject.toml",
            OURS.replace("ttsr-ls", "TTSR-LS"),
            "[tool.TTSR-LS] is not read; the name is [tool.ttsr-ls]",
        ),
        ("ttsr-ls.toml", OURS, "the keys stand at the top of this file, without [tool.ttsr-ls]"),
    ],
)
def test_a_misplaced_configuration_table_is_an_error(name: str, text: str, message: str, root: Path) -> None:
    (root / name).write_text(text)
    with pytest.raises(ConfigError) as raised:
        ConfigFinder().config_for(root)
    assert str(raised.value) == f"{root / name}: {message}"


def test_the_search_for_a_configuration_ends_at_the_repository(root: Path) -> None:
    write(root.parent, pyproject_toml=OURS)
    assert found(root / "pkg") is None
    config = ConfigFinder().config_for(root / "pkg")
    assert config.selection(root / "pkg" / "a.md") == EVERYTHING
    assert config.dialect(root / "a.md") is None
    assert not config.excludes(root / "a.md")
    assert config.rule_folders == ()


def test_the_configuration_of_each_folder_is_cached(root: Path) -> None:
    write(root, pyproject_toml=OURS)
    finder = ConfigFinder()
    first = finder.config_for(root / "pkg" / "rules")
    (root / "pyproject.toml").unlink()
    assert finder.config_for(root / "pkg" / "rules") is first
    assert finder.config_for(root / "pkg") is first


def test_configured_paths_are_relative_to_the_configuration_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        root,
        **{
            "ttsr-ls_toml": "rule-folders = ['team/rules', '../shared']\nexclude = ['pkg/**']\n"
            "[[overrides]]\npaths = ['drafts/*']\ndialect = 'pi-ttsr'\nignore = ['empty-body']\n"
        },
    )
    config = ConfigFinder().config_for(root)
    assert config.rule_folders == (root / "team" / "rules", root.parent / "shared")
    monkeypatch.chdir(root / "pkg")
    for path in (root / "drafts" / "a.md", Path("../drafts/a.md")):
        assert "empty-body" not in config.selection(path).codes
        assert config.dialect(path) is DialectId.PI_TTSR
    assert config.excludes(Path("a.md"))
    assert not config.excludes(root.parent / "pkg" / "a.md")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("ttsr-ls_toml", "select = 'x'", "ttsr-ls.toml: `select` in the configuration is a text; write a list"),
        ("ttsr-ls_toml", "select = [", "cannot read {path}: "),
        ("pyproject_toml", "[tool.ttsr-ls]\nslect = []", "pyproject.toml: [tool.ttsr-ls] has a key `slect` that does"),
        ("pyproject_toml", "[tool]\nttsr-ls = 1", "pyproject.toml: [tool.ttsr-ls] is no table; write [tool.ttsr-ls]"),
    ],
)
def test_configuration_errors_name_the_file(name: str, text: str, message: str, root: Path) -> None:
    write(root, **{name: text})
    path = root / name.replace("_toml", ".toml")
    with pytest.raises(ConfigError) as raised:
        ConfigFinder().config_for(root)
    assert message.format(path=path) in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_configuration_that_is_not_utf8_is_an_error(root: Path) -> None:
    (root / "ttsr-ls.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(ConfigError, match="cannot read"):
        ConfigFinder().config_for(root)


def test_a_byte_order_mark_before_a_configuration_is_ignored(root: Path) -> None:
    (root / "ttsr-ls.toml").write_bytes(b"\xef\xbb\xbfselect = []\n")
    assert ConfigFinder().config_for(root).selection(root / "a.md").codes == frozenset()


def test_a_deeply_nested_configuration_is_an_error(root: Path) -> None:
    write(root, **{"ttsr-ls_toml": "x = " + "[" * 50_000})
    with pytest.raises(ConfigError, match="cannot read"):
        ConfigFinder().config_for(root)


def test_a_configuration_file_named_by_the_user_is_read(root: Path) -> None:
    write(root, pyproject_toml=OURS, pkg__pyproject_toml=OTHERS)
    assert config_in_file(root / "pyproject.toml").folder == root
    with pytest.raises(ConfigError, match=r"has no table \[tool\.ttsr-ls\]"):
        config_in_file(root / "pkg" / "pyproject.toml")
    with pytest.raises(ConfigError, match="cannot read"):
        config_in_file(root / "missing.toml")
    assert no_config().path is None
