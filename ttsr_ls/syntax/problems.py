"""What reading a rule file can find wrong."""

from __future__ import annotations

from msgspec import Struct, field

from ttsr_ls.text import Span


class Problem(Struct, frozen=True):
    """Something that the reader met at `span`.

    `code` is a code of the lint catalogue, which owns severity and page; `message` is a full sentence that says what
    happens at run time; `replacement` is the text for `span` that would fix it, where one is certain. It belongs at
    `fix_span` where that is another place.
    """

    code: str
    message: str
    span: Span
    replacement: str | None = field(default=None)
    fix_span: Span | None = field(default=None)
