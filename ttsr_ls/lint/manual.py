"""The manual as installed files: its folder and its pages."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_SHIPPED = _PACKAGE / "shipped_docs"
MANUAL = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent / "docs"
"""The folder of the manual: inside the package once installed, beside it in a checkout."""


def manual_page(name: str) -> str | None:
    """Returns the Markdown of the page at a path in the manual, with `/` as separator; None if there is none."""
    if not name.endswith(".md") or "\0" in name:
        return None
    root = MANUAL.resolve()
    # A client may ask for any text, including paths outside of the manual and invalid paths.
    try:
        path = (root / name.lstrip("/")).resolve()
        return path.read_text(encoding="utf-8") if path.is_relative_to(root) and path.is_file() else None
    except (OSError, ValueError):
        return None
