"""Decides in which form a feature's texts reach a model: those of this package as they are, all others in a tag of the
host.

A rule that was injected is silent from then on, so only the feature that matches rules may declare that. Authority
belongs to a class and is not inherited; a feature cannot grant it to itself.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from msgspec.structs import replace

from ttsr_ls.session.history.turn_events import FeatureRecorded
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.templates import feature_message

_Class = TypeVar("_Class", bound=type)


class Authority(Enum):
    """The trust of the host in the results of a feature."""

    NONE = "its text is sent in a tag with its name, and it cannot inject rules"
    WORDS = "its text is sent without a tag, and it cannot inject rules"
    RULES = "its text is sent without a tag, and it can inject rules"


_GRANTED: dict[type, Authority] = {}


def grants_authority(authority: Authority) -> Callable[[_Class], _Class]:
    """Class decorator for features of this package."""

    def grant(feature: _Class) -> _Class:
        _GRANTED[feature] = authority
        return feature

    return grant


def authority_of(feature: object) -> Authority:
    """Returns the authority of a feature's class."""
    return _GRANTED.get(type(feature), Authority.NONE)


def wrapped_message(feature: str, authority: Authority, text: str) -> str:
    """Returns the message to the model for `text` of the feature with that name."""
    return text if authority is not Authority.NONE or not text.strip() else feature_message(feature, text)


def injections_of_feature(
    feature: Feature, injections: tuple[PendingInjection, ...], feature_records: tuple[FeatureRecorded, ...]
) -> tuple[PendingInjection, ...]:
    """Returns the injections of a feature, with texts wrapped unless the feature has authority.

    The first one carries `feature_records`, so that they are recorded together.
    """
    authority = authority_of(feature)
    return tuple(
        replace(
            injection,
            text=wrapped_message(feature.name, authority, injection.text),
            feature_records=() if number else feature_records,
        )
        for number, injection in enumerate(injections)
    )
