"""How the program of each dialect runs its rules: matching, repeat, interruption, and injection.

The one place for what differs between programs beyond what rules say. The monitor and the session read a rule's
profile; nothing else decides by dialect how a rule is run.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import ContextMode, RepeatUnit
from ttsr_ls.syntax.dialects.table import DialectId


class RegistrationPolicy(Enum):
    """Which of the rules that were found watch an agent (spec B, L1)."""

    BY_SETTINGS = "as settings, `agents`, and names say"
    FIRST_OF_NAME = "of several with one name the first"
    ALL = "all"


class TriggerSelection(Enum):
    """Which of the rules that match at one moment fire."""

    ALL = "all, as one batch"
    FIRST = "the first in load order; the answer is cut off then, so that nothing else of it fires"


class BufferScope(Enum):
    """Which output makes up one text in `reference` matching. In `stable` matching each stream is its own text."""

    STREAMS = "each stream by itself"
    ONE = "all that is watched, in the order of its coming, until the next reset"


class RepeatBasis(Enum):
    """The event after which a rule counts as fired, for the repeat policy (spec I5, L3, L5, P5)."""

    INJECTION = "the commit of its injection; a rule keeps matching until then"
    MATCH = "its match"
    OWN_LIMITS = "its match, under limits of its own"


class InjectionFormat(Enum):
    """How the model is told why its answer was cut off (spec I2, L4, P7)."""

    ONE_MESSAGE = "all rules in one message of the user"
    MESSAGE_EACH = "a system message for each rule, in the words of pi-ttsr"


class DialectProfile(Struct, frozen=True):
    """How the rules of a dialect are run.

    `repeat_unit` is what `repeat_gap` counts, where settings do not say. `interrupt_mode` and `context_mode` (what
    becomes of an answer that was cut off) count before the settings; None: rules and settings say. `resume_after` is in
    seconds from an abort to the request that is made again. `is_tried_by_deltas`: what a rule is tried on depends on
    how a text came, of which `stable` matching knows nothing.
    """

    id: DialectId
    registrations: RegistrationPolicy
    selection: TriggerSelection
    buffers: BufferScope
    repeat_basis: RepeatBasis
    repeat_unit: RepeatUnit
    interrupt_mode: InterruptMode | None
    context_mode: ContextMode | None
    resume_after: float
    injection_format: InjectionFormat
    is_tried_by_deltas: bool = False


OMP = DialectProfile(
    DialectId.OMP,
    RegistrationPolicy.BY_SETTINGS,
    TriggerSelection.ALL,
    BufferScope.STREAMS,
    RepeatBasis.INJECTION,
    RepeatUnit.ANSWERS,
    interrupt_mode=None,
    context_mode=None,
    resume_after=0.05,
    injection_format=InjectionFormat.ONE_MESSAGE,
)
"""What the reference agent does with rules of its current dialect (spec I)."""

OMP_LEGACY = DialectProfile(
    DialectId.OMP_LEGACY,
    RegistrationPolicy.FIRST_OF_NAME,
    TriggerSelection.ALL,
    BufferScope.ONE,
    RepeatBasis.MATCH,
    RepeatUnit.TURNS,
    interrupt_mode=InterruptMode.ALWAYS,
    context_mode=None,
    resume_after=OMP.resume_after,
    injection_format=InjectionFormat.ONE_MESSAGE,
)
"""What it did before `condition` (spec L)."""

PI = DialectProfile(
    DialectId.PI_TTSR,
    RegistrationPolicy.ALL,
    TriggerSelection.FIRST,
    BufferScope.STREAMS,
    RepeatBasis.OWN_LIMITS,
    RepeatUnit.TURNS,
    interrupt_mode=InterruptMode.ALWAYS,
    context_mode=ContextMode.DISCARD,
    resume_after=0.0,
    injection_format=InjectionFormat.MESSAGE_EACH,
    is_tried_by_deltas=True,
)
"""What pi-ttsr does (spec P): the partial answer is always dropped, and the request made again at once."""

PROFILES = (OMP, OMP_LEGACY, PI)
"""All, in the order in which a session runs them."""
