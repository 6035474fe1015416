"""docs/lifecycle.md shows the transition table. Run as a program, this module writes it there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ttsr_ls.session.lifecycle.transition_table import TABLE
from ttsr_ls.session.lifecycle.transitions import Phase

PAGE = Path(__file__).parents[3] / "docs" / "lifecycle.md"
MAX_SHOWN = re.compile(r"(?<=-->\n)(?:TABLE|\|.*?\|)(?=\n\n)", re.DOTALL)


def table() -> str:
    rows = [["", *(phase.value for phase in Phase)], ["---"] * (len(Phase) + 1)]
    for happened, leads in TABLE.items():
        rows.append([f"`{happened.__name__}`", *(_cell(leads.get(phase, ())) for phase in Phase)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(ends: tuple[Phase, ...]) -> str:
    return ", ".join(phase.value for phase in ends)


def test_the_documented_table_equals_the_transition_table() -> None:
    shown = MAX_SHOWN.search(PAGE.read_text())
    assert shown is not None
    assert shown[0] == table()


if __name__ == "__main__":
    sys.stdout.write(f"{PAGE.write_text(MAX_SHOWN.sub(table(), PAGE.read_text(), count=1))} characters\n")
