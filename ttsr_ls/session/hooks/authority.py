"""What a feature may say to a model: those of this package in their own words, all others as the host words it.

A rule that the model was told of is silent from then on, so only who watches the rules may say that it was. Authority
belongs to a class and is not inherited; nothing that a feature says of itself gives it any.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from msgspec.structs import replace

from ttsr_ls.session.history.turn_events import FeatureRecorded
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.templates import of_feature

_Class = TypeVar("_Class", bound=type)


class Authority(Enum):
    """How far the host takes a feature at its word."""

    NONE = "its text goes out in a tag that names it, and it can tell of no rule"
    WORDS = "its text goes out as it is"
    RULES = "its text goes out as it is, and may tell of rules"


_GRANTED: dict[type, Authority] = {}


def granted(authority: Authority) -> Callable[[_Class], _Class]:
    """For features of this package alone."""

    def grant(feature: _Class) -> _Class:
        _GRANTED[feature] = authority
        return feature

    return grant


def authority_of(feature: object) -> Authority:
    """The authority of a feature's class."""
    return _GRANTED.get(type(feature), Authority.NONE)


def worded(feature: str, authority: Authority, text: str) -> str:
    """What the model is sent where the feature of that name says `text`."""
    return text if authority is not Authority.NONE or not text.strip() else of_feature(feature, text)


def messages_of(
    feature: Feature, injections: tuple[PendingInjection, ...], feature_records: tuple[FeatureRecorded, ...]
) -> tuple[PendingInjection, ...]:
    """The injections that a feature wants; `feature_records` is on record with the first of them."""
    authority = authority_of(feature)
    return tuple(
        replace(
            each, text=worded(feature.name, authority, each.text), feature_records=() if number else feature_records
        )
        for number, each in enumerate(injections)
    )
