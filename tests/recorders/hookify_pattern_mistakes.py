"""Changes of patterns and switches: quotes, escapes, comments, syntax of other languages."""

from __future__ import annotations

import random
import re

from tests.recorders.hookify_rules import Draft, mistake


@mistake
def double_quoted(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if found is None or '"' in found[2]:
        return False
    return draft.set_value("pattern", f'"{found[2]}"')


@mistake
def double_quoted_as_yaml(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if found is None:
        return False
    escaped = found[2].replace("\\", "\\\\").replace('"', '\\"')
    return draft.set_value("pattern", f'"{escaped}"')


@mistake
def single_quoted(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    return found is not None and draft.set_value("pattern", "'" + found[2].replace("'", "''") + "'")


@mistake
def doubled_in_plain(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if found is None or "\\" not in found[2]:
        return False
    return draft.set_value("pattern", found[2].replace("\\", "\\\\"))


@mistake
def trailing_comment(draft: Draft, chance: random.Random) -> bool:
    key = chance.choice(("pattern", "event", "enabled", "action", "operator", "field", "name"))
    value = draft.value(key)
    if not value:
        return False
    if key == "pattern" and chance.random() < 0.3 and "'" not in value:
        value = f"'{value}'"
    return draft.set_value(key, f"{value}  # {chance.choice(('keep this', 'note', 'see docs: a'))}")


@mistake
def literal_operator_with_regex(draft: Draft, chance: random.Random) -> bool:
    if draft.value("operator") != "regex_match" or not re.search(r"\\|\.\*|\||\^|\$$", draft.value("pattern") or ""):
        return False
    return draft.choose(chance, "operator", ("contains", "equals", "ends_with"))


@mistake
def no_pattern(draft: Draft, chance: random.Random) -> bool:
    if chance.random() < 0.5:
        return draft.set_value("pattern", chance.choice(("", '""', "''")))
    position = draft.index("pattern")
    if position is None:
        return False
    new = chance.choice(("value", "regex", "match", "Pattern", "patterns", "pattern "))
    draft.lines[position] = draft.lines[position].replace("pattern", new, 1)
    return True


@mistake
def pattern_as_list(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if found is None or draft.is_list:
        return False
    if chance.random() < 0.5:
        draft.lines[found[0] : found[0] + 1] = ["pattern:", f"  - {found[2]}"]
        return True
    return draft.set_value("pattern", f"['{found[2]}', 'other']")


@mistake
def off_words(draft: Draft, chance: random.Random) -> bool:
    return draft.choose(
        chance, "enabled", ("no", "off", "0", "False", "FALSE", "false", "'false'", "n", "disabled", "")
    )


@mistake
def on_words(draft: Draft, chance: random.Random) -> bool:
    return draft.choose(chance, "enabled", ("yes", "on", "1", "True", "TRUE", "'true'"))


@mistake
def equals_sign(draft: Draft, chance: random.Random) -> bool:
    at = draft.index(chance.choice(("event", "pattern", "enabled")))
    if at is None:
        return False
    draft.lines[at] = draft.lines[at].replace(": ", " = ", 1)
    return True


@mistake
def invalid_pattern(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if found is None or draft.value("operator") not in (None, "regex_match"):
        return False
    value = found[2]
    return draft.set_value("pattern", chance.choice((
        f"({value}", f"{value})", f"*{value}", f"{value}[", rf"{value}|\p{{L}}", f"(?<name>{value})", f"{value}|[^]",
        rf"{value}\z", f"{value}|a**", f"{value}|(?i)x", f"{value}\\", rf"{value}|\Qa\E", rf"{value}|\u{{41}}",
    )))  # fmt: skip


@mistake
def foreign_pattern(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if found is None or found[2].startswith(("|", ">")) or draft.value("operator") not in (None, "regex_match"):
        return False
    return draft.set_value("pattern", chance.choice((f"/{found[2]}/i", f"/{found[2]}/", f"r'{found[2]}'")))


@mistake
def relative_path(draft: Draft, chance: random.Random) -> bool:
    if draft.value("field") != "file_path":
        return False
    draft.set_value("operator", "regex_match")
    return draft.choose(chance, "pattern", (r"^src/", r"^\.env$", "src/**/*.ts", "*.env", r"^(?:src|lib)/", "**/.env"))
