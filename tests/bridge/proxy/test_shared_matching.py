"""The sessions behind a proxy share their automata, and each gets changed rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.built_automata import notice_builds
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import ProxyNotice
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace

NOTICES: list[ProxyNotice] = []


@pytest.fixture
def sessions(shop: Path) -> Iterator[ProxySessions]:
    opened = ProxySessions(ProxyWorkspace("claude", shop), ProxyLimits(), NOTICES.append, 0.0)
    yield opened
    opened.close()


def rules_of(sessions: ProxySessions, session: str) -> set[str]:
    return {rule.name for rule in sessions.get_or_open(session, 1_000).session.rules}


def test_all_sessions_of_a_proxy_build_one_automaton(sessions: ProxySessions, monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    for number in range(10):
        sessions.get_or_open(f"s{number}", 1_000)
    assert len(builds) == 1


def test_changed_rules_reach_each_session(sessions: ProxySessions, shop: Path) -> None:
    before = [rules_of(sessions, session) for session in ("a", "b")]
    (shop / ".omp" / "rules" / "no-new.md").write_text("---\ncondition: newest_module\n---\nUse another.\n")
    after = [rules_of(sessions, session) for session in ("a", "b", "c")]
    assert before[0] == before[1]
    assert after == [before[0] | {"no-new"}] * 3


def test_all_sessions_match_in_threads_once_one_has_ast_conditions(sessions: ProxySessions, shop: Path) -> None:
    first = sessions.get_or_open("a", 1_000)
    assert not first.needs_thread
    (shop / ".omp" / "rules" / "ast.md").write_text("---\nastCondition: foo($A)\n---\nUse another.\n")
    second = sessions.get_or_open("b", 1_000)
    assert second.needs_thread
    # Its own rules are still the old ones; what it shares with the other session is used in threads now.
    assert not any(rule.ast_conditions for rule in first.session.rules)
    assert first.needs_thread
    assert first.match(lambda: 3) == 3
