"""Keys that say something of a rule to people and to other tools: no rule reader needs them, and nobody misses them."""

from __future__ import annotations

_METADATA_KEYS = frozenset((
    "id", "title", "version", "author", "authors", "owner", "owners", "maintainer", "maintainers", "license",
    "copyright", "tags", "tag", "labels", "keywords", "category", "categories", "group", "domain", "topic", "severity",
    "level", "priority", "impact", "weight", "order", "status", "stability", "maturity", "confidence", "kind", "type",
    "language", "languages", "framework", "frameworks", "platform", "platforms", "created", "createdat", "updated",
    "updatedat", "modified", "date", "lastedited", "lastupdated", "lastreviewed", "reviewed", "since", "deprecated",
    "source", "sources", "origin", "provenance", "url", "urls", "link", "links", "homepage", "reference", "references",
    "related", "see", "seealso", "rationale", "reason", "why", "note", "notes", "comment", "comments", "example",
    "examples", "probes", "tests", "metadata", "meta", "displayname", "slug", "subtitle", "x",
))  # fmt: skip


def is_metadata(key: str) -> bool:
    """Whether a key, in any spelling, is one of those that people add for themselves, or begins with `x-`."""
    return key.lower().replace("-", "").replace("_", "").replace(" ", "") in _METADATA_KEYS or key.startswith("x-")
