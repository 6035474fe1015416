"""Shared code of the dialects whose rules have exactly one trigger."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.dialects.dialect_profile import DialectProfile
from ttsr_ls.rules.dialects.pi_trigger import PiTrigger
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import RuleFile


def single_trigger_rule(
    profile: DialectProfile,
    file: RuleFile | PlainFile,
    provider: str,
    condition: Condition,
    scope: Scope,
    description: str | None = None,
    pi: PiTrigger | None = None,
) -> Rule:
    """Returns the rule that fires on one condition."""
    return Rule(
        name=file.name,
        path=file.path,
        provider=provider,
        body=file.body.value,
        description=description,
        conditions=(condition,),
        ast_conditions=(),
        question=None,
        scope=scope,
        globs=(),
        agents=(),
        interrupt_mode=profile.interrupt_mode,
        profile=profile,
        pi=pi,
    )


def single_trigger_registration(
    profile: DialectProfile,
    file: RuleFile | PlainFile,
    provider: str,
    rule: Rule | None,
    problems: Iterable[Problem] = (),
) -> Registration:
    """Returns the registration of a rule file. Its `rule` is None without a valid trigger."""
    return Registration(
        name=file.name,
        path=file.path,
        provider=provider,
        bucket=Bucket.DROPPED if rule is None else Bucket.TTSR,
        fallback=Bucket.DROPPED,
        agents=(),
        has_body=bool(file.body.value),
        rule=rule,
        problems=tuple(problems),
        profile=profile,
    )
