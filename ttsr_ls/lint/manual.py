"""The manual as installed files: its folder and its pages."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_SHIPPED = _PACKAGE / "shipped_docs"
MANUAL = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent / "docs"
"""The folder of the manual, which is among the modules once installed, and beside the package in a checkout."""


def manual_page(name: str) -> str | None:
    """The Markdown of a page, by its path in the manual with `/` between the parts; None where there is none."""
    if not name.endswith(".md") or "\0" in name:
        return None
    root = MANUAL.resolve()
    # The manual has no links that lead out of it, but a client may ask for anything, also for what can be no path.
    try:
        path = (root / name.lstrip("/")).resolve()
        return path.read_text(encoding="utf-8") if path.is_relative_to(root) and path.is_file() else None
    except (OSError, ValueError):
        return None
