"""Settings are read leniently."""

from __future__ import annotations

import pytest

from ttsr_ls.lsp.options import Notifications, Options, read_options


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
def test_what_is_missing_or_wrong_keeps_its_default(sent: object, notifications: Notifications) -> None:
    assert read_options(sent) == Options(notifications)
