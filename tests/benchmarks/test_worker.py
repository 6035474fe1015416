"""The process that measures a checkout."""

from pathlib import Path

import pytest

from benchmarks.feeding import Row
from benchmarks.limits import delta_verdict, worst_verdict
from benchmarks.measuring import Cost
from benchmarks.worker import ROOT, Worker


def test_it_measures_the_engine_of_a_checkout() -> None:
    with Worker(ROOT) as worker:
        row = worker.ask(Row, "measure_row", 5, "logs", rare=True)
    assert row.cold.deltas == row.warm.deltas == 2500
    assert 0 < row.warm.median <= row.warm.greatest < 1


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with Worker(tmp_path) as worker, pytest.raises(RuntimeError, match="ended"):
        worker.ask(Row, "measure_row", 5, "logs", rare=True)


@pytest.mark.parametrize(("median", "p99", "is_kept"), [(1e-6, 4e-5, True), (3e-6, 4e-5, False), (1e-6, 6e-5, False)])
def test_limits_are_judged(median: float, p99: float, is_kept: bool) -> None:
    cost = Cost(median, p99, greatest=6e-3, counted=1.0, deltas=100)
    assert delta_verdict("some rules", "prose", 100, cost).is_kept is is_kept
    assert str(worst_verdict("some rules", cost)) == "BROKEN some rules: max 6.0 ms (limit 5)"
