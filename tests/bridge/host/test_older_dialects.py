"""Rules of the older dialects in a session: seeds 001 and 002 as configurations of the same machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bridge.host.driving import FINE, Run, ShakyLog, run_on, session_rules, stream_of
from tests.bridge.wire.provider_answers import Part
from ttsr_ls.bridge.host.events import RulesTriggered, TextInjected
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.session_core import Clock
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import ContextMode, RepeatMode, Settings
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn_events import InjectionCommitted, Text, ToolCall
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect, compose
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

OLD: tuple[Part, ...] = (Text("I import old_module here."),)
BOTH: tuple[Part, ...] = (Text("old_new"),)


def legacy(**triggers: str) -> RulesByDialect:
    files = [
        read_rule(f"---\nttsr_trigger: {trigger}\n---\nBody of {name}.\n", name=name, path=f"/w/{name}.md")
        for name, trigger in triggers.items()
    ]
    return compose([register_legacy(file, "native") for file in files], Settings())


def pi(frontmatter: str = "", **triggers: str) -> RulesByDialect:
    files = [
        read_pi_rule(f"---\ntrigger: {trigger}\n{frontmatter}\n---\nBody of {name}.\n", name=name, path=f"/w/{name}.md")
        for name, trigger in triggers.items()
    ]
    return compose([register_pi(file) for file in files], Settings())


async def test_a_rule_of_seed_001_interrupts_and_is_injected_as_a_user_message() -> None:
    run = await run_on(rules=legacy(old="old_module"))
    await run.turn(OLD, FINE)
    (injected,) = [event for event in run.log.events if isinstance(event, InjectionCommitted)]
    assert injected.injection.role is Role.USER
    assert injected.injection.text.startswith('<system-interrupt reason="rule_violation" rule="old" path="old.md">')
    assert "I import" not in json.dumps(run.sent[1])


async def test_rules_of_seed_001_that_match_at_once_are_one_batch_and_one_message() -> None:
    run = await run_on(rules=legacy(one="old", two="ld_"))
    await run.turn(BOTH, FINE)
    (injected,) = [event for event in run.notifications if isinstance(event, TextInjected)]
    assert injected.rules == ("one", "two")
    prompt, injection = run.sent[1][0]["content"]
    assert prompt["text"] == "go"
    assert [message["role"] for message in run.sent[1]] == ["user"]
    blocks = injection["text"].split("\n\n<system-interrupt")
    for rule, block in zip(injected.rules, blocks, strict=True):
        assert f' reason="rule_violation" rule="{rule}" path="{rule}.md">' in block.splitlines()[0]
        assert block.endswith(f"Body of {rule}.\n</system-interrupt>")


async def test_seed_001_marks_a_rule_at_its_match_even_without_injection() -> None:
    run = await run_on(rules=legacy(old="old_module"))
    run.during_sleep = run.session.interrupt
    await run.turn(OLD)
    run.during_sleep = None
    await run.turn(OLD)
    assert run.kinds().count("RulesTriggered") == 1
    assert run.state.injected == ()


async def test_seed_001_keeps_the_partial_answer_in_context_mode_keep() -> None:
    run = await run_on(rules=legacy(old="old_module"), settings=Settings(context_mode=ContextMode.KEEP))
    await run.turn(OLD, FINE)
    sent = json.dumps(run.sent[1])
    assert 0 < sent.index("old_modul") < sent.index("system-interrupt")


async def test_every_rule_of_seed_001_interrupts_also_in_tool_calls() -> None:
    call = ToolCall("c", "bash", '{"command": "old_module"}')
    run = await run_on(rules=legacy(old="old_module"), settings=Settings(interrupt_mode=InterruptMode.NEVER))
    await run.turn((call,), FINE)
    assert run.kinds().count("AnswerInterrupted") == 1


async def test_seed_001_fires_again_after_a_gap_of_turns() -> None:
    settings = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1)
    run = await run_on(rules=legacy(old="old_module"), settings=settings)
    await run.turn(OLD, OLD)
    await run.turn(OLD, FINE)
    assert [event.triggers[0].turn for event in run.notifications if isinstance(event, RulesTriggered)] == ["t1", "t2"]


async def test_a_rule_of_seed_002_discards_the_answer_and_retries_at_once_with_a_system_message() -> None:
    run = await run_on(
        rules=pi(old="old_module"), settings=Settings(context_mode=ContextMode.KEEP), api=Api.OPENAI_CHAT
    )
    await run.turn(OLD, FINE)
    assert run.sleeps == [0.0]
    assert [message["role"] for message in run.sent[1]] == ["user", "system"]
    assert run.sent[1][1]["content"] == (
        "[TTSR RULE: old]\n\nBody of old.\n\nYour previous response was interrupted because it matched this rule. "
        "Regenerate your response following the rule above."
    )


async def test_only_the_first_matching_rule_of_seed_002_fires() -> None:
    run = await run_on(rules=pi(one="old", two="new"))
    await run.turn((Text("new_old"),), (Text("old_new"),), FINE)
    injected = [event.rules for event in run.notifications if isinstance(event, TextInjected)]
    assert injected == [("two",), ("one",)]


async def test_seed_002_limits_the_firings_of_a_rule() -> None:
    run = await run_on(rules=pi("maxFirings: 2", old="old_module"))
    await run.turn(OLD, OLD, OLD)
    assert run.kinds().count("AnswerInterrupted") == 2


async def test_seed_002_applies_the_cooldown_between_firings() -> None:
    seconds = [100.0]
    session = await Session.open(
        rules=pi("maxFirings: 5\ncooldown: 30", old="old_module"),
        log=ShakyLog().opened(),
        cwd=Path("/w"),
        clock=Clock(lambda: 0, lambda: seconds[0]),
    )
    run = Run(session, ShakyLog())
    await run.turn(OLD, OLD)
    assert run.kinds().count("AnswerInterrupted") == 1
    seconds[0] += 31
    await run.turn(OLD)
    assert run.kinds().count("AnswerInterrupted") == 2


async def test_seed_002_matches_only_the_text_of_answers() -> None:
    run = await run_on(rules=pi(old="old_module"))
    await run.turn((ToolCall("c", "bash", '{"command": "old_module"}'),), FINE)
    assert "AnswerInterrupted" not in run.kinds()


async def test_a_session_without_rules_sends_unchanged_requests() -> None:
    """Seed 002, impact when unused."""
    run = await run_on(rules={})
    await run.turn(OLD)
    assert run.kinds() == ["TurnFinished"]
    assert len(run.sent) == 1
    assert run.session._core.features.tools == ()


async def test_rules_of_several_dialects_are_injected_each_in_its_own_form() -> None:
    omp = session_rules({"no-old": "condition: old_module"}).omp
    old, proposed = legacy(legacy="old_module").others, pi(proposed="old_module").others
    mixed = RulesByDialect(omp, (*old, *proposed))
    run = await run_on(rules=mixed)
    await run.turn(OLD, FINE)
    injected = [event.rules for event in run.notifications if isinstance(event, TextInjected)]
    assert injected == [("no-old",), ("legacy",), ("proposed",)]
    assert run.kinds().count("RequestRetried") == 1


@pytest.mark.parametrize(
    ("api", "chosen", "role"),
    [
        (Api.ANTHROPIC, None, "user"),
        (Api.ANTHROPIC, SystemMessages.ACCEPTED, "system"),
        (Api.OPENAI_CHAT, None, "system"),
        (Api.OPENAI_CHAT, SystemMessages.REFUSED, "user"),
        (Api.OPENAI_RESPONSES, None, "system"),
        (Api.OPENAI_RESPONSES, SystemMessages.REFUSED, "user"),
        (Api.GEMINI, None, "user"),
        (Api.GEMINI, SystemMessages.ACCEPTED, "user"),
    ],
)
async def test_the_message_of_seed_002_has_the_role_system_if_the_model_accepts_it(
    api: Api, chosen: SystemMessages | None, role: str
) -> None:
    """Seed 002, part 1: `role` is `system` by default; else the message is the user's."""
    run = await run_on(rules=pi(old="old_module"), api=api, system_messages=chosen)
    script = [OLD, FINE]
    async with run.session.turn("go") as turn:
        async for request in turn:
            run.sent.append(request.messages)
            async for _ in request.watch(stream_of(api, script.pop(0))):
                pass
    injected = [message for message in run.sent[1] if "TTSR RULE: old" in json.dumps(message)]
    assert [message["role"] for message in injected] == [role]
    assert "I import" not in json.dumps(run.sent[1])


def two_rules_of_one_name() -> RulesByDialect:
    """A rule of pi-ttsr on `old_module`, and one of oh-my-pi with the same name on `new_module`."""
    omp = read_rule("---\ncondition: new_module\n---\nBody of omp.\n", name="same", path="/w/.omp/rules/same.md")
    pi_file = read_pi_rule("---\ntrigger: old_module\n---\nBody of pi.\n", name="same", path="/w/.pi/rules/same.md")
    return compose([register(omp, "native"), register_pi(pi_file)], Settings())


@pytest.mark.parametrize("restarts", [False, True])
async def test_an_injection_of_pi_ttsr_does_not_silence_a_rule_of_oh_my_pi_with_its_name(*, restarts: bool) -> None:
    run = await run_on(rules=two_rules_of_one_name())
    await run.turn(OLD, FINE)
    if restarts:
        run = await run_on(ShakyLog(run.log.events), rules=two_rules_of_one_name())
    await run.turn((Text("I import new_module here."),), FINE)
    final = json.dumps(run.session.messages)
    assert (final.count("Body of pi."), final.count("Body of omp.")) == (1, 1)
    assert run.session.injected_rules == ("same",)
    await run.turn((Text("I import new_module here."),))
    assert json.dumps(run.session.messages).count("Body of omp.") == 1


async def test_a_reminder_of_an_older_rule_does_not_silence_a_rule_of_oh_my_pi_with_its_name() -> None:
    omp = read_rule("---\ncondition: new_module\n---\nBody of omp.\n", name="same", path="/w/omp/same.md")
    old = read_rule("---\nttsr_trigger: old_module\n---\nBody of old omp.\n", name="same", path="/w/old/same.md")
    rules = compose([register(omp, "native"), register_legacy(old, "native")], Settings())
    run = await run_on(rules=rules, settings=Settings(max_interrupts=0))
    for module in ("old_module", "new_module"):
        await run.turn((ToolCall(f"c-{module}", "write", f'{{"content": "import {module}"}}'),), FINE)
    final = json.dumps(run.session.messages)
    assert (final.count("Body of old omp."), final.count("Body of omp.")) == (1, 1)


async def test_two_deferred_rules_with_one_name_are_each_injected_once() -> None:
    run = await run_on(rules=two_rules_of_one_name(), settings=Settings(max_interrupts=0))
    await run.turn((Text("I import old_module and new_module here."),), FINE)
    final = json.dumps(run.session.messages)
    assert (final.count("Body of pi."), final.count("Body of omp.")) == (1, 1)
    await run.turn(FINE)
    assert json.dumps(run.session.messages).count("Body of ") == 2
