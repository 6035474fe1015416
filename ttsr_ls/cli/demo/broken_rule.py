"""Second part of the demo: a rule that loads and never fires, the finding that says why, and its fix."""

from __future__ import annotations

import tempfile
import textwrap
from difflib import ndiff
from pathlib import Path

from ttsr_ls.cli.check.check_run import CheckRun, OpenedFile
from ttsr_ls.cli.demo.columns import WIDTH
from ttsr_ls.cli.demo.scene_files import BROKEN_RULE, scene_text
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.snippet import code_excerpt
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, printable
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.finding import Safety
from ttsr_ls.lint.fixes.fixed_file import fix_file
from ttsr_ls.store.settings.config_file import no_config
from ttsr_ls.text import LineIndex


def show_broken_rule(palette: Palette) -> None:
    """Checks the broken rule in a scratch folder and shows what `check --fix` makes of it."""
    with tempfile.TemporaryDirectory(prefix="ttsr-demo-") as folder, CheckRun(no_config()) as run:
        path = Path(folder) / BROKEN_RULE
        path.write_text(scene_text(BROKEN_RULE), encoding="utf-8")
        file = run.open(path)
        if not isinstance(file, OpenedFile):
            raise UsageError(file.reason)
        write_line(palette.paint(f"$ ttsr-ls check {BROKEN_RULE}", TextStyle.STRONG))
        _show_findings(file, palette)
        fixed_file = fix_file(file.text, file.check, frozenset((Safety.SAFE,)), file.keeps_triggers)
        write_line(palette.paint(f"$ ttsr-ls check --fix {BROKEN_RULE}", TextStyle.STRONG))
        styles = {"-": TextStyle.ERROR, "+": TextStyle.GOOD}
        for line in ndiff(file.text.splitlines(), fixed_file.text.splitlines()):
            if line[0] in styles:
                write_line(palette.paint(printable(line), styles[line[0]]))
        write_line(f"{count(fixed_file.fixed, 'finding')} fixed. {len(fixed_file.findings) or 'No'} findings are left.")


def _show_findings(file: OpenedFile, palette: Palette) -> None:
    index = LineIndex(file.text)
    for finding in file.check(file.text):
        line, carets = code_excerpt(index, finding.span)
        write_line(f"{palette.paint(str(finding.severity), TextStyle.ERROR)} {finding.code}")
        write_line(line)
        write_line(palette.paint(carets, TextStyle.ERROR))
        write_line(textwrap.fill(one_line(finding.message), WIDTH - 2))
        write_line()
