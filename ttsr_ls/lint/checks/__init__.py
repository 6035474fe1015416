"""The checks, one module for each subject. A check is a pure function from a rule file to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttsr_ls.lint.checks.ast.conditions import check_ast_conditions
from ttsr_ls.lint.checks.content.content_escapes import check_content_escapes
from ttsr_ls.lint.checks.content.examples import check_examples
from ttsr_ls.lint.checks.content.json_form import check_json_form
from ttsr_ls.lint.checks.content.own_advice import check_alternative, check_own_advice
from ttsr_ls.lint.checks.content.own_words import check_own_words
from ttsr_ls.lint.checks.content.paths_in_content import check_paths_in_content
from ttsr_ls.lint.checks.file.discovery import check_builtin, check_placement, check_switched_off
from ttsr_ls.lint.checks.file.empty_values import check_empty_values
from ttsr_ls.lint.checks.file.encoding import check_encoding
from ttsr_ls.lint.checks.file.key_in_body import check_key_in_body
from ttsr_ls.lint.checks.file.names import check_names
from ttsr_ls.lint.checks.file.questions import check_questions
from ttsr_ls.lint.checks.file.repeated import check_legacy_key, check_repeated
from ttsr_ls.lint.checks.file.trimmed_blanks import check_trimmed_blanks
from ttsr_ls.lint.checks.file.untouched_template import check_untouched_template
from ttsr_ls.lint.checks.regex.assertions.anchors import check_anchors
from ttsr_ls.lint.checks.regex.assertions.boundaries import check_boundaries
from ttsr_ls.lint.checks.regex.assertions.look_alternatives import check_look_alternatives
from ttsr_ls.lint.checks.regex.assertions.lookarounds import check_lookarounds
from ttsr_ls.lint.checks.regex.backtracking import check_backtracking
from ttsr_ls.lint.checks.regex.beyond_ascii import check_beyond_ascii
from ttsr_ls.lint.checks.regex.breadth import check_breadth
from ttsr_ls.lint.checks.regex.characters import check_characters
from ttsr_ls.lint.checks.regex.class_members import check_class_members
from ttsr_ls.lint.checks.regex.empty_groups import check_empty_groups
from ttsr_ls.lint.checks.regex.end_sensitive import check_end_sensitive
from ttsr_ls.lint.checks.regex.foreign_syntax import check_foreign_syntax
from ttsr_ls.lint.checks.regex.never_matches import check_never_matches
from ttsr_ls.lint.checks.regex.repeats import check_repeats
from ttsr_ls.lint.checks.regex.separated import check_separated
from ttsr_ls.lint.checks.regex.subsumed import check_subsumed
from ttsr_ls.lint.checks.regex.unexamined import check_unexamined
from ttsr_ls.lint.checks.scope.agent_names import check_agent_names
from ttsr_ls.lint.checks.scope.glob_choice import check_glob_pairs, check_negation
from ttsr_ls.lint.checks.scope.glob_forms import check_glob_forms
from ttsr_ls.lint.checks.scope.idle_fields import check_always_apply, check_thinking
from ttsr_ls.lint.checks.scope.misspelt_folders import check_misspelt_folders
from ttsr_ls.lint.checks.scope.reach import check_globs, check_interruption, check_trigger
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

Check = Callable[[RuleFile, Registration, LintContext], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_encoding,
    check_placement,
    check_names,
    check_builtin,
    check_switched_off,
    check_legacy_key,
    check_repeated,
    check_empty_values,
    check_breadth,
    check_end_sensitive,
    check_never_matches,
    check_json_form,
    check_paths_in_content,
    check_content_escapes,
    check_anchors,
    check_foreign_syntax,
    check_characters,
    check_beyond_ascii,
    check_boundaries,
    check_trimmed_blanks,
    check_lookarounds,
    check_look_alternatives,
    check_separated,
    check_empty_groups,
    check_class_members,
    check_repeats,
    check_subsumed,
    check_backtracking,
    check_unexamined,
    check_ast_conditions,
    check_globs,
    check_interruption,
    check_glob_pairs,
    check_glob_forms,
    check_misspelt_folders,
    check_negation,
    check_agent_names,
    check_questions,
    check_thinking,
    check_always_apply,
    check_key_in_body,
    check_untouched_template,
    check_own_words,
    check_own_advice,
    check_examples,
    check_alternative,
    check_trigger,
)
