"""The messages in opencode's older events, whose parts name neither their role nor their origin."""

from __future__ import annotations

from ttsr_ls.bridge.wire.fields import get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.put_bounded import put_bounded

_MAX_REMEMBERED = 1_000
_USER_COMMAND = "The following tool was executed by the user"
"""The text of the message that opencode adds before a shell command of the user."""


class OpencodeMessages:
    """Tells the output of the model from prompts, commands of the user, and history that a fork copied."""

    def __init__(self) -> None:
        self._roles: dict[str, str] = {}
        self._session_starts: dict[str, object] = {}
        self._user_commands: dict[str, None] = {}
        self._not_of_model: dict[str, None] = {}

    def note_session(self, info: JsonObject) -> None:
        """Remembers when a session began: a fork has copies of older messages."""
        start = get_object(info, "time").get("created")
        if isinstance(start, int | float):
            put_bounded(self._session_starts, get_text(info, "id"), start, _MAX_REMEMBERED)

    def note_message(self, session: str, info: JsonObject) -> None:
        """Remembers the role and the origin of a message."""
        identity = get_text(info, "id")
        put_bounded(self._roles, identity, get_text(info, "role"), _MAX_REMEMBERED)
        if get_text(info, "parentID") in self._user_commands or self._is_copied(session, info):
            put_bounded(self._not_of_model, identity, None, _MAX_REMEMBERED)

    def is_of_user(self, part: JsonObject) -> bool:
        """Returns whether a part belongs to a message of the user. Notes a message about a command of the user."""
        message = get_text(part, "messageID")
        if self._roles.get(message) != "user":
            return False
        if part.get("synthetic") is True and get_text(part, "text") == _USER_COMMAND:
            put_bounded(self._user_commands, message, None, _MAX_REMEMBERED)
        return True

    def is_output(self, part: JsonObject) -> bool:
        """Returns whether a part is one of an answer of the model, neither copied nor added by opencode."""
        return part.get("synthetic") is not True and get_text(part, "messageID") not in self._not_of_model

    def is_prompt(self, part: JsonObject) -> bool:
        """Returns whether a part of a user's message is the user's own text: opencode adds the contents of files."""
        return get_text(part, "type") == "text" and self.is_output(part)

    def _is_copied(self, session: str, info: JsonObject) -> bool:
        created, start = get_object(info, "time").get("created"), self._session_starts.get(session)
        return isinstance(created, int | float) and isinstance(start, int | float) and created < start
