"""Sentences about a rule folder above the current one, which an agent here does not read."""

from __future__ import annotations

from ttsr_ls.cli.printing.counting import count
from ttsr_ls.store.discovery.folders_above import FolderAbove
from ttsr_ls.syntax.dialects.locations import AGENTS_RULES


def folder_above_problem(above: FolderAbove) -> str:
    """The problem, as a full sentence."""
    return f"{above.rules} has {count(above.files, 'rule file')} that an agent in this folder does not read."


def folder_above_advice(above: FolderAbove) -> str:
    """The remedy, as a full sentence."""
    return (
        f"Start the agent in {above.start}, or move the files to {above.start}/{AGENTS_RULES.path}, which agents in "
        "the folders below read, too."
    )
