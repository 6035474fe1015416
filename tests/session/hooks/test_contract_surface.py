"""The types of the hook contract: a context and results for each hook, and no access to the host."""

from __future__ import annotations

import typing
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.hooks import contract
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.system_items import SystemItem, SystemItems, injections_by
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection

DOCS = Path(__file__).parents[3] / "docs"
HOOKS = [name for name in vars(Feature) if name.startswith(("on_", "before_"))]


def hook(name: str) -> tuple[Any, frozenset[type]]:
    """The context type and the result types of a hook."""
    hints = typing.get_type_hints(getattr(Feature, name))
    return hints["context"], frozenset(typing.get_args(hints["return"]))


VALUES = (str, int, float, bool, type(None))
VOCABULARY = ("ttsr_ls.session.history.", "ttsr_ls.session.hooks.", "ttsr_ls.session.output.", "ttsr_ls.rules.stream")
"""The modules of the types in contexts: only values, without access to a session, a log or a disk."""


def parts(annotation: Any) -> set[Any]:
    """The types within a type: those of its members, parameters and results."""
    if isinstance(annotation, list):
        return set().union(*map(parts, annotation))
    arguments = typing.get_args(annotation)
    return set().union(*map(parts, arguments)) if arguments else {annotation}


def test_there_are_seven_hooks() -> None:
    assert len(HOOKS) == 7


@pytest.mark.parametrize("page", ["features.md", "proxy.md"])
def test_each_hook_has_a_row_in_the_manual(page: str) -> None:
    rows = [line.split("|")[1] for line in (DOCS / page).read_text().splitlines() if line.startswith("| `")]
    assert [name for name in HOOKS if not any(f"`{name}`" in row for row in rows)] == []


def test_no_two_hooks_share_a_context_or_a_result_type() -> None:
    contexts = {hook(name)[0] for name in HOOKS}
    assert len(contexts) == len(HOOKS)
    named = [value for name, value in vars(contract).items() if name.endswith("Result")]
    assert len(named) == len(HOOKS)


def test_each_action_can_be_returned_by_one_hook_only() -> None:
    everything = frozenset().union(*(hook(name)[1] for name in HOOKS))
    for name in HOOKS:
        assert hook(name)[1] < everything
    only = {"Append": "on_request", "Interrupt": "on_delta", "Prepend": "on_tool_result", "FollowUp": "on_output_end"}
    only |= {"Resume": "on_aborted", "Deny": "before_tool_call", "ChangeInput": "before_tool_call"}
    for result, where in only.items():
        assert [name for name in HOOKS if getattr(contract, result) in hook(name)[1]] == [where]


def test_contexts_are_frozen_values_and_only_that_of_requests_has_the_handle() -> None:
    for name in HOOKS:
        context, _ = hook(name)
        assert issubclass(context, msgspec.Struct)
        assert context.__struct_config__.frozen
        types = set(typing.get_type_hints(context).values())
        assert (SystemItems in types) == (name == "on_request")
        for kind in set().union(*map(parts, types)) - {*VALUES, ...}:
            assert isinstance(kind, type), (name, kind)
            assert issubclass(kind, msgspec.Struct | Enum | SystemItems), (name, kind)
            assert kind.__module__.startswith(VOCABULARY), (name, kind)


def test_the_handle_has_three_methods_and_its_items_no_public_attributes() -> None:
    assert {name for name in dir(SystemItems) if not name.startswith("_")} == {"reminder", "interruption", "note"}
    assert not [name for name in dir(SystemItem) if not name.startswith("_")]
    handle = SystemItems()
    assert isinstance(handle.note("x"), SystemItem)
    for method in ("reminder", "interruption", "note"):
        hints = typing.get_type_hints(getattr(SystemItems, method))
        assert hints.pop("return") is SystemItem
        assert set(hints.values()) <= {str, tuple[str, ...], Role}


def test_an_item_that_the_handle_did_not_create_is_rejected() -> None:
    injection = PendingInjection(InjectionKind.NOTE, Role.USER, "x")
    for foreign in (SystemItem(injection), SystemItems().note("x")):
        with pytest.raises(UsageError):
            injections_by(SystemItems(), (foreign,))


def test_features_have_no_attributes_but_hooks_and_their_declared_fields() -> None:
    public_names = {name for name in vars(Feature) if not name.startswith("_")}
    assert public_names == {"name", "tools", "timeout", "begin_session", "can_read", "evolve", *HOOKS}
