"""Merges the settings of several files: which value is effective, and where it is written (spec O).

Maps are merged; everything else, including lists, is replaced as a whole. An invalid value is treated as the reference
agent treats it, if it has any meaning there; the linter reports it.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TypeVar

from msgspec import Struct

from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.keys import SettingKey
from ttsr_ls.rules.settings.settings import RepeatUnit, Settings
from ttsr_ls.syntax.js_number import to_number
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.settings_file import SettingsFile, member

_RULE_PREFIX = "rule:"
MAX_INTERRUPTS = 1_000_000
"""A number from here on is invalid: nobody means it as a limit."""

_Choice = TypeVar("_Choice", bound=Enum)


class SettingsLayer(Struct, frozen=True):
    """A settings file, and whether it is the project's or the user's."""

    file: SettingsFile
    level: Level


class LocatedSetting(Struct, frozen=True):
    """The value of a setting, and the layer that contains it."""

    value: Value
    layer: SettingsLayer

    @property
    def line(self) -> int:
        """The line of the file on which the value begins, counted from 1."""
        return self.layer.file.line_of(self.value)


class UnreadableSettings(Struct, frozen=True):
    """A settings file that exists and cannot be read, or its folder if nothing in it can be. `reason` names the path
    and the cause.
    """

    path: str
    reason: str


class SettingsLayers(Struct, frozen=True):
    """All settings files, in ascending order of priority, and those that cannot be read."""

    layers: tuple[SettingsLayer, ...]
    unreadable: tuple[UnreadableSettings, ...] = ()

    def effective(self, key: SettingKey) -> LocatedSetting | None:
        """Returns the effective value of a setting; None if no file sets it, so that its default applies."""
        for layer in reversed(self.layers):
            found = _value_in_layer(layer, key)
            if isinstance(found, _Covered):
                return None
            if found is not None:
                return LocatedSetting(found, layer)
        return None

    def overridden(self, key: SettingKey) -> tuple[LocatedSetting, ...]:
        """Returns the values that the effective value of a setting overrides, the one with the highest
        priority first.
        """
        values = (
            LocatedSetting(found, layer)
            for layer in reversed(self.layers)
            if (found := _value_in_layer(layer, key)) is not None and not isinstance(found, _Covered)
        )
        return tuple(values)[1:]

    def settings(self) -> Settings:
        """Returns the settings of rules."""
        defaults = Settings()
        enabled, builtin = self.effective(keys.ENABLED), self.effective(keys.BUILTIN_RULES)
        extensions = self.names(keys.DISABLED_EXTENSIONS)
        return Settings(
            enabled=enabled is None or _is_truthy(enabled.value),
            judge=self._choice(keys.JUDGE, defaults.judge),
            context_mode=self._choice(keys.CONTEXT_MODE, defaults.context_mode),
            interrupt_mode=self._choice(keys.INTERRUPT_MODE, defaults.interrupt_mode),
            repeat_mode=self._choice(keys.REPEAT_MODE, defaults.repeat_mode),
            repeat_gap=self._gap(defaults.repeat_gap),
            repeat_unit=self._repeat_unit(),
            builtin_rules=builtin is None or _scalar(builtin.value) is not False,
            ask_rules=tuple(name.strip() for name in self.names(keys.ASK_RULES)),
            max_interrupts=self._max_interrupts(),
            disabled_rules=tuple(name.strip() for name in self.names(keys.DISABLED_RULES)),
            disabled_extensions=tuple(
                name.removeprefix(_RULE_PREFIX) for name in extensions if name.startswith(_RULE_PREFIX)
            ),
        )

    def names(self, key: SettingKey) -> tuple[str, ...]:
        """Returns the texts of a setting that is a list of texts. A single text is read as a list of its letters."""
        setting = self.effective(key)
        if setting is None:
            return ()
        data = _scalar(setting.value)
        return tuple(data) if isinstance(data, str) else tuple(text for text, _ in texts_in_list(setting.value))

    def _choice(self, key: SettingKey, default: _Choice) -> _Choice:
        """Returns the chosen value; the default for an invalid value (recorded of 18.3; earlier versions used it)."""
        setting = self.effective(key)
        if setting is None:
            return default
        try:
            return type(default)(_scalar(setting.value))
        except ValueError:
            return default

    def _repeat_unit(self) -> RepeatUnit | None:
        setting = self.effective(keys.REPEAT_UNIT)
        value = None if setting is None else _scalar(setting.value)
        return next((unit for unit in RepeatUnit if unit.value == value), None)

    def _max_interrupts(self) -> int | None:
        setting = self.effective(keys.MAX_INTERRUPTS)
        return None if setting is None else parse_max_interrupts(_scalar(setting.value))

    def _gap(self, default: float) -> float:
        setting = self.effective(keys.REPEAT_GAP)
        if setting is None:
            return default
        gap = to_number(setting.value)
        # In ECMAScript no count is `>=` a value that is not a number, so the gap never ends.
        return math.inf if math.isnan(gap) else gap


def parse_max_interrupts(value: object) -> int | None:
    """Returns the number that `maxInterrupts` is set to; None for an invalid value."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < MAX_INTERRUPTS:
        return None
    return int(value)


def texts_in_list(value: Value) -> tuple[tuple[str, ScalarValue], ...]:
    """Returns the texts in a list, each with its scalar."""
    items = value.items if isinstance(value, ListValue) else ()
    return tuple((item.data, item) for item in items if isinstance(item, ScalarValue) and isinstance(item.data, str))


class _Covered(Struct, frozen=True):
    """A value that is no map, in place of a map that would contain the setting."""


def _value_in_layer(layer: SettingsLayer, key: SettingKey) -> Value | _Covered | None:
    value: Value | None = layer.file.root
    for name in key.path:
        if not isinstance(value, MapValue):
            # In a project's settings such a value is ignored, so the user's settings still apply.
            return _Covered() if value is not None and layer.level is Level.USER else None
        entry = member(value, name)
        if entry is None:
            return None
        value = entry.value
    return value


def _scalar(value: Value) -> object:
    return value.data if isinstance(value, ScalarValue) else value


def _is_truthy(value: Value) -> bool:
    """Returns whether a value is truthy in ECMAScript: all but an empty text, zero, NaN, `false` and null."""
    return bool(value.data) and value.data == value.data if isinstance(value, ScalarValue) else True
