"""The reasons why a rule is not loaded, in words: files that bear its name but are not loaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import assert_never

from msgspec import Struct

from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.ide.why.gates import Gate, GateWalk, stopping_step
from ttsr_ls.ide.why.standing_gates import setting_place
from ttsr_ls.lint.context import IgnoringLine
from ttsr_ls.lint.locations.placement import misplacement
from ttsr_ls.rules.providers import BUILTIN, RuleProvider, UnseenReason
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.keys import SettingKey
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.syntax.dialects.detection import dialect_of_path
from ttsr_ls.syntax.dialects.locations import AGENTS_RULES, PI_RULES, PROJECT_RULES
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.nearest_word import nearest_word


class MissedFile(Struct, frozen=True):
    """A rule file that the agent, which runs in `folder`, does not see. `line` is the line that makes git ignore it."""

    name: str
    path: str
    provider: RuleProvider
    reason: UnseenReason
    line: IgnoringLine | None
    folder: str


def walk_of_unseen_file(file: MissedFile, layers: SettingsLayers) -> GateWalk:
    """The walk of a rule whose file the agent does not see."""
    provider = inline_code(file.provider.id)
    match file.reason:
        case UnseenReason.IGNORED:
            reason = f"{_pattern(file)} makes git ignore it, and oh-my-pi does not load ignored files."
            fix = "Except the file, with `!` and its name on a line below that pattern, or move it."
        case UnseenReason.PROVIDER_OFF:
            place = setting_place(layers, keys.DISABLED_PROVIDERS, file.folder)
            reason, fix = (
                f"The setting `disabledProviders` has {provider}, {place}.",
                f"Take {provider} out of the list.",
            )
        case UnseenReason.NOT_OPTED_IN:
            title = file.provider.title
            reason = f"Rules of {title} in the home folder are only read when `enabledProviders` has {provider}."
            fix = f"Add {provider} to the setting `enabledProviders`, or move the file to `~/.agents/rules`."
        case _:
            assert_never(file.reason)
    return _not_loaded(file.name, file.path, file.folder, reason, fix)


def _pattern(file: MissedFile) -> str:
    if file.line is None:
        return "A pattern"
    place = inline_code(shown_path(file.line.path, file.folder))
    return f"{inline_code(file.line.pattern)} in {place}, line {file.line.line},"


def walk_unreadable(name: str, path: str, reason: str) -> GateWalk:
    """The walk of a rule whose file cannot be read; `reason` is the reason, as a clause."""
    text = f"The file is where it belongs, and cannot be used here: {escape_markdown(reason)}."
    return GateWalk(name, path, (stopping_step(Gate.FOUND, text, "Make the file readable."),))


def walk_no_file(name: str, path: str, reason: str) -> GateWalk:
    """The walk of a path that is not a file; `reason` is the reason, as a sentence."""
    return GateWalk(name, path, (stopping_step(Gate.FOUND, reason, "Put a file there."),))


def walk_folder(name: str, path: str) -> GateWalk:
    """The walk of a folder in place of a rule."""
    fix = "Name a rule, or its file; `ttsr-ls list --all` shows all rules."
    return GateWalk(name, path, (stopping_step(Gate.FOUND, "It is a folder, and a rule is a file.", fix),))


def walk_misplaced(name: str, path: str, folder: str) -> GateWalk:
    """The walk of a rule whose file is in a place from which the agent, which runs in `folder`, reads no rules."""
    file = misplacement(path, fires=True)
    pure = PurePath(path)
    if file is not None:
        reason, fix = file.reason, file.remedy
    elif PROJECT_RULES.contains_folder(pure.parts[:-1]):
        root = PurePath(*pure.parts[:-3])
        reason = "oh-my-pi reads `.omp/rules` only of the folder that it runs in, and not of those around it."
        agents = inline_code(str(root / AGENTS_RULES.path))
        fix = f"Start it in {inline_code(str(root))}, or move the file to {agents}, which is read from below, too."
    elif PI_RULES.contains_folder(pure.parts[:-1]) and not PI_RULES.contains(pure):
        reason, fix = "pi-ttsr reads `*.md` files only, and case counts.", f"Call it {inline_code(f'{pure.stem}.md')}."
    elif PI_RULES.contains_folder(pure.parts[:-1]):
        folder_of_it = inline_code(str(PurePath(*pure.parts[:-3])))
        reason = "pi-ttsr reads `.pi/rules` only of the folder that it runs in, and of the home folder."
        fix = f"Start it in {folder_of_it}, or move the file to `~/.pi/rules`."
    elif (dialect := dialect_of_path(path)) is not None and dialect.id in (DialectId.HOOKIFY, DialectId.MAESTRO):
        reason = f"It is a rule of {dialect.program}, which oh-my-pi does not read."
        fix = "`ttsr-ls convert FILE --to omp` writes a rule of oh-my-pi."
    else:
        reason = "It is in no folder from which rules are read here."
        fix = "Move it into `.omp/rules`; `ttsr-ls explain not-discovered` lists all rule folders."
    return _not_loaded(name, path, folder, reason, fix)


def _not_loaded(name: str, path: str, folder: str, reason: str, fix: str) -> GateWalk:
    text = f"{inline_code(shown_path(path, folder))} exists, but it is not loaded. {reason}"
    return GateWalk(name, path, (stopping_step(Gate.FOUND, text, fix),))


def walk_builtin(
    name: str, settings: Settings, layers: SettingsLayers, disabled_providers: frozenset[str], folder: str
) -> GateWalk:
    """The walk of a rule that is built into the agent. Only settings that switch it off are known, not its file."""

    def place(key: SettingKey) -> str:
        return setting_place(layers, key, folder)

    display = inline_code(name)
    if BUILTIN.id in disabled_providers:
        text = f"The setting `disabledProviders` has {inline_code(BUILTIN.id)}, {place(keys.DISABLED_PROVIDERS)}."
        step = stopping_step(Gate.FOUND, text, f"Take {inline_code(BUILTIN.id)} out of the list.")
    elif name in settings.disabled_extensions:
        text = f"The setting `disabledExtensions` has {inline_code(f'rule:{name}')}, {place(keys.DISABLED_EXTENSIONS)}."
        step = stopping_step(
            Gate.EXTENSION, text, "Take it out of the list. A project's list takes the place of the user's."
        )
    elif name in {rule.strip() for rule in settings.disabled_rules}:
        text = f"The setting `ttsr.disabledRules` has {display}, {place(keys.DISABLED_RULES)}."
        fix = "Take the name out of the list. A project's list takes the place of the user's."
        step = stopping_step(Gate.SETTING, text, fix)
    elif not settings.builtin_rules:
        text = f"The setting `ttsr.builtinRules` is off, {place(keys.BUILTIN_RULES)}."
        step = stopping_step(Gate.SETTING, text, "Set `ttsr.builtinRules` to `true`.")
    elif not settings.enabled:
        step = stopping_step(Gate.ON, f"The setting `ttsr.enabled` is off, {place(keys.ENABLED)}.", "Set it to `true`.")
    else:
        text = f"{display} is built into oh-my-pi and has no file here, so nothing more is known about it."
        fix = "List its name in `ttsr.disabledRules` to switch it off; a file of that name takes its place."
        step = stopping_step(Gate.FOUND, text, fix)
    return GateWalk(name, None, (step,))


def walk_missing(name: str, known_names: Iterable[str]) -> GateWalk:
    """The walk of a rule that has no file. `known_names` are the names of all rules."""
    nearest = nearest_word(name, known_names)
    fix = "`ttsr-ls list --all` shows all rules." if nearest is None else f"Did you mean {inline_code(nearest)}?"
    return GateWalk(name, None, (stopping_step(Gate.FOUND, f"There is no rule {inline_code(name)} here.", fix),))
