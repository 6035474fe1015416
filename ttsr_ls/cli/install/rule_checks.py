"""The checks of `doctor` of the rules of the current folder: how many are in force, and which have errors."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.cli.check.check_run import CheckRun
from ttsr_ls.cli.formats.report import UncheckedFile
from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.lint.finding import Severity
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import rules_at


def check_rules() -> Iterator[DoctorCheck]:
    """Counts the rules in force, and names each rule file for which `ttsr-ls check` reports an error."""
    rules = rules_at(AgentEnvironment.here())
    count = len(rules.session_rules(MAIN_AGENT).rules)
    noun = "rule is" if count == 1 else "rules are"
    yield DoctorCheck(
        f"{count} {noun} in force in {Path.cwd()}.",
        ""
        if count
        else "No rule applies here: `ttsr-ls list --all` shows the files that were found, with the reasons.",
    )
    paths = [*(rule.found.path for rule in rules.loaded), *(file.found.path for file in rules.unreadable)]
    with CheckRun(None) as run:
        for path in filter(os.path.isfile, dict.fromkeys(paths)):
            reason = _first_error(run, path)
            if reason is not None:
                yield DoctorCheck(
                    f"{path} has an error, so it may not do what it says: {reason}",
                    f"`ttsr-ls check {shlex.quote(str(path))}` shows it in its place.",
                    is_warning=True,
                )


def _first_error(run: CheckRun, path: Path) -> str | None:
    file = run.open(path)
    if isinstance(file, UncheckedFile):
        return file.reason
    errors = (finding for finding in file.check(file.text) if finding.severity is Severity.ERROR)
    return next((finding.message for finding in errors), None)
