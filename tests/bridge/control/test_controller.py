"""The controller: interrupt, rewind, inject, and retry, each recorded before it is sent."""

from __future__ import annotations

import pytest

from tests.bridge.control.played_agent import (
    AGENT_END,
    ANSWER,
    NO_OLD,
    answered,
    asks_before_call,
    begun,
    call,
    codex,
    pi,
    response,
    text_delta,
    user,
)
from tests.bridge.watch.watching import NO_PUSH, MemoryLog
from ttsr_ls.bridge.control.views import (
    AgentInterrupted,
    AgentLimit,
    AgentTrouble,
    CallRanAnyway,
    CallShown,
    RulesInjected,
)
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn_events import InjectionCommitted, OutputInterrupted, TurnCompleted
from ttsr_ls.session.history.turn_fold import fold

BREAKS = ('{"path": "a.py", "content": "import depre', "cated_module\\n")


def test_an_answer_is_interrupted_and_the_rule_is_injected_after_the_agent_stopped() -> None:
    agent = pi()
    begun(agent)
    agent.says(*call(*BREAKS))
    (abort,) = agent.taken()
    assert abort["type"] == "abort"
    assert agent.kinds[-1] == "OutputInterrupted"
    agent.says(answered("aborted"), AGENT_END)
    assert agent.seen(CallShown) == [CallShown("write", "a.py", is_incomplete=True)]
    assert not agent.taken()
    assert not agent.controller.is_over
    agent.says(response(abort))
    (injected,) = agent.taken()
    assert injected["type"] == "prompt"
    assert "Use new_module." in injected["message"]
    assert agent.kinds[-2:] == ["InjectionCommitted", "RetryStarted"]
    agent.says(response(injected), user(injected["message"]), ANSWER, text_delta("Done."), answered(), AGENT_END)
    assert agent.controller.is_over
    assert agent.controller.outcome == TurnCompleted()
    # One turn in the log, although pi reports several.
    assert agent.kinds.count("TurnStarted") == agent.kinds.count("TurnEnded") == 1
    history = fold(agent.log.events)
    assert not history.problems
    kinds = [type(step.content).__name__ for step in history.turns[0].steps]
    assert kinds == ["ModelCall", "ToolBatch", "Interruption", "Injection", "ModelCall"]


def test_a_rule_that_does_not_interrupt_is_queued() -> None:
    agent = pi({"no_old": NO_OLD.replace("---\nUse", "interruptMode: never\n---\nUse")})
    begun(agent)
    agent.says(text_delta("I take deprecated_module. "))
    (queued,) = agent.taken()
    assert queued["type"] == "steer"
    assert "it was not cut off" in queued["message"]
    agent.says(
        response(queued), answered(), user(queued["message"]), ANSWER, text_delta("Right."), answered(), AGENT_END
    )
    assert agent.kinds.count("TurnStarted") == agent.kinds.count("TurnEnded") == 1
    assert agent.controller.is_over


def test_an_interrupt_that_cannot_be_recorded_is_not_sent() -> None:
    log = MemoryLog(fails=[4])  # RulesLoaded, TurnStarted, RuleTriggered, and the interrupt.
    agent = pi(log=log)
    begun(agent)
    agent.says(*call(*BREAKS), asks_before_call())
    assert agent.taken() == [{"type": "extension_ui_response", "id": "d1", "confirmed": True}]
    assert not agent.seen(AgentInterrupted)
    agent.says(answered(), AGENT_END)
    assert agent.controller.is_over


def test_an_interrupted_agent_continues_if_the_injection_cannot_be_recorded() -> None:
    log = MemoryLog(fails=[7])  # After the interrupt: the answer, its calls, and the injection.
    agent = pi(log=log)
    begun(agent)
    agent.says(*call(*BREAKS))
    (abort,) = agent.taken()
    agent.says(answered("aborted"), AGENT_END, response(abort))
    (sent,) = agent.taken()
    assert sent["message"] == "Go on."
    assert not agent.seen(RulesInjected)


def test_a_second_rule_of_the_same_answer_is_injected_with_the_first() -> None:
    agent = pi({"no_old": NO_OLD, "no_any": "---\ncondition: as Any\n---\nSay the type.\n"})
    begun(agent)
    agent.says(text_delta("deprecated_module, "), text_delta("as Any, "))
    (abort,) = agent.taken()
    agent.says(answered("aborted"), AGENT_END, response(abort))
    (injected,) = agent.taken()
    assert "Use new_module." in injected["message"]
    assert "Say the type." in injected["message"]
    (committed,) = [event for event in agent.log.events if isinstance(event, InjectionCommitted)]
    assert committed.rules == ("no-old", "no-any")


def test_a_call_that_ran_despite_the_interrupt_is_reported() -> None:
    agent = pi()
    begun(agent)
    agent.says(*call(*BREAKS, '"}'))
    (abort,) = agent.taken()
    end = {"type": "message_update", "assistantMessageEvent": {"type": "toolcall_end", "contentIndex": 0}}
    result = {"content": [{"type": "text", "text": "written"}]}
    done = {"type": "tool_execution_end", "toolCallId": "c1", "toolName": "write", "result": result, "isError": False}
    agent.says(end, answered("toolUse"), done, answered("aborted"), AGENT_END, response(abort))
    (injected,) = agent.taken()
    assert "it was not cut off" in injected["message"]
    assert agent.seen(CallRanAnyway)


def test_interrupts_of_one_turn_are_limited() -> None:
    texts = {f"r{number}": f"---\ncondition: word{number}x\n---\nDo not.\n" for number in range(12)}
    agent = pi(texts)
    begun(agent)
    for number in range(12):
        agent.says(text_delta(f"word{number}x "))
        sent = agent.taken()
        if number >= 10:
            assert [item["type"] for item in sent] == ["steer"]
            agent.says(response(sent[0]))
            continue
        (abort,) = sent
        agent.says(answered("aborted"), AGENT_END, response(abort))
        (injected,) = agent.taken()
        agent.says(response(injected), user(injected["message"]), ANSWER)
    assert agent.kinds.count("OutputInterrupted") == 10


def test_a_step_without_an_answer_ends_the_run() -> None:
    agent = pi()
    begun(agent)
    agent.says(*call(*BREAKS))
    agent.now += 61_000
    agent.took(agent.controller.tick(agent.now))
    assert agent.controller.failure == "The agent did not answer 'abort' within 60 seconds."
    assert agent.controller.is_over


def test_a_refused_prompt_ends_the_run() -> None:
    agent = pi()
    agent.start()
    agent.says(response(agent.taken()[0]))
    (prompt,) = agent.taken()
    agent.says({**response(prompt), "success": False, "error": "no model"})
    assert agent.controller.failure == "The agent refused prompt: no model"


def test_a_refused_interrupt_is_replaced_by_a_prompt() -> None:
    agent = pi()
    begun(agent)
    agent.says(*call(*BREAKS))
    (abort,) = agent.taken()
    agent.says({**response(abort), "success": False, "error": "busy"})
    assert agent.seen(AgentTrouble)
    (injected,) = agent.taken()
    assert injected["type"] == "prompt"


def test_an_agent_that_ends_during_an_answer_is_a_failure() -> None:
    agent = pi()
    begun(agent)
    agent.took(agent.controller.finish(agent.now))
    assert agent.controller.failure == "The agent ended before it was done."
    assert agent.kinds[-1] == "TurnEnded"


@pytest.mark.parametrize(("sandbox", "declines"), [("dangerFullAccess", True), ("workspaceWrite", False)])
def test_codex_asks_for_approval_of_each_call_only_without_a_sandbox(sandbox: str, declines: bool) -> None:
    agent = codex()
    agent.start()
    agent.says({"id": 1, "result": {}})
    agent.taken()
    thread = {"thread": {"id": "t"}, "sandbox": {"type": sandbox}, "approvalPolicy": "never"}
    agent.says({"id": 2, "result": thread})
    (turn,) = agent.taken()
    assert turn["params"].get("approvalPolicy") == ("untrusted" if declines else None)
    limits = [view.message for view in agent.seen(AgentLimit) if isinstance(view, AgentLimit)]
    # Only this mode has the limit.
    assert ["In the sandbox `workspaceWrite`" in limit for limit in limits] == ([] if declines else [True])
    agent.says({"id": 3, "result": {"turn": {"id": "u"}}})
    agent.says({"method": "turn/started", "params": {"threadId": "t", "turn": {"id": "u"}}})
    item = {"type": "commandExecution", "id": "c", "command": "import deprecated_module", "status": "inProgress"}
    agent.says({"method": "item/started", "params": {"threadId": "t", "turnId": "u", "item": item}})
    (cut,) = agent.taken()
    assert cut["method"] == ("turn/interrupt" if declines else "turn/steer")
    approval = {"threadId": "t", "turnId": "u", "itemId": "c", "command": "x"}
    agent.says({"id": 0, "method": "item/commandExecution/requestApproval", "params": approval})
    assert agent.taken() == [{"id": 0, "result": {"decision": "decline"}}]
    # Another call of the answer does not run either: the turn is taken back, or nobody approved the call.
    agent.says({"id": 1, "method": "item/commandExecution/requestApproval", "params": {**approval, "itemId": "d"}})
    assert agent.taken() == [{"id": 1, "result": {"decision": "decline"}}]
    (interrupted,) = [event for event in agent.log.events if isinstance(event, OutputInterrupted)]
    assert interrupted.interruption.context is (ContextMode.DISCARD if declines else ContextMode.KEEP)


def test_an_unknown_request_of_codex_is_refused() -> None:
    agent = codex()
    agent.start()
    agent.taken()
    agent.says({"id": 7, "method": "item/tool/requestUserInput", "params": {}})
    (refusal,) = agent.taken()
    assert refusal["id"] == 7
    assert "error" in refusal


def test_a_reminder_for_codex_is_sent_as_a_prompt_after_its_turn() -> None:
    agent = codex({"no_push": NO_PUSH})
    agent.start()
    agent.says({"id": 1, "result": {}}, {"id": 2, "result": {"thread": {"id": "t"}}})
    agent.says({"id": 3, "result": {"turn": {"id": "u"}}})
    at = {"threadId": "t", "turnId": "u"}
    agent.says({"method": "turn/started", "params": {**at, "turn": {"id": "u"}}})
    item = {"type": "commandExecution", "id": "c", "command": "git push", "status": "inProgress"}
    agent.taken()
    agent.says({"method": "item/started", "params": {**at, "item": item}})
    agent.says({"method": "item/completed", "params": {**at, "item": {**item, "status": "completed"}}})
    assert not agent.taken()
    agent.says({"method": "turn/completed", "params": {**at, "turn": {"id": "u", "status": "completed"}}})
    (prompt,) = agent.taken()
    assert prompt["method"] == "turn/start"
    assert "Do not push." in prompt["params"]["input"][0]["text"]
    assert not agent.controller.is_over
    agent.says({"id": prompt["id"], "result": {"turn": {"id": "v"}}})
    agent.says({"method": "turn/started", "params": {**at, "turn": {"id": "v"}}})
    agent.says({"method": "item/agentMessage/delta", "params": {**at, "itemId": "m", "delta": "Sorry."}})
    agent.says({"method": "turn/completed", "params": {**at, "turn": {"id": "v", "status": "completed"}}})
    assert agent.controller.is_over
    assert agent.kinds.count("TurnStarted") == agent.kinds.count("TurnEnded") == 1


def test_a_refused_interrupt_after_the_end_of_codexs_turn_is_no_failure() -> None:
    agent = codex()
    agent.start()
    agent.says({"id": 1, "result": {}}, {"id": 2, "result": {"thread": {"id": "t"}}})
    agent.says({"id": 3, "result": {"turn": {"id": "u"}}})
    at = {"threadId": "t", "turnId": "u"}
    agent.says({"method": "turn/started", "params": {**at, "turn": {"id": "u"}}})
    agent.taken()
    agent.says({"method": "item/agentMessage/delta", "params": {**at, "itemId": "m", "delta": "deprecated_module "}})
    (cut,) = agent.taken()
    agent.says({"method": "turn/completed", "params": {**at, "turn": {"id": "u", "status": "completed"}}})
    agent.says({"id": cut["id"], "error": {"message": "no active turn"}})
    (revert,) = agent.taken()
    assert revert["method"] == "thread/revert"
