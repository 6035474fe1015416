"""The arguments of the task tools: their types, from which their JSON schemas are generated, and parsing them.

Names and meanings are those of Claude Code's task tools, which models know. A model supplies the arguments: the result
is always a value of the type, or a sentence that tells the model what to do instead.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ttsr_ls.escaping import well_formed
from ttsr_ls.features.tasks.task import MAX_DESCRIPTION, MAX_LINKS, MAX_SUBJECT
from ttsr_ls.typed_values import convert_value

_Number = Annotated[str, Meta(description="The number of a task, as TaskCreate and TaskList give it", max_length=20)]
_Subject = Annotated[
    str, Meta(description="What is to be done, in one line, as in 'Fix the login form'", max_length=MAX_SUBJECT)
]
_Description = Annotated[
    str, Meta(description="All that is to be done, and when it counts as done", max_length=MAX_DESCRIPTION)
]
_ActiveForm = Annotated[
    str, Meta(description="The subject while it is under way, as in 'Fixing the login form'", max_length=MAX_SUBJECT)
]
_Status = Annotated[
    Literal["pending", "in_progress", "completed", "deleted"],
    Meta(description="in_progress when you begin with it, completed when it is done, deleted when it is not needed"),
]


class TaskCreateArguments(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Arguments of TaskCreate."""

    subject: _Subject
    description: _Description
    active_form: _ActiveForm | UnsetType = UNSET


class TaskUpdateArguments(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Arguments of TaskUpdate: the task, and the changes."""

    task_id: _Number
    status: _Status | UnsetType = UNSET
    subject: _Subject | UnsetType = UNSET
    description: _Description | UnsetType = UNSET
    active_form: _ActiveForm | UnsetType = UNSET
    add_blocks: (
        Annotated[list[_Number], Meta(description="Tasks that can begin only after this one", max_length=MAX_LINKS)]
        | UnsetType
    ) = UNSET
    add_blocked_by: (
        Annotated[list[_Number], Meta(description="Tasks that come before this one", max_length=MAX_LINKS)] | UnsetType
    ) = UNSET
    remove_blocked_by: (
        Annotated[list[_Number], Meta(description="Tasks that need not come before it any more", max_length=MAX_LINKS)]
        | UnsetType
    ) = UNSET


class TaskGetArguments(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The task to return, by its number."""

    task_id: _Number


class TaskListArguments(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Arguments of TaskList: none."""


class BadArguments(Struct, frozen=True):
    """Invalid arguments. `message` is sent to the model."""

    message: str


_Arguments = TypeVar("_Arguments", bound=Struct)


def read_arguments(tool: str, kind: type[_Arguments], value: object) -> _Arguments | BadArguments:
    """Returns the arguments in a decoded JSON value. Numbers are accepted for texts that contain numbers."""
    try:
        return convert_value(_texts(value), kind)
    except msgspec.ValidationError as error:
        return BadArguments(f"{tool} cannot use these arguments: {str(error)[:300]}. {_usage(kind)}")


def _usage(kind: type[Struct]) -> str:
    fields = msgspec.structs.fields(kind)
    if not fields:
        return "It takes none: {}."
    names = [field.encode_name + ("" if field.required else " (optional)") for field in fields]
    return f"It takes {', '.join(names)}."


def _texts(value: object) -> object:
    """Returns the value with numbers, which some models write for task ids, as texts, and without lone surrogates."""
    if not isinstance(value, dict):
        return value
    return {
        _text(name): [_text(entry) for entry in item[: MAX_LINKS + 1]] if isinstance(item, list) else _text(item)
        for name, item in value.items()
    }


def _text(value: object) -> object:
    match value:
        case bool():
            return value
        case int() if abs(value) < 10**18:
            return str(value)
        case str():
            # A lone surrogate can be written neither to a log nor to a wire.
            return well_formed(value)
        case _:
            return value
