"""Caches the messages of requests: only new parts of the history are projected.

The messages are exactly those of a projection of the whole history. A finished turn does not change, nor do the steps
of the turn in progress before its last answer, unless an event arrives out of order: then everything is projected
again, as after rewinding and clearing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable
from math import inf

from ttsr_ls.session.history.open_turn import OpenTurn
from ttsr_ls.session.history.turn import CompactionSummary, NumberedStep
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.projection.build import ConversationBuilder
from ttsr_ls.session.projection.conversation import AssistantMessage, Item
from ttsr_ls.session.projection.message_list import MessageList
from ttsr_ls.session.projection.trimming import Trimming, trim_old_answers
from ttsr_ls.session.projection.visible import Visible, discarded_answers, visible_steps
from ttsr_ls.session.projection.wire import Wire


class ProjectionCache:
    """The messages of one agent, for the turns of `history`. `new_wire` creates an empty wire of its provider.

    A request costs time for what was added to the history since the last one, for the last answer and everything after
    it, for the answers that a `Trimming` keeps, and for copying a list of all messages.
    """

    __slots__ = ("_agent", "_boundary", "_changes", "_done", "_epoch", "_history", "_new_wire", "_open", "_prefix")

    def __init__(self, history: TurnFold, agent: str, new_wire: Callable[[], Wire]) -> None:
        self._history = history
        self._agent = agent
        self._new_wire = new_wire
        self._restart(None)

    def messages(self, trimming: Trimming | None, more: Iterable[Visible] = ()) -> MessageList:
        """Returns the messages of a request that is sent now, as if `more` followed the history."""
        if not self._is_valid or trimming != self._prefix.trimming:
            self._restart(trimming)
        self._take_finished()
        return self._prefix.with_tail((*self._take_open(), *more))

    @property
    def _is_valid(self) -> bool:
        if self._history.epoch != self._epoch:
            return False
        return (
            self._open is None
            or min(self._open.changed_steps(self._agent)[self._changes :], default=inf) >= self._boundary
        )

    def _restart(self, trimming: Trimming | None) -> None:
        self._prefix = _Prefix(self._new_wire, trimming)
        self._epoch = self._history.epoch
        self._done = 0
        """How many finished turns are in the prefix."""
        self._close()

    def _close(self) -> None:
        self._open: OpenTurn | None = None
        """The turn whose steps before number `_boundary` are in the prefix."""
        self._boundary = -inf
        self._changes = 0
        """The number of changes of the open turn that the prefix contains."""

    def _take_finished(self) -> None:
        if self._history.open_turn is not self._open or self._open is None:
            for turn in self._history.finished[self._done :]:
                if self._open is None:
                    self._prefix.add((turn.trigger,))
                start = bisect_left(turn.steps, self._boundary, key=_number)
                self._prefix.add(
                    visible_steps(turn.steps[start:], self._agent, discarded_answers(turn.steps, self._agent))
                )
                self._close()
            self._done = len(self._history.finished)

    def _take_open(self) -> Iterable[Visible]:
        """Moves the final steps of the current turn to the prefix; returns the steps that may still change."""
        turn = self._history.open_turn
        if turn is None:
            return ()
        if self._open is None:
            self._open = turn
            self._prefix.add((turn.trigger,))
        self._changes = len(turn.changed_steps(self._agent))
        steps = turn.steps_from(self._boundary)
        discarded = turn.discarded_answers_of(self._agent)
        last = turn.last_answer(self._agent)
        if last is None or last <= self._boundary:
            return visible_steps(steps, self._agent, discarded)
        start = bisect_left(steps, last, key=_number)
        self._prefix.add(visible_steps(steps[:start], self._agent, discarded))
        self._boundary = last
        return visible_steps(steps[start:], self._agent, discarded)


class _Prefix:
    """The beginning of the conversation that no later event changes."""

    __slots__ = ("_answers", "_builder", "_new_wire", "_trimmed", "_waiting", "_wire", "trimming")

    def __init__(self, new_wire: Callable[[], Wire], trimming: Trimming | None) -> None:
        self._new_wire = new_wire
        self.trimming = trimming
        self._clear()

    def add(self, entries: Iterable[Visible]) -> None:
        """Adds the next entries that the model sees."""
        for entry in entries:
            if isinstance(entry, CompactionSummary):
                self._clear()
            self._builder.add(entry)
        items = self._builder.items
        if self.trimming is None:
            for item in items:
                self._wire.add(item)
        else:
            self._waiting += items
            self._answers += _answers(items)
            self._trim(self.trimming)
        items.clear()

    def with_tail(self, entries: Iterable[Visible]) -> MessageList:
        """Returns the messages of the cached prefix, then those of `entries`, from the last compaction in them on.

        Does not change the cache.
        """
        tail = list(entries)
        compaction = max(
            (position for position, item in enumerate(tail) if isinstance(item, CompactionSummary)), default=None
        )
        if compaction is not None:
            prefix = _Prefix(self._new_wire, self.trimming)
            prefix.add(tail[compaction:])
            return prefix.with_tail(())
        builder = self._builder.branch()
        for entry in tail:
            builder.add(entry)
        wire = self._wire.branch()
        prefix_length = len(wire.messages)
        for item in self._untrimmed(builder.items):
            wire.add(item)
        first = wire.messages[0] if wire.messages else None
        wire.finish()
        is_shifted = bool(wire.messages) and wire.messages[0] is not first
        return MessageList(wire.messages, prefix_length + is_shifted)

    def _clear(self) -> None:
        self._builder = ConversationBuilder()
        self._wire = self._new_wire()
        self._waiting: deque[Item] = deque()
        """The history that is not encoded yet because trimming may still change it."""
        self._answers = 0
        """The number of answers in `_waiting`."""
        self._trimmed = 0
        """The number of answers on the wire, where there is trimming."""

    def _trim(self, trimming: Trimming) -> None:
        """Encodes the history that later requests trim in the same way."""
        while self._answers > max(0, trimming.answers_kept):
            for item in trim_old_answers((self._waiting.popleft(),), 1, trimming):
                self._wire.add(item)
                if isinstance(item, AssistantMessage):
                    self._answers -= 1
                    self._trimmed += 1

    def _untrimmed(self, tail: list[Item]) -> Iterable[Item]:
        """The history that is not encoded yet, followed by `tail`."""
        if self.trimming is None:
            return tail
        answers = self._answers + _answers(tail)
        old = max(0, self._trimmed + answers - self.trimming.answers_kept) - self._trimmed
        return trim_old_answers((*self._waiting, *tail), old, self.trimming)


def _answers(items: Iterable[Item]) -> int:
    return sum(isinstance(item, AssistantMessage) for item in items)


def _number(step: NumberedStep) -> int:
    return step.number
