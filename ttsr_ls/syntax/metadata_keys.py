"""Keys with information for people and for other tools, which no rule reader uses."""

from __future__ import annotations

import re

_KEYS = (
    "id", "title", "subtitle", "slug", "display_name", "version", "author", "authors", "owner", "owners", "maintainer",
    "maintainers", "license", "copyright", "tag", "tags", "labels", "keywords", "category", "categories", "group",
    "domain", "topic", "severity", "level", "priority", "impact", "weight", "order", "status", "stability", "maturity",
    "confidence", "kind", "type", "language", "languages", "framework", "frameworks", "platform", "platforms",
    "item_id", "rule_id", "introduced", "introduced_at", "generated_by", "recurrence",
    "created", "created_at", "updated", "updated_at", "modified", "date", "last_edited", "last_updated",
    "last_reviewed", "reviewed", "since", "deprecated", "source", "sources", "origin", "provenance", "url", "urls",
    "link", "links", "homepage", "reference", "references", "related", "see", "see_also", "rationale", "reason", "why",
    "stable", "experimental", "draft", "verified", "last_verified", "issue", "issues", "ticket", "team", "area",
    "component", "project", "history", "changelog", "aliases", "icon", "color", "expires", "incident", "scenario",
    "scenarios", "fixtures",
    "note", "notes", "comment", "comments", "example", "examples", "probes", "tests", "metadata", "meta",
)  # fmt: skip


def _spellings_pattern(key: str) -> str:
    return "[-_]?".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in key.split("_"))


# Most dialects have the key `description`. In the others it is metadata, but only in this spelling.
METADATA_PATTERN = f"^(?:x-.+|description|{'|'.join(map(_spellings_pattern, _KEYS))})$"
"""A regular expression of Python and of JSON Schema for such keys, in the spellings that people use."""

_METADATA = re.compile(METADATA_PATTERN)


def is_metadata(key: str) -> bool:
    """Returns whether a key is a common metadata key, or begins with `x-`."""
    return _METADATA.search(key) is not None
