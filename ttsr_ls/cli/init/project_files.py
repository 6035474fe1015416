"""The files that `init` writes: a rule with its test, and settings of editors, pre-commit, and CI."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.syntax.dialects.locations import PROJECT_RULES

RULES = PROJECT_RULES.path

RULE = r"""---
description: Code is written out in full.
condition: '(?i)(?:#|//|\*)\s*\.\.\. ?(?:the )?(?:rest|remaining|existing|unchanged)\b'
globs: '*.{c,cc,cpp,cs,go,java,js,jsx,kt,php,py,rb,rs,swift,ts,tsx}'
scope: tool:edit, tool:write
---
Write the code out in full. A comment that stands for omitted code deletes that code from the file.
"""

RULE_TEST = """\
# Run these cases: ttsr-ls test
defaults: {path: src/cart.ts}
valid:                    # the rule stays silent
  - 'return items.length;'
  - name: an ellipsis in code
    text: 'call(...rest);'
invalid:                  # the rule fires
  - '// ... rest of the code'
  - name: in another language
    path: src/cart.py
    text: |
      def total(items):
          # ... existing code
    line: 2
"""

PRE_COMMIT = f"""\
repos:
  - repo: local
    hooks:
      - id: ttsr-ls-check
        name: check the rules of agents
        entry: ttsr-ls check {RULES}
        language: system
        files: ^{RULES.replace(".", chr(92) + ".")}/
        pass_filenames: false
      - id: ttsr-ls-test
        name: test the rules of agents
        entry: ttsr-ls test {RULES}
        language: system
        files: ^{RULES.replace(".", chr(92) + ".")}/
        pass_filenames: false
      - id: ttsr-ls-scan
        name: apply the rules of agents to staged lines
        entry: ttsr-ls scan --staged --format concise
        language: system
        pass_filenames: false
"""

VSCODE_SCHEMA = ".vscode/ttsr-rule-test.schema.json"


class ProjectFile(Struct, frozen=True):
    """A file to write: its path in the project, its text, and its purpose in a few words."""

    path: str
    text: str
    purpose: str


def rule_files(_: str) -> tuple[ProjectFile, ...]:
    """A rule and its test."""
    return (
        ProjectFile(f"{RULES}/no-omitted-code.md", RULE, "a rule"),
        ProjectFile(f"{RULES}/no-omitted-code.test.yml", RULE_TEST, "its test"),
    )


def vscode_files(_: str) -> tuple[ProjectFile, ...]:
    """Completion in test files, by the YAML extension."""
    from ttsr_ls.rule_tests.schema import case_file_schema

    settings = {"yaml.schemas": {f"./{VSCODE_SCHEMA}": [f"{RULES}/*.test.yml"]}}
    return (
        ProjectFile(".vscode/settings.json", _json(settings), "VS Code completes in test files of rules"),
        ProjectFile(VSCODE_SCHEMA, _json(case_file_schema()), "the schema of these files"),
    )


def pre_commit_files(_: str) -> tuple[ProjectFile, ...]:
    """Hooks that run before each commit."""
    return (ProjectFile(".pre-commit-config.yaml", PRE_COMMIT, "hooks for pre-commit"),)


def github_files(requirement: str) -> tuple[ProjectFile, ...]:
    """A workflow of GitHub Actions."""
    text = f"""\
name: Rules of agents
on: [push, pull_request]
permissions:
  contents: read
jobs:
  rules:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - run: pip install "{requirement}"
      - run: ttsr-ls check {RULES} --format github
      - run: ttsr-ls test {RULES}
      - if: github.event_name == 'pull_request'
        run: ttsr-ls scan --diff "origin/$GITHUB_BASE_REF" --format github
"""
    return (ProjectFile(".github/workflows/agent-rules.yml", text, "CI in GitHub Actions"),)


def gitlab_files(requirement: str) -> tuple[ProjectFile, ...]:
    """A job of GitLab CI."""
    text = f"""\
agent-rules:
  image: python:3.13
  script:
    - pip install "{requirement}"
    - ttsr-ls check {RULES} --format gitlab --output rules.json
    - ttsr-ls test {RULES} --format junit --output rules.xml
  artifacts:
    when: always
    reports: {{codequality: rules.json, junit: rules.xml}}
"""
    return (ProjectFile(".gitlab-ci.yml", text, "CI in GitLab"),)


PARTS: dict[str, Callable[[str], tuple[ProjectFile, ...]]] = {
    "rule": rule_files,
    "vscode": vscode_files,
    "pre-commit": pre_commit_files,
    "github": github_files,
    "gitlab": gitlab_files,
}
"""The functions that create the files of each part. Each takes the requirement by which pip installs ttsr-ls."""
CI_PARTS = ("github", "gitlab")
"""The parts whose files contain the requirement."""
REQUIREMENT_MARK = "\0"
"""A placeholder for the requirement, which no file contains otherwise."""


def default_requirement() -> str:
    """The requirement of the running version; if it was installed from git, the commit."""
    source = _source()
    commit = source.get("vcs_info", {})
    if commit.get("vcs") == "git" and "commit_id" in commit:
        return f"ttsr-ls @ git+{source['url']}@{commit['commit_id']}"
    return f"ttsr-ls=={__version__}"


def checkout() -> str | None:
    """The local folder that this program was installed from; None if it was installed from elsewhere."""
    source = _source()
    return unquote(source["url"].removeprefix("file://")) if "dir_info" in source else None


def _source() -> dict[str, Any]:
    """Returns where pip installed this program from (PEP 610); empty for a package index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        written = distribution("ttsr-ls").read_text("direct_url.json")
    except PackageNotFoundError:
        written = None
    found = json.loads(written) if written else {}
    return found if isinstance(found, dict) else {}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
