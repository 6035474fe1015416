"""Rules of pi-ttsr in the commands: found, listed, explained, tried, walked and watched (spec P)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ran, ttsr_ls, write

Capture = pytest.CaptureFixture[str]
SAMPLE = Path(__file__).parents[1] / "samples" / "claude" / "print-partial.jsonl"


def pi(frontmatter: str, body: str = "Say so.") -> str:
    return f"---\n{frontmatter}\n---\n{body}\n"


def tried(capsys: Capture, *args: str) -> dict[str, dict[str, Any]]:
    """The report on each rule that was tried; those that fire have `offset`."""
    report = json.loads(ttsr_ls(capsys, "test", *args, "--json").out)
    return {rule["name"]: rule for rule in (*report["triggered"], *report["notTriggered"])}


def firing(capsys: Capture, *args: str) -> list[str]:
    return [name for name, rule in tried(capsys, *args).items() if "offset" in rule]


def why(capsys: Capture, *args: str) -> dict[str, Any]:
    walk: dict[str, Any] = json.loads(ttsr_ls(capsys, "why", *args, "--json").out)
    return walk


@pytest.mark.parametrize(
    ("frontmatter", "args", "fires"),
    [
        ("trigger: foo", ["a foo"], True),
        ("trigger: foo", ["FOO"], False),
        ("trigger: foo\nflags: i", ["FOO"], True),
        ("trigger: 'a\\sb'", ["a\nb"], False),
        ("trigger: 'a\\sb'\nscope: accumulated", ["a\nb"], True),
        ("trigger: '^b$'", ["a\nb\nc"], True),
        ("trigger: '^b$'\nscope: accumulated", ["a\nb\nc"], False),
        ("trigger: foo\nscope: chunk", ["a foo"], True),
        ("trigger: foo\nscope: chunk", ["a foo", "--chunk", "3"], False),
        ("trigger: foo\nscope: chunk", ["a foo", "--chunk", "2", "--matching", "stable"], True),
        ("trigger: foo\nscope: line", ["a foo", "--chunk", "3"], True),
        ("trigger: 'any$'", ["anything", "--chunk", "3"], True),
        ("trigger: 'any$'", ["anything", "--chunk", "3", "--matching", "stable"], False),
        ("trigger: foo\nmaxFirings: 0", ["foo"], False),
        ("trigger: foo", ["foo", "--source", "thinking"], False),
        ("trigger: foo", ["foo", "--tool", "edit", "--path", "a.ts"], False),
    ],
)
def test_rules_fire_on_a_text_as_in_pi_ttsr(
    frontmatter: str, args: list[str], fires: bool, project: Path, capsys: Capture
) -> None:
    write(project, {".pi/rules/r.md": pi(frontmatter)})
    assert firing(capsys, *args) == (["r"] if fires else [])
    assert firing(capsys, "-r", ".pi/rules/r.md", *args) == (["r"] if fires else [])


def test_json_has_the_matching_of_a_rule_that_differs_from_the_default(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": pi("condition: foo"), ".pi/rules/r.md": pi("trigger: foo")})
    assert {name: rule.get("matching") for name, rule in tried(capsys, "foo").items()} == {"a": None, "r": "reference"}
    assert tried(capsys, "foo", "--matching", "stable")["r"].get("matching") is None


def test_the_first_rule_fires_alone(project: Path, capsys: Capture) -> None:
    write(project, {".pi/rules/a.md": pi("trigger: foo"), ".pi/rules/b.md": pi("trigger: fo")})
    write(project, {"../home/.pi/rules/0.md": pi("trigger: f")})
    rules = tried(capsys, "foo", "--source", "text")
    assert [name for name, rule in rules.items() if "offset" in rule] == ["a"]
    assert [reason for name in ("b", "0") for reason in rules[name]["reasons"]] == [
        "another rule fires first and interrupts the answer"
    ] * 2


@pytest.mark.parametrize(
    ("frontmatter", "args", "answers"),
    [
        ("trigger: foo", ["--answers", "3"], [1]),
        ("trigger: foo\nmaxFirings: 2", ["--answers", "3"], [1, 2]),
        ("trigger: foo\nmaxFirings: 3\ncooldown: 10", ["--answers", "4", "--pause", "5"], [1, 3]),
        ("trigger: foo\nmaxFirings: 9\ncooldown: 10", ["--answers", "4", "--pause", "10"], [1, 2, 3, 4]),
    ],
)
def test_firing_limits_apply_over_several_answers(
    frontmatter: str, args: list[str], answers: list[int], project: Path, capsys: Capture
) -> None:
    write(project, {".pi/rules/r.md": pi(frontmatter)})
    assert [arg["answer"] for arg in tried(capsys, "foo", *args)["r"]["firings"]] == answers
    listed = ", ".join(map(str, answers))
    assert f"on answer {listed} of {args[1]}" in ttsr_ls(capsys, "test", "foo", *args).out


def test_rules_of_oh_my_pi_fire_once_over_several_answers(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/r.md": pi("condition: foo")})
    assert [item["answer"] for item in tried(capsys, "foo", "--answers", "3")["r"]["firings"]] == [1]


def test_rules_of_both_dialects_are_tried_side_by_side(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/r.md": pi("condition: foo"), ".pi/rules/r.md": pi("trigger: foo")})
    out = ttsr_ls(capsys, "test", "foo").out
    assert out.count("fires  r at 3: /foo/") == 2
    assert "2 of 2 rules fire." in out


def test_dialect_selects_the_dialect_of_a_rule_without_a_known_location(project: Path, capsys: Capture) -> None:
    write(
        project, {"draft.md": pi("trigger: foo"), "old.md": pi("ttsr_trigger: foo"), "r.md": pi("trigger: a\nflags: i")}
    )
    assert ttsr_ls(capsys, "test", "-r", "draft.md", "foo").status == 1
    assert firing(capsys, "-r", "draft.md", "--dialect", "pi-ttsr", "foo") == ["draft"]
    assert firing(capsys, "-r", "r.md", "A") == ["r"]
    assert firing(capsys, "-r", "old.md", "--dialect", "omp-legacy", "foo") == ["old"]
    assert ttsr_ls(capsys, "test", "--dialect", "omp-legacy", "foo").status == 2


def test_a_configuration_sets_the_dialect_of_a_rule_folder(project: Path, capsys: Capture) -> None:
    write(project, {"ttsr-ls.toml": 'rule-folders = ["rules"]\ndialect = "omp-legacy"\n'})
    write(project, {"rules/old.md": pi("ttsr_trigger: foo\nscope: thinking"), "rules/b.md": pi("ttsr_trigger: '('")})
    assert firing(capsys, "foo") == ["old"]
    listed = {rule["name"]: rule for rule in json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)}
    assert {name: (rule["dialect"], rule["bucket"]) for name, rule in listed.items()} == {
        "old": ("omp-legacy", "ttsr"),
        "b": ("omp-legacy", "dropped"),
    }
    assert "old ttsr extra (omp-legacy) fires on /foo/ in text" in " ".join(ttsr_ls(capsys, "list").out.split())
    assert "arguments of all tools, as one text" in ttsr_ls(capsys, "explain", "rules/old.md").out
    assert "Skipped: This is not a valid" in ttsr_ls(capsys, "explain", "rules/b.md").out


def test_check_applies_the_checks_of_the_configured_dialect(project: Path, capsys: Capture) -> None:
    write(project, {"rules/a.md": pi("ttsr_trigger: foo"), "rules/b.md": pi("ttsr_trigger: '(?i)foo'")})
    assert ttsr_ls(capsys, "check", "rules").out.count("legacy-key") == 2
    write(project, {"ttsr-ls.toml": 'rule-folders = ["rules"]\ndialect = "omp-legacy"\n'})
    out = ttsr_ls(capsys, "check", "rules").out
    assert "legacy-key" not in out
    assert out.count("rules/b.md:2:16 error regex-does-not-compile") == 1
    assert "rules/a.md" not in out


def test_list_shows_the_status_of_rules_of_pi_ttsr(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".gitignore": ".pi/\n*.md\n",
            ".git/HEAD": "",
            ".omp/config.yml": "disabledProviders: [pi-ttsr]\nttsr:\n  enabled: false\n  disabledRules: [a]\n",
            ".pi/rules/a.md": pi("trigger: foo\nflags: i\nscope: chunk\nmaxFirings: 3\ncooldown: 60"),
            ".pi/rules/b.md": pi("trigger: '('"),
            ".pi/rules/c.md": pi("flags: i"),
            ".pi/rules/d.md": pi("trigger: d\nmaxFirings: 0"),
            "../home/.pi/rules/a.md": pi("trigger: bar\nmaxFirings: many"),
        },
    )
    listed = json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)
    assert [(rule["name"], rule["level"], rule["bucket"], rule["why"]) for rule in listed] == [
        (
            "a",
            "project",
            "ttsr",
            "fires on /foo/i in a chunk of the text, up to 3 times in a session, at least 60 s apart",
        ),
        (
            "b",
            "project",
            "dropped",
            "This is not a valid regular expression, so pi-ttsr cannot load the rule: "
            "This group has no end; close it with ), or write \\( for a literal parenthesis.",
        ),
        ("c", "project", "dropped", "It has no `trigger` that is a text, so pi-ttsr cannot load it."),
        ("d", "project", "dropped", "Its `maxFirings` allows no firing."),
        ("a", "user", "ttsr", "fires on /bar/ in a line of the text, as often as it matches"),
    ]
    watching = json.loads(ttsr_ls(capsys, "list", "--json").out)
    assert [(rule["dialect"], rule["pi"]) for rule in watching] == [
        ("pi-ttsr", {"flags": "i", "scope": "chunk", "maxFirings": 3.0, "cooldown": 60.0}),
        ("pi-ttsr", {"flags": "", "scope": "line", "maxFirings": None, "cooldown": 0.0}),
    ]


def test_rules_of_other_dialects_that_no_text_matches_are_listed_as_never_firing(
    project: Path, capsys: Capture
) -> None:
    write(project, {"ttsr-ls.toml": 'rule-folders = ["rules"]\ndialect = "omp-legacy"\n'})
    write(project, {"rules/old.md": pi("ttsr_trigger: 'x^a'"), ".pi/rules/pi.md": pi("trigger: '$x'")})
    listed = {rule["name"]: rule for rule in json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)}
    assert {name: rule["bucket"] for name, rule in listed.items()} == {"old": "ttsr", "pi": "ttsr"}
    for name, path in (("old", "rules/old.md"), ("pi", ".pi/rules/pi.md")):
        assert listed[name]["why"].startswith("never fires: No text matches this condition, so it never fires.")
        explained = " ".join(ttsr_ls(capsys, "explain", path).out.split())
        assert "Never fires: No text matches this condition" in explained
        assert "Fires once in a session" not in explained
    table = ttsr_ls(capsys, "list").out
    assert table.count("never fires: ") == 2


def test_explain_describes_a_rule_of_pi_ttsr(project: Path, capsys: Capture) -> None:
    write(project, {".pi/rules/a.md": pi("trigger: foo\nflags: i\nscope: chunk", "Say so, do.")})
    out = ttsr_ls(capsys, "explain", ".pi/rules/a.md").out
    for sentence in (
        "A rule of pi-ttsr, which oh-my-pi does not read.",
        "each chunk is tried by itself",
        "Fires once in a session, and interrupts the answer each time.",
        "case does not count",
        "Injects 3 words under the title `[TTSR RULE: a]`",
    ):
        assert sentence in " ".join(out.split())
    write(project, {".pi/rules/a.md": pi("trigger: '('")})
    assert "Never fires: This is not a valid" in " ".join(ttsr_ls(capsys, "explain", ".pi/rules/a.md").out.split())


@pytest.mark.parametrize(
    ("frontmatter", "args", "gate"),
    [
        ("trigger: foo", ["--text", "a foo"], None),
        ("trigger: foo", [], None),
        ("flags: i", [], "has a trigger"),
        ("trigger: '('", [], "has a trigger"),
        ("trigger: foo\nflags: q", [], "has a trigger"),
        ("trigger: foo", ["--source", "thinking"], "in scope"),
        ("trigger: foo", ["--tool", "bash"], "in scope"),
        ("trigger: foo", ["--path", "a.ts"], "in scope"),
        ("trigger: foo\nmaxFirings: 0", [], "may fire again"),
        ("trigger: foo", ["--fired", "3"], "may fire again"),
        ("trigger: foo\nmaxFirings: 2", ["--fired", "3", "--text", "foo"], None),
        ("trigger: foo\nmaxFirings: 2\ncooldown: 9", ["--ago", "8"], "may fire again"),
        ("trigger: foo\nmaxFirings: 2\ncooldown: 9", ["--ago", "9"], None),
        ("trigger: foo\nmaxFirings: 2\ncooldown: 9", ["--fired", "1"], None),
        ("trigger: foo", ["--text", "bar"], "matches"),
        ("trigger: 'a\\sb'", ["--text", "a\nb"], "matches"),
        ("trigger: f", ["--text", "fa"], "comes first"),
    ],
)
def test_why_names_the_gate(
    frontmatter: str, args: list[str], gate: str | None, project: Path, capsys: Capture
) -> None:
    write(project, {".pi/rules/r.md": pi(frontmatter), ".pi/rules/a.md": pi("trigger: fa")})
    assert why(capsys, "r", *args)["stoppedBy"] == gate
    assert why(capsys, ".pi/rules/r.md", *args)["stoppedBy"] == gate


def test_why_explains_rules_of_both_dialects(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/r.md": pi("condition: foo"), ".pi/rules/r.md": pi("trigger: foo")})
    write(project, {"../home/.pi/rules/s.md": pi("trigger: foo"), ".pi/rules/s.md": pi("trigger: foo")})
    walk = why(capsys, "r")
    assert walk["path"] == str(project / ".omp/rules/r.md")
    assert walk["notes"] == ["A rule of pi-ttsr has the same name: `.pi/rules/r.md`. Ask about it by its path."]
    assert len(why(capsys, "s")["notes"]) == 1


def watched(capsys: Capture, *args: str) -> Ran:
    return ttsr_ls(capsys, "watch", "--from", "claude", "--no-log", *args, str(SAMPLE))


def test_watch_matches_rules_of_pi_ttsr_and_oh_my_pi(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/r.md": pi("condition: import deprecated_module")})
    write(project, {".pi/rules/r.md": pi("trigger: import deprecated_module"), ".pi/rules/s.md": pi("trigger: dep")})
    out = watched(capsys).out
    assert "with 3 rules (2 of pi-ttsr)" in out
    assert out.count("r would interrupt text") + out.count("s would interrupt text") == 2
    assert out.count("r would interrupt write of demo.py") == 1


def test_watched_firings_are_limited_in_the_session(project: Path, capsys: Capture) -> None:
    write(project, {".pi/rules/r.md": pi("trigger: '[a-z]'\nmaxFirings: 99")})
    often = watched(capsys).out.count("r would ")
    write(project, {".pi/rules/r.md": pi("trigger: '[a-z]'")})
    assert often > 1
    assert watched(capsys).out.count("r would ") == 1
