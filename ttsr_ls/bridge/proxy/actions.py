"""What the state machine of a request asks of its shell."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.proxy.features.questions import FeatureQuestion


class Forward(Struct, frozen=True):
    """Send `data` to the client and go on reading from upstream. `data` may be empty."""

    data: bytes


class RetryRequest(Struct, frozen=True):
    """Send `data` to the client, close the upstream request, and make it again with `body`."""

    data: bytes
    body: bytes


class EndAnswer(Struct, frozen=True):
    """Send `data` to the client, close the upstream request, and end the answer."""

    data: bytes


class AskFeatures(Struct, frozen=True):
    """Send `data` to the client, ask the features `question`, and go on with what they answer."""

    data: bytes
    question: FeatureQuestion


ProxyAction = Forward | RetryRequest | EndAnswer | AskFeatures
