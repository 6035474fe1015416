"""The features of a session: those that the project's configuration names, and the judge."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ttsr_ls.bridge.proxy.features.proxy_features import ProxyFeatures
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.errors import TtsrError
from ttsr_ls.features.judge.bounded_judge import BoundedJudge, JudgeLimits
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.features.loading import load_features
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate
from ttsr_ls.store.settings.config_file import ConfigFinder

_NOT_CALLED = ("on_delta", "on_aborted")
"""Hooks that the proxy never calls, because they need an embedded session."""


def session_features(
    cwd: Path,
    home: Path,
    judge: Judge | None,
    rules: ReloadingRules,
    ast_search: AstSearch,
    kind_of: Callable[[str], str],
    report: Callable[[str], None],
    noise_gate: NoiseGate,
    *,
    keeps_content: bool = True,
) -> ProxyFeatures | None:
    """Returns the features of a new session in a folder; None if there are none. `report` is called with each problem.

    Without `keeps_content`, `report` gets no text of a judge. `noise_gate` decides which judged rules are injected.
    """
    features = _configured(cwd, report)
    judge_for = None
    if judge is not None:
        bounded = BoundedJudge(judge, JudgeLimits(), time.monotonic)

        write_line = report if keeps_content else lambda _: report("The judge gave no usable answer.")

        def judge_for(agent: str) -> JudgeFeature:
            of_agent = rules.rules_for(kind_of(agent)).omp
            return JudgeFeature(
                of_agent,
                rules.settings,
                bounded,
                cwd=cwd,
                home=home,
                write_line=write_line,
                ast_search=ast_search,
                noise_gate=noise_gate,
            )

    return ProxyFeatures(features, judge_for, report) if features or judge_for is not None else None


def _configured(cwd: Path, report: Callable[[str], None]) -> list[Feature]:
    try:
        names = ConfigFinder().config_for(cwd).config.features
    except TtsrError as error:
        report(f"No features are loaded: {error}.")
        return []
    features = load_features(names)
    for problem in features.problems:
        report(problem.message)
    kept_features = []
    for feature in features.features:
        needed = [hook for hook in _NOT_CALLED if getattr(type(feature), hook) is not getattr(Feature, hook)]
        if needed:
            report(f"Feature {feature.name} cannot be used behind the proxy: it has {' and '.join(needed)}.")
        else:
            kept_features.append(feature)
    return kept_features
