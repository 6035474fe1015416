"""The flags under which a pattern is read."""

from __future__ import annotations

from msgspec import Struct


class Flags(Struct, frozen=True):
    """The three flags that a condition can carry (spec R1); `u`, `v`, `g` and `y` cannot occur."""

    ignore_case: bool = False
    """`i`: units are compared by `canonicalize`."""
    multiline: bool = False
    """`m`: `^` and `$` hold at line terminators as well."""
    dot_all: bool = False
    """`s`: `.` matches line terminators as well."""


NO_FLAGS = Flags()
