"""The behaviour of rules in each dialect: matching, repeat, interruption, and injection.

The only module with differences between programs beyond the rules themselves. The monitor and the session read a rule's
profile; nothing else depends on the dialect of a running rule.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import ContextMode, RepeatUnit
from ttsr_ls.syntax.dialects.table import DialectId


class RegistrationPolicy(Enum):
    """Selects the discovered rules that are active for an agent (spec B, L1)."""

    BY_SETTINGS = "as settings, `agents`, and names say"
    FIRST_OF_NAME = "the first of several with one name"
    ALL = "all"


class TriggerSelection(Enum):
    """The rules that fire, of those that match at the same moment."""

    ALL = "all, as one batch"
    FIRST = "the first in load order; it interrupts the answer, so no other rule fires on the rest"


class BufferScope(Enum):
    """The output that forms one text in `reference` matching. In `stable` matching each stream is a text of its own."""

    STREAMS = "each stream by itself"
    ONE = "all streams together, in order of arrival, until the next reset"


class RepeatBasis(Enum):
    """The event from which the repeat policy counts a rule as fired (spec I5, L3, L5, P5)."""

    INJECTION = "the commit of its injection; a rule keeps matching until then"
    MATCH = "its match"
    OWN_LIMITS = "its match, under limits of its own"


class InjectionFormat(Enum):
    """The format of the message that says why the answer was interrupted (spec I2, L4, P7)."""

    ONE_MESSAGE = "all rules in one message of the user"
    MESSAGE_EACH = "a system message for each rule, in the words of pi-ttsr"


class DialectProfile(Struct, frozen=True):
    """The behaviour of the rules of a dialect.

    `repeat_unit` is the unit of `repeat_gap`, unless the settings set it. `interrupt_mode` and `context_mode` (what
    happens to an interrupted answer) override the settings; None: rules and settings decide. `resume_after` is the time
    in seconds from an abort to the repeated request. `depends_on_deltas` is true if the text on which a rule is tested
    depends on how the stream was split into deltas; `stable` matching ignores that.
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
    depends_on_deltas: bool = False


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
"""The reference agent, for rules of its current dialect (spec I)."""

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
"""The reference agent before it had the key `condition` (spec L)."""

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
    depends_on_deltas=True,
)
"""pi-ttsr (spec P): the partial answer is always dropped, and the request is repeated at once."""

PROFILES = (OMP, OMP_LEGACY, PI)
"""All profiles, in the order in which a session runs them."""
