"""The lines of a text that changed between two versions of it. Pure."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.text import LineIndex


class TextChange(Struct, frozen=True):
    """Lines `first` to `old_last` of the old text became lines `first` to `new_last` of the new one."""

    first: int
    old_last: int
    new_last: int

    def contains(self, line: int) -> bool:
        """Returns whether a line of the old text is one of those that changed."""
        return self.first <= line <= self.old_last

    def moved(self, line: int) -> int:
        """Returns the number in the new text of a line of the old one; that of the nearest line for one that
        changed."""
        if line < self.first:
            return line
        if line > self.old_last:
            return line + self.new_last - self.old_last
        return min(line, self.new_last)


def text_change(old: LineIndex, new: LineIndex) -> TextChange | None:
    """The lines that differ; None where the texts are equal."""
    if old.text == new.text:
        return None
    head = _common(old.text, new.text)
    limit = min(len(old.text), len(new.text)) - head
    tail = _common(old.text[len(old.text) - limit :][::-1], new.text[len(new.text) - limit :][::-1])
    first = new.position(head).line
    return TextChange(first, old.position(len(old.text) - tail).line, new.position(len(new.text) - tail).line)


def _common(left: str, right: str) -> int:
    """Returns the length of the common prefix of two texts. A binary search, because slices are compared fast."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
