"""The changes of a text as a diff for `patch` and `git apply`."""

from __future__ import annotations

from difflib import unified_diff

from ttsr_ls.cli.printing.diff_name import diff_name


def text_diff(before: str, after: str, old: str, new: str) -> str:
    """Returns the changes from `before`, the text of the file `old`, to `after`, that of `new`; blank without any."""
    lines = unified_diff(_lines(before), _lines(after), diff_name(old), diff_name(new))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """The lines as `patch` counts them, each with its end."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]
