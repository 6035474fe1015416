import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.cli.hostile_project import make_hostile_project
from tests.cli.hostile_session import log_hostile_session
from tests.cli.watched_project import RULE


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project that is the current folder, with an empty home folder beside it."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with the rule that the watched sample breaks."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "no-old.md").write_text(RULE)
    return folder


@pytest.fixture
def state(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where session logs are written."""
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    return project.parent / "state"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The hostile project as the current folder, without colours and input; an alarm ends a command that hangs."""
    project = make_hostile_project(tmp_path)
    monkeypatch.chdir(project)
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(project.parent / name))
    log_hostile_session(project.parent / "XDG_STATE_HOME", project)
    monkeypatch.setenv("NO_COLOR", "1")
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)

    def too_long(number: int, frame: FrameType | None) -> None:
        raise AssertionError("the command hangs")

    before = signal.signal(signal.SIGALRM, too_long)
    # A test runs some fifty commands, and a busy machine is ten times as slow.
    signal.alarm(300)
    with Path("/dev/null").open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        yield project
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
