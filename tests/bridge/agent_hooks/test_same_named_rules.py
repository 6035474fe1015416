"""Rules of two dialects with one name, in a session that is seen through hooks."""

from __future__ import annotations

from tests.bridge.agent_hooks.calls import Hooked, after_write, before_write, message, stop
from tests.bridge.watch.watching import same_named_rules
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, ContextAdded, Continued, Denied
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import InjectionCommitted, ReminderFolded

OMP, LEGACY, PI = "/r/omp/same.md", "/r/old/same.md", "/r/pi/same.md"


def test_a_denial_by_a_rule_of_old_oh_my_pi_does_not_silence_a_new_rule_with_its_name() -> None:
    hooked = Hooked(same_named_rules())
    first = hooked.ask(before_write("import old_module\n"))
    second = hooked.ask(before_write("import new_module\n", "t2"))
    assert isinstance(first, Denied)
    assert isinstance(second, Denied)
    assert ("Body of old omp." in first.text, "Body of omp." in second.text) == (True, True)
    assert hooked.ask(before_write("import new_module\n", "t3")) == Allowed()


def test_a_denial_has_the_bodies_of_both_rules_with_one_name() -> None:
    denied = Hooked(same_named_rules()).ask(before_write("import old_module, new_module\n"))
    assert isinstance(denied, Denied)
    assert (denied.text.count("Body of old omp."), denied.text.count("Body of omp.")) == (1, 1)
    assert denied.rules == ("same",)


def test_a_continuation_has_the_bodies_of_both_rules_with_one_name_and_records_their_paths() -> None:
    hooked = Hooked(same_named_rules())
    hooked.ask(message("UserPromptSubmit", prompt="write it"))
    continued = hooked.ask(stop("I import older_module and new_module."))
    assert isinstance(continued, Continued)
    assert (continued.text.count("Body of pi."), continued.text.count("Body of omp.")) == (1, 1)
    (record,) = [event for event in hooked.log.events if isinstance(event, InjectionCommitted)]
    assert (record.rules, sorted(record.rule_paths)) == (("same", "same"), [OMP, PI])


def test_a_continuation_by_a_rule_of_pi_ttsr_does_not_silence_a_rule_of_oh_my_pi_with_its_name() -> None:
    hooked = Hooked(same_named_rules())
    hooked.ask(message("UserPromptSubmit", prompt="write it"))
    for module, body in (("older_module", "Body of pi."), ("new_module", "Body of omp.")):
        continued = hooked.ask(stop(f"I import {module}."))
        assert isinstance(continued, Continued)
        assert body in continued.text
    assert hooked.ask(stop("I import new_module.")) == Allowed()


def test_a_reminder_has_the_bodies_of_both_rules_with_one_name_and_records_their_paths() -> None:
    hooked = Hooked(same_named_rules(), Settings(max_interrupts=0))
    assert hooked.ask(before_write("import old_module, new_module\n")) == Allowed()
    reminded = hooked.ask(after_write())
    assert isinstance(reminded, ContextAdded)
    assert (reminded.text.count("Body of old omp."), reminded.text.count("Body of omp.")) == (1, 1)
    (record,) = [event for event in hooked.log.events if isinstance(event, ReminderFolded)]
    assert (record.rules, sorted(record.rule_paths)) == (("same", "same"), [LEGACY, OMP])
