"""What a rule says, whichever dialect it is written in."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode


class ConversionError(TtsrError):
    """A rule cannot be expressed in the other dialect at all; the message is the reason, as a full sentence."""


class TriggerSpec(Struct, frozen=True):
    """The trigger of a rule, in omp's terms.

    `conditions` are conditions of omp with their flag groups, any of which is enough. `scope` are scope tokens; empty
    is omp's default. `interrupt_mode` None is what the settings say. The limits are those of pi-ttsr. `lost` says, each
    in a full sentence, what of this could not be taken along; where the rule fires no more, nobody wants to know.
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
    """When a guidance rule, which never fires, is a part of the prompt."""

    activation: ActivationMode
    globs: tuple[str, ...] = ()


class PortableRule(Struct, frozen=True):
    """A rule in no dialect. `lost` names, in full sentences, the lost parts of the file, except its trigger."""

    name: str
    description: str | None
    is_enabled: bool
    occasion: TriggerSpec | GuidanceSpec
    body: str
    lost: tuple[str, ...] = ()


class UnquotedText(Struct, frozen=True):
    """A text that is written without quotes, because its readers take those for a part of it."""

    text: str


FrontmatterEntry = tuple[str, str | UnquotedText | bool | float | tuple[str, ...]]
"""A key of the frontmatter to be written, with its value."""


class WrittenRule(Struct, frozen=True):
    """A rule in its new dialect: the entries of its frontmatter in order, its body, and what was lost on the way."""

    entries: tuple[FrontmatterEntry, ...]
    body: str
    lost: tuple[str, ...]
