"""The one table of the settings that affect rules: the reference agent's (spec O), and ours."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class SettingKind(StrEnum):
    """The type of a setting's value. Shown to users."""

    BOOLEAN = "`true` or `false`"
    CHOICE = "one word"
    NUMBER = "a number"
    NAMES = "a list of texts"
    SCOPED_NAMES = "a list of texts, or of maps with `path` and `values`"


class SettingKey(Struct, frozen=True):
    """A setting: its keys from the outermost to the innermost, its type, and its documentation in Markdown.

    `is_ours`: only `ttsr-ls` reads it; oh-my-pi ignores it.
    """

    path: tuple[str, ...]
    kind: SettingKind
    choices: tuple[str, ...]
    default: str
    documentation: str
    is_ours: bool = False

    @property
    def name(self) -> str:
        """The name of the setting in messages, such as `ttsr.enabled`."""
        return ".".join(self.path)


ENABLED = SettingKey(("ttsr", "enabled"), SettingKind.BOOLEAN, (), "true",
                     "Whether rules apply to the stream at all.")  # fmt: skip
DISABLED_RULES = SettingKey(("ttsr", "disabledRules"), SettingKind.NAMES, (), "[]",
                            "Names of rules that are not loaded, including built-in rules.")  # fmt: skip
BUILTIN_RULES = SettingKey(("ttsr", "builtinRules"), SettingKind.BOOLEAN, (), "true",
                           "Whether the rules that are built into the agent are loaded.")  # fmt: skip
INTERRUPT_MODE = SettingKey(("ttsr", "interruptMode"), SettingKind.CHOICE,
                            ("never", "prose-only", "tool-only", "always"), "always",
                            "The streams on which a rule interrupts the answer; its own `interruptMode` overrides "
                            "this.")  # fmt: skip
REPEAT_MODE = SettingKey(("ttsr", "repeatMode"), SettingKind.CHOICE, ("once", "after-gap"), "once",
                         "Whether a rule fires once in a session, or again after `repeatGap`.")  # fmt: skip
REPEAT_GAP = SettingKey(("ttsr", "repeatGap"), SettingKind.NUMBER, (), "10",
                        "The gap before a rule may fire again, with `repeatMode: after-gap`; `repeatUnit` is its "
                        "unit.")  # fmt: skip
REPEAT_UNIT = SettingKey(("ttsr", "repeatUnit"), SettingKind.CHOICE, ("answers", "turns"), "answers",
                         "The unit of `repeatGap`: the agent's answers, as in oh-my-pi, or turns. The default of rules "
                         "from before `condition` is turns.", is_ours=True)  # fmt: skip
CONTEXT_MODE = SettingKey(("ttsr", "contextMode"), SettingKind.CHOICE, ("discard", "keep"), "discard",
                          "Whether an interrupted answer stays in the model's context.")  # fmt: skip
JUDGE = SettingKey(("ttsr", "judge"), SettingKind.CHOICE, ("auto", "on", "off"), "auto",
                   "Whether a judge model is asked the `question` of a rule.")  # fmt: skip
ASK_RULES = SettingKey(("ttsr", "askRules"), SettingKind.NAMES, (), "[]",
                       "Names of rules for which hooks ask the user about a tool call instead of denying it; `*` means "
                       "all.", is_ours=True)  # fmt: skip
MAX_INTERRUPTS = SettingKey(("ttsr", "maxInterrupts"), SettingKind.NUMBER, (), "10",
                            "How often rules interrupt the agent in one turn; further triggers are injected without an "
                            "interrupt.", is_ours=True)  # fmt: skip
ENABLED_PROVIDERS = SettingKey(("enabledProviders",), SettingKind.SCOPED_NAMES, (), "[]",
                               "Other tools whose folders in the home folder are read; `*` means all.")  # fmt: skip
DISABLED_PROVIDERS = SettingKey(("disabledProviders",), SettingKind.SCOPED_NAMES, (), "[]",
                                "Providers from which nothing is read.")  # fmt: skip
DISABLED_EXTENSIONS = SettingKey(("disabledExtensions",), SettingKind.NAMES, (), "[]",
                                 "Files that are not loaded, such as `rule:<name>`; another file may have that "
                                 "name.")  # fmt: skip
EXTENSIONS = SettingKey(("extensions",), SettingKind.NAMES, (), "[]",
                        "Folders of extension packages; their `rules` folders are read.")  # fmt: skip

SETTING_KEYS = (
    ENABLED, DISABLED_RULES, BUILTIN_RULES, INTERRUPT_MODE, REPEAT_MODE, REPEAT_GAP, REPEAT_UNIT, CONTEXT_MODE,
    JUDGE, ASK_RULES, MAX_INTERRUPTS, ENABLED_PROVIDERS, DISABLED_PROVIDERS, DISABLED_EXTENSIONS, EXTENSIONS,
)  # fmt: skip
"""All settings that rules depend on."""

GROUP = "ttsr"
"""The key under which the settings of rules stand together."""
