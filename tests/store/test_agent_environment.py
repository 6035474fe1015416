"""The folders of an agent, by its environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.store.agent_environment import AgentEnvironment, expand_path

CWD, HOME = Path("/w/p"), Path("/home/me")


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({}, "/home/me/.omp/agent"),
        ({"PI_CODING_AGENT_DIR": "/x"}, "/x"),
        ({"PI_CODING_AGENT_DIR": "../x"}, "/w/x"),
        ({"PI_CODING_AGENT_DIR": ""}, "/home/me/.omp/agent"),
        ({"PI_CONFIG_DIR": ".other"}, "/home/me/.other/agent"),
        ({"OMP_PROFILE": "work"}, "/home/me/.omp/profiles/work/agent"),
        ({"PI_PROFILE": " work "}, "/home/me/.omp/profiles/work/agent"),
        ({"OMP_PROFILE": "", "PI_PROFILE": "work"}, "/home/me/.omp/agent"),
        ({"OMP_PROFILE": "default"}, "/home/me/.omp/agent"),
        ({"OMP_PROFILE": "work", "PI_CODING_AGENT_DIR": "/x"}, "/home/me/.omp/profiles/work/agent"),
        ({"OMP_PROFILE": "../../x"}, "/home/me/.omp/agent"),
        ({"OMP_PROFILE": ".."}, "/home/me/.omp/agent"),
    ],
)
def test_the_agent_folder_follows_the_environment(environ: dict[str, str], folder: str) -> None:
    assert str(AgentEnvironment(CWD, HOME, environ).agent_folder) == folder


def test_the_plugins_folder_is_in_xdg_data_home_if_it_exists(tmp_path: Path) -> None:
    place = AgentEnvironment(CWD, HOME, {"XDG_DATA_HOME": str(tmp_path)})
    assert str(place.plugins_folder) == "/home/me/.omp/plugins"
    (tmp_path / "omp").mkdir()
    assert place.plugins_folder == tmp_path / "omp" / "plugins"
    elsewhere = AgentEnvironment(CWD, HOME, {"XDG_DATA_HOME": str(tmp_path), "PI_CODING_AGENT_DIR": "/x"})
    assert str(elsewhere.plugins_folder) == "/home/me/.omp/plugins"


def test_the_claude_folder_follows_the_environment() -> None:
    assert str(AgentEnvironment(CWD, HOME).claude_folder) == "/home/me/.claude"
    assert str(AgentEnvironment(CWD, HOME, {"CLAUDE_CONFIG_DIR": " /x "}).claude_folder) == "/x"


@pytest.mark.parametrize(
    ("path", "full"),
    [("~", "/home/me"), ("~/a", "/home/me/a"), ("~//etc", "/home/me/etc"), ("~/..", "/home"), ("a/../b", "/w/p/b"),
     ("/a", "/a"), (".", "/w/p")],
)  # fmt: skip
def test_paths_in_settings_are_expanded(path: str, full: str) -> None:
    assert str(expand_path(path, AgentEnvironment(CWD, HOME))) == full


def test_the_repository_is_the_nearest_folder_with_git(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/.git").write_text("gitdir: elsewhere")
    assert AgentEnvironment(tmp_path / "a/b/c", HOME).repository == tmp_path / "a"
    (tmp_path / "a/b/.git").symlink_to("nowhere")
    assert AgentEnvironment(tmp_path / "a/b/c", HOME).repository == tmp_path / "a/b"
