"""The check of `doctor` whether Codex runs the hooks, as its app server reports; if not, the reason and a remedy."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.bridge.agent_hooks.installation import is_our_handler
from ttsr_ls.bridge.wire.fields import get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.cli.install.codex_inquiry import CodexAnswers
from ttsr_ls.cli.install.doctor_report import DoctorCheck

_FEATURES = ("hooks", "codex_hooks")
"""The names of the feature of Codex; the latter is the earlier one, which it still reads."""
_OF_ADMINISTRATOR = frozenset({"system", "mdm", "enterpriseManaged"})


def check_codex_hooks(answers: CodexAnswers) -> DoctorCheck:
    """Checks whether Codex runs all hooks of ttsr-ls that it lists; a failure names its first reason."""
    (listed, *_) = get_objects(answers.hooks, "data") or [{}]
    ours = [hook for hook in get_objects(listed, "hooks") if is_our_handler(hook)]
    skipped = [hook for hook in ours if hook.get("enabled") is False or get_text(hook, "trustStatus") not in _TRUSTED]
    if ours and not skipped:
        return DoctorCheck("Codex trusts the hooks, and none of them is switched off.")
    return (
        _unreadable(listed)
        or _required(answers.requirements)
        or _switched_off(answers.config)
        or _not_listed(listed, ours)
        or _skipped(skipped)
    )


_TRUSTED = frozenset({"trusted", "managed"})


def _unreadable(listed: JsonObject) -> DoctorCheck | None:
    reasons = [get_text(error, "message") for error in get_objects(listed, "errors")]
    return DoctorCheck("Codex cannot read its settings.", f"Correct them: {reasons[0]}") if reasons else None


def _required(answer: JsonObject) -> DoctorCheck | None:
    requirements = get_object(answer, "requirements")
    features = get_object(requirements, "featureRequirements")
    for name in _FEATURES:
        if features.get(name) is False:
            return _administrator_check(f"`{name} = false` in `[features]`")
    if requirements.get("allowManagedHooksOnly") is True:
        return _administrator_check("`allow_managed_hooks_only`")
    return None


def _administrator_check(key: str) -> DoctorCheck:
    return DoctorCheck(
        f"The requirements of the administrator (`requirements.toml`) switch the hooks off by {key}.",
        "Ask the administrator to remove this key, or to add the hooks to that file.",
    )


def _switched_off(answer: JsonObject) -> DoctorCheck | None:
    features = get_object(get_object(answer, "config"), "features")
    for name in _FEATURES:
        if features.get(name) is not False:
            continue
        layer = get_object(get_object(get_object(answer, "origins"), f"features.{name}"), "name")
        kind, where = get_text(layer, "type"), get_text(layer, "file") or get_text(layer, "dotCodexFolder")
        is_foreign = kind in _OF_ADMINISTRATOR or kind.startswith("legacyManaged")
        return DoctorCheck(
            f"`{name} = false` in `[features]` switches all hooks of Codex off, in {where or 'its settings'}.",
            "Ask the administrator to remove it." if is_foreign else "Remove it.",
        )
    return None


def _not_listed(listed: JsonObject, ours: list[JsonObject]) -> DoctorCheck | None:
    if ours:
        return None
    warnings = listed.get("warnings")
    reasons = [each for each in warnings if isinstance(each, str)] if isinstance(warnings, list) else []
    return DoctorCheck(
        "Codex does not list the hooks, so it does not run them.",
        f"It says: {reasons[0]}" if reasons else "Run `ttsr-ls install codex`.",
    )


def _skipped(skipped: list[JsonObject]) -> DoctorCheck:
    off = [hook for hook in skipped if hook.get("enabled") is False]
    if off:
        return DoctorCheck(
            f"Codex skips hooks that are switched off: {_events(off)}.", "Run `codex`, then `/hooks`: switch them on."
        )
    changed = [hook for hook in skipped if get_text(hook, "trustStatus") == "modified"]
    if changed:
        return DoctorCheck(
            f"Codex skips hooks that changed since they were trusted: {_events(changed)}.",
            "Run `codex`, then `/hooks`: trust them again.",
        )
    return DoctorCheck(
        f"Codex skips hooks that are not trusted: {_events(skipped)}.", "Run `codex`, then `/hooks`: trust them."
    )


def _events(hooks: Iterable[JsonObject]) -> str:
    names = (get_text(hook, "eventName") for hook in hooks)
    return ", ".join(dict.fromkeys(name[:1].upper() + name[1:] for name in names))
