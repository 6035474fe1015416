"""The support of a model for messages with the role `system` within a conversation (spec W9)."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.session.history.role import Role
from ttsr_ls.session.projection.conversation import PromptMessage


class SystemMessages(Enum):
    """The form in which an injection with the role `system` is sent."""

    ACCEPTED = "accepted"
    """It is sent with that role, where its place in the conversation allows it."""
    REFUSED = "refused"
    """It is sent as a message of the user."""


def role_of(message: PromptMessage, system_messages: SystemMessages) -> str:
    """Returns the role, `system` or `user`, of a message in a request to an API that accepts system messages
    anywhere.
    """
    return Role.USER.value if system_messages is SystemMessages.REFUSED else message.role.value
