"""Formats the notices of the proxy, one line each, and the summary at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ttsr_ls.bridge.proxy.coverage import Coverage, CoverageCount
from ttsr_ls.bridge.proxy.proxy_notices import (
    AnswerEndedEarly,
    AnswerRetried,
    CallsAnswered,
    FollowUpAdded,
    ProtectionFailed,
    ProxyNotice,
    ProxyRulesReplaced,
    ReminderAdded,
)
from ttsr_ls.cli.printing.counting import count as counted
from ttsr_ls.rules.rule import Rule


def notice_text(notice: ProxyNotice) -> str:
    """Returns the line for a notice."""
    match notice:
        case AnswerRetried():
            return f"{', '.join(notice.rules)} interrupted the answer{_shown(notice.excerpt)}; the model answers again"
        case AnswerEndedEarly():
            return f"{', '.join(notice.rules)} ended the answer{_shown(notice.excerpt)}; a reminder follows"
        case ReminderAdded(is_degraded=True):
            return f"{', '.join(notice.rules)} fired again and only reminds now: the limit of retries is reached"
        case ReminderAdded():
            return f"the model is reminded of {', '.join(notice.rules)}"
        case CallsAnswered(denied=()):
            return f"features answered the calls of {', '.join(notice.tools)}"
        case CallsAnswered():
            return f"features did not let {', '.join(notice.denied)} run"
        case FollowUpAdded(rules=()):
            return "a feature made the model continue"
        case FollowUpAdded():
            return f"the judge found that the answer breaks {', '.join(notice.rules)}; the model gets a reminder"
        case ProtectionFailed():
            return notice.reason
        case ProxyRulesReplaced():
            return notice.text
    assert_never(notice)


def enforced_rules(rules: Sequence[Rule], *, has_judge: bool = False) -> tuple[list[Rule], str]:
    """Returns the rules that the proxy enforces, and phrases about those that it does not."""
    kept_rules = [rule for rule in rules if has_judge or rule.question is None]
    judged_count = len(rules) - len(kept_rules)
    return (
        kept_rules,
        f"; not enforced: {counted(judged_count, 'rule')} with a question for a judge (--judge names one)"
        if judged_count
        else "",
    )


def unprotected_notice(agent: str) -> str:
    """Returns the sentence for a run without rules, without its full stop."""
    return f"no rules are in force here, so {agent} runs without protection; `ttsr-ls list` shows why"


def summary_text(count: CoverageCount) -> str:
    """Returns the summary of a run."""
    requests = count.requests
    parts = [f"{counted(count.answers, 'answer')} inspected"]
    interrupted = count.retries + count.ended_early
    other_count = count.reminders + count.follow_ups + count.suppressed
    none = "none interrupted" if other_count else "none broke a rule"
    parts.append(f"{interrupted} interrupted" if interrupted else none)
    if count.reminders:
        parts.append(counted(count.reminders, "reminder"))
    if count.answered_calls:
        parts.append(f"{counted(count.answered_calls, 'call')} answered by features")
    if count.follow_ups:
        parts.append(counted(count.follow_ups, "follow-up"))
    if count.suppressed:
        parts.append(counted(count.suppressed, "suppressed trigger"))
    if requests[Coverage.UNPARSED]:
        parts.append(f"{counted(requests[Coverage.UNPARSED], 'request')} NOT inspected ({', '.join(count.unparsed)})")
    if count.unread_events:
        parts.append(f"{counted(count.unread_events, 'event')} not read")
    return ", ".join(parts)


def _shown(excerpt: str) -> str:
    short = " ".join(excerpt.split())
    if not short:
        return ""
    return f" at `{short if len(short) <= 60 else '…' + short[-59:]}`"
