"""The actions that the state machine of a request returns, for the server to carry out."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.proxy.features.questions import FeatureQuestion


class Forward(Struct, frozen=True):
    """Send `data`, which may be empty, to the client and continue to read from upstream."""

    data: bytes


class RetryRequest(Struct, frozen=True):
    """Send `data` to the client, close the upstream request, and make it again with `body`."""

    data: bytes
    body: bytes


class EndAnswer(Struct, frozen=True):
    """Send `data` to the client, close the upstream request, and end the answer."""

    data: bytes


class AskFeatures(Struct, frozen=True):
    """Send `data` to the client, ask the features `question`, and pass their answer to the state machine."""

    data: bytes
    question: FeatureQuestion


ProxyAction = Forward | RetryRequest | EndAnswer | AskFeatures
