"""Settings are read leniently, wrong ones are named, and editors have a schema of them."""

from __future__ import annotations

import json

import pytest
from lsprotocol import types

from tests.lsp.talk import ROOT, Talk
from ttsr_ls.lsp.options import OF_PLUGINS, SECTION, Notifications, Options, option_mistakes, read_options


@pytest.mark.parametrize(
    ("sent", "notifications"),
    [
        ({"notifications": "off"}, Notifications.OFF),
        ({"ttsr": {"notifications": "off"}}, Notifications.OFF),
        ({"notifications": "triggers"}, Notifications.TRIGGERS),
        ({"notifications": "loud"}, Notifications.TRIGGERS),
        ({"notifications": ["off"]}, Notifications.TRIGGERS),
        ({"ttsr": 5}, Notifications.TRIGGERS),
        ({}, Notifications.TRIGGERS),
        (None, Notifications.TRIGGERS),
        ([1], Notifications.TRIGGERS),
    ],
)
def test_missing_and_invalid_settings_keep_their_defaults(sent: object, notifications: Notifications) -> None:
    assert read_options(sent) == Options(notifications)


@pytest.mark.parametrize(
    ("sent", "mistakes"),
    [
        ({"notifications": "off", "lenses": False, "path": "", "trace": {"server": "off"}, "trace.server": "off"}, []),
        ({"ttsr": {"notification": "off"}}, ["no setting `ttsr.notification`. Did you mean `ttsr.notifications`?"]),
        ({"zebra": 1}, ["no setting `ttsr.zebra`. There are `ttsr.notifications`, `ttsr.lenses`"]),
        ({"notifications": "loud"}, ["`ttsr.notifications` is `loud`, and takes `triggers` or `off`."]),
        ({"notifications": ["off"]}, ["takes `triggers` or `off`."]),
        ({"lenses": "no"}, ["`ttsr.lenses` is `no`, and takes `true` or `false`."]),
        ({"lenses": None}, []),
        (None, []),
        ([1], []),
    ],
)
def test_mistakes_in_settings_are_described(sent: object, mistakes: list[str]) -> None:
    found = option_mistakes(sent)
    assert len(found) == len(mistakes)
    assert all(part in mistake for part, mistake in zip(mistakes, found, strict=True))


def test_vscode_has_a_schema_of_the_settings_that_the_server_reads() -> None:
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))
    schema = package["contributes"]["configuration"]["properties"]
    names = [name.removeprefix(f"{SECTION}.") for name in schema]
    assert [name for name in names if name.partition(".")[0] not in OF_PLUGINS] == list(
        Options.__struct_encode_fields__
    )
    for name, field in zip(Options.__struct_encode_fields__, Options.__struct_fields__, strict=True):
        described, default = schema[f"{SECTION}.{name}"], getattr(Options(), field)
        assert described["default"] == default
        values = None if isinstance(default, bool) else [str(value) for value in type(default)]
        assert described.get("enum") == values
        for value in described.get("enum", [True, False]):
            assert option_mistakes({name: value}) == ()


async def test_the_user_is_notified_once_of_an_invalid_setting(pushed: Talk) -> None:
    for _ in range(2):
        settings = {"ttsr": {"lens": True, "notifications": "off"}}
        pushed.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    await pushed.push(pushed.open("a.md", "---\ncondition: zzz\n---\nNo.\n"))
    (message,) = pushed.client.messages
    assert message.message.startswith("There is no setting `ttsr.lens`. There are ")
