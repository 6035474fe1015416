"""Rules, logs, and observers for tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.history.turn_events import RuleTriggered, TurnEvent
from ttsr_ls.session.output.agent_events import Adapter, AgentEvent
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect, compose
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.turn_log import LogWriteError
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

NO_ANY = '---\ncondition: ":\\\\s*any\\\\b"\nscope: tool:write(*.ts), tool:edit(*.ts)\n---\nSay the type.\n'
NO_OLD = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
NO_PUSH = "---\ncondition: git push\nscope: tool:bash\ninterruptMode: never\n---\nDo not push.\n"


def rules(**texts: str) -> RulesByDialect:
    return rules_for("main", **texts)


def rules_for(agent: str, **texts: str) -> RulesByDialect:
    files = [read_rule(text, name=name.replace("_", "-"), path=f"/r/{name}.md") for name, text in texts.items()]
    return compose([register(file, "extra") for file in files], Settings(), agent)


def same_named_rules() -> RulesByDialect:
    """A rule of oh-my-pi before `condition` on `old_module`, one of pi-ttsr on `older_module` in the answer's text, and
    one of oh-my-pi on `new_module`, all with one name."""
    omp = read_rule("---\ncondition: new_module\n---\nBody of omp.\n", name="same", path="/r/omp/same.md")
    legacy = read_rule("---\nttsr_trigger: old_module\n---\nBody of old omp.\n", name="same", path="/r/old/same.md")
    pi = read_pi_rule("---\ntrigger: older_module\n---\nBody of pi.\n", name="same", path="/r/pi/same.md")
    return compose([register(omp, "native"), register_legacy(legacy, "native"), register_pi(pi)], Settings())


class MemoryLog:
    """A log in memory with the interface of `TurnLog`; the appends with the numbers `fails`, from 1, fail.

    `refused` has the kinds of events that cannot be appended.
    """

    def __init__(self, fails: Iterable[int] = ()) -> None:
        self.records: list[Record] = []
        self._fails = frozenset(fails)
        self._asked = 0
        self.refused: tuple[type[TurnEvent], ...] = ()

    @property
    def events(self) -> list[TurnEvent]:
        return [record.event for record in self.records]

    @property
    def triggers(self) -> list[RuleTriggered]:
        return [event for event in self.events if isinstance(event, RuleTriggered)]

    def append(self, event: TurnEvent, time: int) -> Record:
        self._asked += 1
        if self._asked in self._fails or isinstance(event, self.refused):
            raise LogWriteError("the disk is full")
        self.records.append(Record(len(self.records) + 1, time, event))
        return self.records[-1]


def observer(
    log: EventLog, rules: RulesByDialect, matching: Matching = Matching.STABLE, settings: Settings | None = None
) -> Observer:
    return Observer(lambda _: rules, log, settings=settings or Settings(), matching=matching)


def claude() -> ClaudeAdapter:
    return ClaudeAdapter(PurePosixPath("/home/dev/shop"))


def watch(
    data: bytes,
    log: EventLog,
    rules: RulesByDialect,
    matching: Matching = Matching.STABLE,
    adapter: Adapter | None = None,
) -> list[Notice]:
    """The notices of a whole stream, of Claude Code unless another adapter is given."""
    watching, adapter = observer(log, rules, matching), adapter or claude()
    events: list[AgentEvent] = [*adapter.feed(data), *adapter.finish()]
    return [*watching.start(0), *watching.feed(events, 1)]
