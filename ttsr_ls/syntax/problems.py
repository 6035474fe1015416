"""The problems that reading a rule file can find."""

from __future__ import annotations

from msgspec import Struct, field

from ttsr_ls.text import Span


class Problem(Struct, frozen=True):
    """A problem at `span`.

    `code` is a code of the lint catalogue, which owns severity and page. `message` is a full sentence that says what
    happens at run time. `replacement` is the text that fixes the problem, if one is certain; it replaces `fix_span` if
    given, else `span`. `has_no_replacement` is true if no text in its place would have an effect, so that removal is
    the fix. `harmless_message` replaces `message` if the rule is read as intended all the same; None if that is
    impossible.
    """

    code: str
    message: str
    span: Span
    replacement: str | None = field(default=None)
    fix_span: Span | None = field(default=None)
    has_no_replacement: bool = False
    harmless_message: str | None = None
