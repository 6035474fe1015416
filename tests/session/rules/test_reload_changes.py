"""Changes of rules at a reload, where rules of several dialects have one name."""

from __future__ import annotations

import pytest

from tests.session.rules.test_session_monitor import legacy, omp, pi
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.rules_by_dialect import Registered, compose, reload_changes

OMP, LEGACY, PI = omp("condition: a"), legacy("ttsr_trigger: a"), pi("trigger: a")
GONE = "The rule r is not in force any more ({}). It was removed or switched off."


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([OMP], [OMP, PI], (("r",), (), (), ())),
        ([OMP, PI], [PI], ((), (), ("r",), (GONE.format("omp/r.md"),))),
        ([OMP, PI], [OMP], ((), (), ("r",), (GONE.format("pi/r.md"),))),
        ([OMP, LEGACY], [omp("condition: b"), LEGACY], ((), ("r",), (), ())),
        ([OMP, LEGACY], [OMP, legacy("ttsr_trigger: a", folder="moved")], ((), ("r",), (), ())),
        ([PI, pi("trigger: b", folder="home")], [PI], ((), ("r",), (), (GONE.format("home/r.md"),))),
        ([OMP, PI], [OMP, PI], ((), (), (), ())),
    ],
)
def test_rules_with_one_name_change_apart(
    before: list[Registered], after: list[Registered], expected: tuple[tuple[str, ...], ...]
) -> None:
    changes = reload_changes(compose(before, Settings()), compose(after, Settings()))
    assert (changes.added, changes.changed, changes.removed, changes.warnings) == expected
