"""Second part of the demo: a rule that loads and never fires, the finding that says why, and its fix."""

from __future__ import annotations

import tempfile
import textwrap
from difflib import ndiff
from pathlib import Path

from ttsr_ls.cli.check.checking import Checking, Opened
from ttsr_ls.cli.demo.columns import WIDTH
from ttsr_ls.cli.demo.scene_files import BROKEN_RULE, scene_text
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.snippet import excerpt
from ttsr_ls.cli.printing.terminal import Palette, Style, one_line, printable
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.finding import Safety
from ttsr_ls.lint.fixes.fixing import mend
from ttsr_ls.store.settings.config_file import no_config
from ttsr_ls.text import LineIndex


def show_broken_rule(palette: Palette) -> None:
    """Checks the broken rule in a scratch folder and shows what `check --fix` makes of it."""
    with tempfile.TemporaryDirectory(prefix="ttsr-demo-") as folder, Checking(no_config()) as checking:
        path = Path(folder) / BROKEN_RULE
        path.write_text(scene_text(BROKEN_RULE), encoding="utf-8")
        opened = checking.open(path)
        if not isinstance(opened, Opened):
            raise UsageError(opened.reason)
        write_line(palette.paint(f"$ ttsr-ls check {BROKEN_RULE}", Style.STRONG))
        _show_findings(opened, palette)
        mended = mend(opened.text, opened.check, frozenset((Safety.SAFE,)), opened.keeps_triggers)
        write_line(palette.paint(f"$ ttsr-ls check --fix {BROKEN_RULE}", Style.STRONG))
        styles = {"-": Style.ERROR, "+": Style.GOOD}
        for line in ndiff(opened.text.splitlines(), mended.text.splitlines()):
            if line[0] in styles:
                write_line(palette.paint(printable(line), styles[line[0]]))
        left = "No findings are left." if not mended.findings else f"{len(mended.findings)} findings are left."
        write_line(f"{mended.fixed} finding fixed. {left}")


def _show_findings(opened: Opened, palette: Palette) -> None:
    index = LineIndex(opened.text)
    for finding in opened.check(opened.text):
        line, carets = excerpt(index, finding.span)
        write_line(f"{palette.paint(str(finding.severity), Style.ERROR)} {finding.code}")
        write_line(line)
        write_line(palette.paint(carets, Style.ERROR))
        write_line(textwrap.fill(one_line(finding.message), WIDTH - 2))
        write_line()
