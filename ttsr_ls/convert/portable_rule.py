"""A rule independent of any dialect."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode


class ConversionError(TtsrError):
    """The other dialect cannot express the rule at all. The message is the reason, as a full sentence."""


class TriggerSpec(Struct, frozen=True):
    """The trigger of a rule, in terms of omp.

    `conditions` are conditions of omp with their flag groups, any of which fires the rule. `scope` has scope tokens;
    empty is omp's default. `interrupt_mode` None means the settings decide. The limits are those of pi-ttsr. `lost`
    lists, in full sentences, the parts of the trigger that could not be converted; targets without triggers ignore it.
    """

    conditions: tuple[str, ...]
    ast_conditions: tuple[str, ...] = ()
    question: str | None = None
    scope: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    interrupt_mode: str | None = None
    max_firings: float = 1.0
    cooldown: float = 0.0
    lost: tuple[str, ...] = ()


class GuidanceSpec(Struct, frozen=True):
    """The condition under which a guidance rule, which never fires, is part of the prompt."""

    activation: ActivationMode
    globs: tuple[str, ...] = ()


class PortableRule(Struct, frozen=True):
    """A rule without a dialect. `lost` lists, in full sentences, the parts of the file that could not be converted,
    except those of its trigger.
    """

    name: str
    description: str | None
    is_enabled: bool
    activation: TriggerSpec | GuidanceSpec
    body: str
    lost: tuple[str, ...] = ()


class UnquotedText(Struct, frozen=True):
    """A text that is written without quotes, because its readers would treat quotes as part of it."""

    text: str


FrontmatterEntry = tuple[str, str | UnquotedText | bool | float | tuple[str, ...]]
"""A key of the frontmatter to be written, with its value."""


class WrittenRule(Struct, frozen=True):
    """A rule in its new dialect: the entries of its frontmatter in order, its body, and the lost parts."""

    entries: tuple[FrontmatterEntry, ...]
    body: str
    lost: tuple[str, ...]
