"""`replay --engine dask`: the same results on a cluster, also where a worker process is killed in mid-run."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from tests.cli.command import ttsr_ls
from ttsr_ls.cli.replay.cluster import Cluster, local_cluster, replay_on_cluster
from ttsr_ls.cli.replay.replaying import RuleSource, replay_all
from ttsr_ls.errors import UsageError

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = ("codex/exec.jsonl", "pi/rpc-aborted.jsonl", "claude/print-partial.jsonl", "gemini/stream.jsonl")
SESSIONS = 40
NO_RULES = RuleSource(Path("/"), Path("/"), {}, ())
LOOPBACK = {"dashboard_address": "127.0.0.1:0"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    project = tmp_path_factory.mktemp("dask") / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text("---\ncondition: deprecated_module\n---\nNo.\n")
    # Its evaluation starts a process in the worker.
    ast = '---\nastCondition: import $X\nscope: tool:write(*.py)\nglobs: "*.py"\n---\nNo.\n'
    (project / ".omp" / "rules" / "no-import.md").write_text(ast)
    kept = project / "kept"
    kept.mkdir()
    for number in range(SESSIONS):
        data = (SAMPLES / NAMES[number % len(NAMES)]).read_bytes()
        (kept / f"{number:02}.jsonl").write_bytes(data)
    (kept / "notes.jsonl").write_text("Buy milk.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(project.parent))
        patch.chdir(project)
        yield project


@pytest.fixture(scope="module")
def cluster(project: Path) -> Iterator[Cluster]:
    with local_cluster(2) as cluster:
        yield cluster


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_killed_worker_does_not_change_the_result(project: Path, cluster: Cluster) -> None:
    paths = sorted((project / "kept").iterdir())
    source = RuleSource.here(project, ())
    expected = list(replay_all(paths, source, 1))
    assert sum(len(file.session.triggers) for file in expected if file.session) > SESSIONS
    with Client(cluster.address, security=cluster.security, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        workers = client.run(os.getpid)
        assert len(workers) == 2
        lost, killed = next(iter(workers.items()))
        # Stopped first, so that the worker has tasks that are not done when it is killed.
        os.kill(killed, signal.SIGSTOP)
        had_tasks = []

        def kill() -> None:
            wait_for(lambda: bool(client.processing([lost])[lost]))
            had_tasks.append(lost)
            os.kill(killed, signal.SIGKILL)

        killing = threading.Thread(target=kill)
        killing.start()
        results = list(replay_on_cluster(paths, source, cluster))
        killing.join()
        assert had_tasks == [lost]
        assert results == expected
        wait_for(lambda: killed not in client.run(os.getpid).values())


def test_both_engines_give_the_same_report(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    ran = ttsr_ls(capsys, "replay", "kept", "--jobs", "1", "--json")
    there_ran = ttsr_ls(capsys, "replay", "kept", "--engine", "dask", "--jobs", "1", "--json")
    assert (there_ran.status, there_ran.out, there_ran.err) == (0, ran.out, "")
    assert json.loads(there_ran.out)["counts"]["no-old"] == SESSIONS


def test_a_scheduler_that_was_started_elsewhere_is_used(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    """The user who starts a cluster sets its keys; without keys, its address suffices."""
    options = {"n_workers": 1, "processes": False, "dashboard_address": None, "scheduler_kwargs": LOOPBACK}
    with LocalCluster(**options, protocol="tcp://") as started:
        ran = ttsr_ls(capsys, "replay", "kept", "--engine", "dask", "--scheduler", started.scheduler_address)
    assert ran.status == 0
    assert f"{SESSIONS} × no-old in {SESSIONS} sessions" in ran.out


def test_a_local_cluster_refuses_clients_without_its_key(cluster: Cluster) -> None:
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        list(replay_on_cluster([], NO_RULES, Cluster(cluster.address, timeout=1.0)))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "warp://x", "", "tcp://127.0.0.1:x"])
def test_an_unreachable_scheduler_is_an_error(address: str) -> None:
    with pytest.raises(
        UsageError, match=r"no Dask scheduler answers at .*; give the address of one as tcp://HOST:PORT"
    ):
        list(replay_on_cluster([], NO_RULES, Cluster(address, timeout=0.3)))


@pytest.mark.parametrize("address", ["garbage", "", "warp://x:1", "tcp://h:0", "tcp://h:65536", "a://b://c", "[::1:1"])
def test_an_invalid_address_is_refused_immediately(address: str) -> None:
    with pytest.raises(UsageError, match=r"that is not an address; give the address of one as tcp://HOST:PORT"):
        list(replay_on_cluster([], NO_RULES, Cluster(address)))


def test_a_cluster_without_workers_is_an_error() -> None:
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None, scheduler_kwargs=LOOPBACK) as started,
        pytest.raises(UsageError, match="has no workers; start one with: dask worker "),
    ):
        # Also on a busy machine, the scheduler answers within that time.
        list(replay_on_cluster([], NO_RULES, Cluster(started.scheduler_address, timeout=3.0)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "--scheduler needs --engine dask"),
        (["--engine", "spark"], "invalid choice: 'spark'"),
    ],
)
def test_invalid_arguments_are_refused(
    capsys: pytest.CaptureFixture[str], project: Path, arguments: list[str], message: str
) -> None:
    ran = ttsr_ls(capsys, "replay", "kept", *arguments)
    assert ran.status == 2
    assert message in ran.err


def test_without_dask_the_error_has_the_install_command(
    capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for arguments in ([], ["--scheduler", "tcp://127.0.0.1:1"]):
        ran = ttsr_ls(capsys, "replay", "kept", "--engine", "dask", *arguments)
        assert ran.status == 2
        assert "pip install 'ttsr-ls[dask]'" in ran.err
