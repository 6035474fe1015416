"""Checks a settings file, as far as it affects rules. Pure; never raises."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, RelatedLocation
from ttsr_ls.lint.fixes.list_edits import append_list_items
from ttsr_ls.lint.limit_findings import limit_findings
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.keys import SETTING_KEYS, SettingKey, SettingKind
from ttsr_ls.rules.settings.layers import (
    MAX_INTERRUPTS,
    LocatedSetting,
    SettingsLayers,
    parse_max_interrupts,
    texts_in_list,
)
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.settings_file import SettingsFile, member
from ttsr_ls.syntax.settings_locations import SettingsFormat, is_unread_settings_file
from ttsr_ls.text import Span

_LISTS = (keys.DISABLED_RULES, keys.DISABLED_EXTENSIONS, keys.ENABLED_PROVIDERS, keys.DISABLED_PROVIDERS)
_RULE_SETTINGS = {key.path[1]: key for key in SETTING_KEYS if key.path[0] == keys.GROUP}

# The effect of an invalid value: in the reference agent (observed), or here for settings that only this program reads.
_CONSEQUENCES = {
    keys.BUILTIN_RULES: "every value but `false` counts as `true`.",
    keys.INTERRUPT_MODE: "it counts as `always`; before oh-my-pi 18.3, no rule without its own mode interrupts.",
    keys.REPEAT_MODE: "it counts as `once`; before oh-my-pi 18.3, rules fire again after the gap.",
    keys.REPEAT_GAP: "rules with `repeatMode: after-gap` do not wait as long as intended.",
    keys.CONTEXT_MODE: "it counts as `discard`; before oh-my-pi 18.3, an interrupted answer is kept.",
    keys.JUDGE: "it counts as `auto`.",
    keys.REPEAT_UNIT: "it is ignored, and the default applies.",
    keys.MAX_INTERRUPTS: "it is ignored, and the default applies.",
    keys.EXTENSIONS: "the setting is ignored.",
}
_PLAIN_NAME = re.compile(r"[A-Za-z][\w.-]*")
_BOOLEANS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_SWITCHES = {True: "on", False: "off"}
_STOPS = "oh-my-pi stops with an error when it starts."


def check_settings(file: SettingsFile) -> tuple[Finding, ...]:
    """Returns all findings of a settings file, in source order; none for the files of other programs."""
    if file.is_of_another_program:
        return ()
    if is_unread_settings_file(file.path):
        message = "These settings are never read: in a project, oh-my-pi reads only `config.yml`. Rename the file."
        return (report("not-discovered", message, Span(0, 0)),)
    if file.root is None:
        effect = _effect_of_broken_file(file)
        return tuple(report(problem.code, f"{problem.message} {effect}", problem.span) for problem in file.problems)
    findings = [*_names_of_keys(file, file.root), *_group(file), *_values(file)]
    return limit_findings(sorted(findings, key=lambda finding: (finding.span, finding.code)))


def replaced_lists(layers: SettingsLayers) -> tuple[tuple[SettingsFile, Finding], ...]:
    """Returns lists that replace lists in other files and lack some of their entries (spec O), each with its file.

    Depends on the home folder, so it informs the user and is no check.
    """
    found = []
    for key in _LISTS:
        setting = layers.effective(key)
        for other in layers.overridden(key)[:1]:
            if setting is not None and (lost_names := _lost(setting, other)):
                found.append((setting.layer.file, _replaced_finding(key, setting, other, lost_names)))
    return tuple(found)


def _lost(setting: LocatedSetting, other: LocatedSetting) -> list[str]:
    kept = {text for text, _ in texts_in_list(setting.value)}
    return [text for text, _ in texts_in_list(other.value) if text not in kept]


def _replaced_finding(
    key: SettingKey, setting: LocatedSetting, other: LocatedSetting, lost_names: list[str]
) -> Finding:
    names = ", ".join(f"`{name}`" for name in lost_names[:5]) + (" and more" if len(lost_names) > 5 else "")
    message = (
        f"Lists are not merged: this one replaces `{key.name}` in {other.layer.file.path}, so {names} "
        f"{'has' if len(lost_names) == 1 else 'have'} no effect here. Add the missing names."
    )
    replaced = RelatedLocation("the replaced list", other.value.span, other.layer.file.path, other.layer.file.text)
    edit = append_list_items(setting.layer.file.text, setting.value, lost_names)
    is_plain = all(_PLAIN_NAME.fullmatch(name) for name in lost_names)
    fixes = build_fixes("replaced-list", edit if is_plain else None)
    return report("replaced-list", message, setting.value.span, *fixes, related=(replaced,))


def _effect_of_broken_file(file: SettingsFile) -> str:
    match file.format:
        case SettingsFormat.YAML:
            return "oh-my-pi renames the file and does not start."
        case SettingsFormat.JSON | SettingsFormat.JSON_WITH_COMMENTS:
            return "All of its settings are lost."


def _names_of_keys(file: SettingsFile, root: MapValue) -> Iterator[Finding]:
    """Reports settings at the top level that belong below `ttsr:`, or are misspelt."""
    for entry in root.entries:
        name = entry.key
        if name.startswith(f"{keys.GROUP}.") or name in _RULE_SETTINGS:
            suggestion = name.removeprefix(f"{keys.GROUP}.")
            message = (
                f"The key `{name}` has no meaning here. Put `{suggestion}` below `{keys.GROUP}:`, on a line of its own."
            )
            yield report("unknown-setting", message, entry.key_span, *_move_fixes(file, entry, suggestion))
        elif (
            nearest := _same_letters(name, (keys.GROUP, *(key.name for key in SETTING_KEYS if len(key.path) == 1)))
        ) is not None:
            yield _misspelt(entry, nearest)


def _move_fixes(file: SettingsFile, entry: Entry, name: str) -> tuple[Fix, ...]:
    """Returns the fix that puts a setting on one line below a new `ttsr:`, if the file has none yet."""
    is_one_line = "\n" not in file.text[entry.key_span.start : entry.value.span.end]
    if file.format is not SettingsFormat.YAML or file.entry(keys.GROUP) is not None or not is_one_line:
        return ()
    edit = Edit(entry.key_span, f"{keys.GROUP}:\n  {name}")
    return build_fixes("unknown-setting", edit, title=f"Put {name} below {keys.GROUP}:")


def _group(file: SettingsFile) -> Iterator[Finding]:
    entry = file.entry(keys.GROUP)
    if entry is None:
        return
    if not isinstance(entry.value, MapValue):
        message = (
            f"`{keys.GROUP}` takes settings, one per line below it. This is something else, so all keep their defaults."
        )
        yield report("invalid-setting", message, _span(entry))
        return
    for each_entry in entry.value.entries:
        if each_entry.key not in _RULE_SETTINGS:
            nearest = nearest_word(each_entry.key, _RULE_SETTINGS)
            if nearest is None:
                message = f"There is no setting `{keys.GROUP}.{each_entry.key}`, so this line has no effect."
                yield report("unknown-setting", message, each_entry.key_span)
            else:
                yield _misspelt(each_entry, nearest)


def _same_letters(name: str, known_names: tuple[str, ...]) -> str | None:
    """Returns the setting that differs from `name` only in case and separators. The agent has many other settings, so
    a less similar name may be one of those.
    """
    if name in known_names:
        return None
    bare = name.lower().replace("-", "").replace("_", "")
    return next((item for item in known_names if item.lower() == bare), None)


def _misspelt(entry: Entry, nearest: str) -> Finding:
    message = f"There is no setting `{entry.key}`, so this line has no effect. Did you mean `{nearest}`?"
    title = f"{entry_of('unknown-setting').fix_title}: {nearest}"
    fixes = build_fixes("unknown-setting", Edit(entry.key_span, nearest), title=title)
    return report("unknown-setting", message, entry.key_span, *fixes)


def _values(file: SettingsFile) -> Iterator[Finding]:
    for key in SETTING_KEYS:
        group: Value | None = file.root
        for name in key.path[:-1]:
            entry = member(group, name)
            group = None if entry is None else entry.value
        entry = member(group, key.path[-1])
        if entry is not None and (mistake := _value_mistake(key, entry.value)) is not None:
            yield report("invalid-setting", mistake, _span(entry), *_value_fixes(file, key, entry))


def _value_fixes(file: SettingsFile, key: SettingKey, entry: Entry) -> tuple[Fix, ...]:
    """Returns the fix that writes the value that was probably meant."""
    value = entry.value
    if not isinstance(value, ScalarValue) or not len(value.span):
        return ()
    is_json = file.format is not SettingsFormat.YAML
    source = file.text[value.span.start : value.span.end]
    match key.kind, value.data:
        case SettingKind.BOOLEAN, str() as text:
            suggestion = _BOOLEANS.get(text.strip().lower())
        case SettingKind.CHOICE, str() as text:
            nearest = nearest_word(text, key.choices)
            suggestion = f'"{nearest}"' if is_json and nearest is not None else nearest
        case SettingKind.CHOICE, bool() as switch:
            name = _SWITCHES[switch]
            suggestion = (f'"{name}"' if is_json else name) if name in key.choices else None
        case SettingKind.NUMBER, str() as text if text.strip().isdecimal():
            suggestion = text.strip()
        case SettingKind.NAMES | SettingKind.SCOPED_NAMES, str():
            suggestion = f"[{source}]"
        case _:
            return ()
    if suggestion is None:
        return ()
    title = f"{entry_of('invalid-setting').fix_title}: {suggestion[:60]}"
    return build_fixes("invalid-setting", Edit(value.span, suggestion), title=title)


def _value_mistake(key: SettingKey, value: Value) -> str | None:
    """Returns a message about an invalid value; None if the setting accepts it."""
    data = value.data if isinstance(value, ScalarValue) else value
    match key.kind:
        case SettingKind.BOOLEAN:
            accepted = isinstance(data, bool)
        case SettingKind.CHOICE:
            # An empty `interruptMode` meant the default in every tested version.
            accepted = data in key.choices or (data is None and key is keys.INTERRUPT_MODE)
        case SettingKind.NUMBER:
            accepted = isinstance(data, int | float) and not isinstance(data, bool)
            if key is keys.MAX_INTERRUPTS:
                accepted = parse_max_interrupts(data) is not None
        case SettingKind.NAMES:
            accepted = isinstance(value, ListValue) and len(texts_in_list(value)) == len(value.items)
        case SettingKind.SCOPED_NAMES:
            accepted = isinstance(value, ListValue) and all(
                isinstance(item, MapValue) or (isinstance(item, ScalarValue) and isinstance(item.data, str))
                for item in value.items
            )
    if accepted:
        return None
    takes = _one_of(key.choices) if key.choices else str(key.kind)
    if key is keys.MAX_INTERRUPTS:
        takes = f"{key.kind} from 0 to {MAX_INTERRUPTS - 1}"
    return f"`{key.name}` takes {takes}, and this is something else: {_consequence(key, value)}"


def _one_of(choices: tuple[str, ...]) -> str:
    *other_names, last = (f"`{choice}`" for choice in choices)
    return f"{', '.join(other_names)} or {last}"


def _consequence(key: SettingKey, value: Value) -> str:
    if key is keys.ENABLED:
        is_off = isinstance(value, ScalarValue) and not value.data
        return f"it counts as `{'false' if is_off else 'true'}`."
    if key in _CONSEQUENCES:
        return _CONSEQUENCES[key]
    match value:
        case ScalarValue(data=str()) if key.kind in (SettingKind.NAMES, SettingKind.SCOPED_NAMES):
            return "oh-my-pi reads a text letter by letter. Put it in brackets."
        case ScalarValue(data=None) if key in (keys.DISABLED_RULES, keys.DISABLED_EXTENSIONS):
            return "it counts as an empty list."
        case ListValue() if key is not keys.DISABLED_RULES:
            return "items that are not text are ignored."
        case _ if key is keys.ASK_RULES:
            return "it counts as an empty list."
        case _:
            return _STOPS


def _span(entry: Entry) -> Span:
    """Returns the span of an entry's value; that of its key if the value is empty."""
    return entry.value.span if len(entry.value.span) else entry.key_span
