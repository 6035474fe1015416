"""Replays files of sessions on a Dask cluster: the same work as `replaying`, a task for each file.

A task that a lost process had begun, or whose result it kept, is done again elsewhere. Each file has one result, so
nothing counts twice. This is the only module that imports Dask.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from traceback import clear_frames
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls import __version__
from ttsr_ls.cli.replay.replaying import ReplayedFile, RuleSource, replay_file
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.escaping import one_line

if TYPE_CHECKING:
    from distributed import Client, Future
    from distributed.security import Security

_POLL = 5.0
_TASKS_AHEAD = 4
"""The number of files that are queued on the cluster for each thread of a worker."""
_INSTALL = "--engine dask needs Dask; install it with: pip install 'ttsr-ls[dask]'"


class Cluster(Struct, frozen=True):
    """The address of a scheduler; `security` is the key that it asks for, None for that of Dask's configuration.

    `timeout` is how long the scheduler may take to answer, and how long there may be no worker, in seconds.
    """

    address: str
    security: Security | None = None
    timeout: float = 30.0


def replay_on_cluster(paths: Iterable[Path], source: RuleSource, cluster: Cluster) -> Iterator[ReplayedFile]:
    """Each file with its result, in the given order.

    The workers need this version of ttsr-ls, and the files under the same paths. Raises UsageError where the cluster
    cannot be used or is lost, GitError where a worker cannot read the revision.
    """
    files = list(paths)
    with _client(cluster) as client:
        threads = max(1, sum(client.nthreads().values()))
        run = _ClusterRun(client, files, source, threads * _TASKS_AHEAD, cluster.timeout)
        for number in range(len(files)):
            yield run.result(number)


@contextmanager
def local_cluster(processes: int) -> Iterator[Cluster]:
    """A cluster of worker processes on this machine. Raises UsageError without Dask."""
    try:
        from distributed import LocalCluster
        from distributed.security import Security

        # A client that can connect can run any code as this user, so the processes authenticate with a temporary key.
        security = Security.temporary()
    except ImportError as error:
        raise UsageError(_INSTALL) from error
    loopback = "127.0.0.1:0"
    with _without_messages():
        try:
            cluster = LocalCluster(
                n_workers=max(1, processes),
                threads_per_worker=1,
                security=security,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": loopback},
                worker_dashboard_address=loopback,
                silence_logs=logging.CRITICAL,
            )
        except (RuntimeError, OSError) as error:  # The latter is what a start that takes too long raises, too.
            raise UsageError(f"the worker processes cannot be started: {one_line(str(error))}") from error
        with cluster:
            yield Cluster(cluster.scheduler_address, security)


def replay_on_worker(source: RuleSource, path: Path, version: str) -> ReplayedFile:
    """The result of one file, in a worker. Raises UsageError where the worker has another version."""
    if version != __version__:
        raise UsageError(f"a worker has ttsr-ls {__version__} and this is {version}; install the same version on each")
    return replay_file(source, path)


class _ClusterRun:
    """One run. A task is done again as often as it takes; only its last result is taken."""

    def __init__(self, client: Client, files: list[Path], source: RuleSource, ahead: int, timeout: float) -> None:
        self._client = client
        self._files = files
        self._upcoming = iter(range(len(files)))
        self._source = source
        self._finished: SimpleQueue[tuple[int, Future]] = SimpleQueue()
        self._results: dict[int, ReplayedFile] = {}
        self._waited = 0.0
        self._timeout = timeout
        self._submit(ahead)

    def result(self, number: int) -> ReplayedFile:
        """The result of a file; results are asked for in their order, once each."""
        while number not in self._results:
            try:
                finished, future = self._finished.get(timeout=_POLL)
            except Empty:
                self._check_workers()
                continue
            self._take(finished, future)
        return self._results.pop(number)

    def _submit(self, limit: int) -> None:
        for number in islice(self._upcoming, limit):
            path = self._files[number].absolute()
            future = self._client.submit(replay_on_worker, self._source, path, __version__, pure=False)
            self._await(number, future)

    def _await(self, number: int, future: Future) -> None:
        future.add_done_callback(lambda done: self._finished.put((number, done)))

    def _take(self, number: int, future: Future) -> None:
        try:
            result = _result_of(future, self._files[number])
        except TimeoutError:
            # The worker with the result was lost; another does the task again.
            self._check_workers()
            self._await(number, future)
            return
        self._waited = 0.0
        self._results[number] = result
        self._submit(1)

    def _check_workers(self) -> None:
        """Gives up on a cluster that has had no worker for some time."""
        if self._client.status != "running":
            raise UsageError("the connection to the scheduler of the cluster is lost")
        self._waited = 0.0 if self._client.nthreads() else self._waited + _POLL
        if self._waited >= self._timeout:
            raise UsageError(
                f"the cluster has had no worker for {self._timeout:.0f} seconds; start one, or leave out --scheduler"
            )


def _result_of(future: Future, path: Path) -> ReplayedFile:
    """The result of a finished task.

    Raises TtsrError where the worker did, UsageError if it raised another error or the connection is lost, and
    TimeoutError if the worker that has the result does not answer.
    """
    from distributed import CancelledError, KilledWorker

    try:
        error = future.exception(timeout=_POLL) if future.status == "error" else None
        if error is None:
            result: ReplayedFile = future.result(timeout=_POLL)
            return replace(result, path=path)
    except TimeoutError:
        raise
    except (OSError, CancelledError) as lost_connection:
        error = lost_connection
    if isinstance(error, TtsrError):
        raise error
    if isinstance(error, KilledWorker):
        return ReplayedFile(path, None, "each worker that read it ended")
    raise UsageError(f"the cluster cannot replay: {type(error).__name__}: {one_line(str(error))}") from error


def _check_address(address: str, display: str) -> None:
    """Raises UsageError for what cannot be an address: Dask tries to connect to it until its timeout ends."""
    from distributed.comm import get_address_host_port, parse_address

    try:
        is_possible = parse_address(address)[0] == "inproc" or 0 < get_address_host_port(address)[1] < 1 << 16
    except (ValueError, TypeError, ImportError):
        is_possible = False
    if not is_possible:
        raise UsageError(
            f"no Dask scheduler answers at '{display}': that is not an address; give the address of one as tcp://HOST:PORT"
        )


@contextmanager
def _client(cluster: Cluster) -> Iterator[Client]:
    """A connection to a cluster that has a worker. Raises UsageError."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(_INSTALL) from error
    display = one_line(cluster.address)
    _check_address(cluster.address, display)
    with _without_messages():
        client = None
        try:
            client = Client(cluster.address, timeout=cluster.timeout, set_as_default=False, security=cluster.security)
        except (OSError, ValueError, TypeError, ImportError) as error:
            clear_frames(error.__traceback__)
        if client is None:
            # A client that did not connect closes itself when it is collected. If that happened while another client
            # starts, it would wait for the lock of that start, and both would hang.
            gc.collect()
            raise UsageError(f"no Dask scheduler answers at {display}; give the address of one as tcp://HOST:PORT")
        with client:
            try:
                client.wait_for_workers(1, timeout=cluster.timeout)
            except TimeoutError as error:
                raise UsageError(
                    f"the cluster at {display} has no workers; start one with: dask worker {display}"
                ) from error
            yield client


@contextmanager
def _without_messages() -> Iterator[None]:
    """Silences Dask's log about lost workers and connections. The user gets one message of ours instead."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
