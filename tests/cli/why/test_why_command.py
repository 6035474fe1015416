"""`why`: finds the named rule, walks it through the gates, and reports which one stops it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, type_in, write

Capture = pytest.CaptureFixture[str]
RULE = "---\ncondition: foo\nscope: [text, 'tool:edit(*.ts)']\n---\nSay so.\n"


def stopped_by(capsys: Capture, *args: str) -> str | None:
    ran = ttsr_ls(capsys, "why", *args, "--json")
    answer = json.loads(ran.out)
    gate = answer["stoppedBy"]
    assert ran.status == (0 if gate is None else 1)
    assert gate is None or answer["gates"][-1]["verdict"] == "stops"
    return gate if gate is None else str(gate)


def test_rule_that_could_fire(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE})
    ran = ttsr_ls(capsys, "why", "a")
    assert ran.status == 0
    assert ran.out.splitlines()[0] == "a"
    assert "  ok   found                     `.omp/rules/a.md`: `native`, of the project." in ran.out
    assert ran.out.splitlines()[-1] == "Nothing stops it so far; the open gates depend on facts that were not given."


@pytest.mark.parametrize(
    ("args", "gate"),
    [
        ([], None),
        (["--text", "a foo"], None),
        (["--text", "a bar"], "matches"),
        (["--source", "text", "--text", "foo"], None),
        (["--source", "thinking", "--text", "foo"], "in scope"),
        (["--path", "a.ts", "--text", "foo"], None),
        (["--path", "a.py", "--text", "foo"], "in scope"),
        (["--tool", "write", "--path", "a.ts"], "in scope"),
        (["--agent", "sub"], None),
        (["--fired", "3"], "may fire again"),
        (["--file", "src.ts"], None),
        (["--file", "src.py"], "in scope"),
        (["--file", "src.py", "--source", "text"], "matches"),
    ],
)
def test_the_arguments_decide_the_gate(args: list[str], gate: str | None, project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, "src.ts": "foo\n", "src.py": "bar\n"})
    assert stopped_by(capsys, "a", *args) == gate


@pytest.mark.parametrize("text", ["condition: foo\n", "\n---\ncondition: foo\n---\nSay so.\n"])
def test_unrecognised_frontmatter_is_reported(text: str, project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": text})
    assert "The frontmatter of the file is not recognised" in ttsr_ls(capsys, "why", "a").out


def test_text_from_standard_input(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE})
    type_in(monkeypatch, b"foo")
    assert stopped_by(capsys, "a", "--file", "-") is None


@pytest.mark.parametrize(
    ("files", "gate"),
    [
        ({".omp/rules/a.md": "---\ncondition: foo\nenabled: false\n---\nx\n"}, "enabled"),
        ({".omp/rules/a.md": "---\ncondition: foo\n---\n"}, "has a body"),
        ({".omp/rules/a.md": RULE, ".omp/config.yml": "ttsr:\n  disabledRules: [a]\n"}, "not a disabled rule"),
        ({".omp/rules/a.md": RULE, ".omp/config.yml": "ttsr:\n  enabled: false\n"}, "rules are on"),
        ({".omp/rules/a.md": "---\ncondition: '('\n---\nx\n"}, "has a trigger"),
        ({".omp/rules/a.md": RULE, ".git/HEAD": "", ".gitignore": "a.md\n"}, "found"),
        ({".omp/rules/deep/a.md": RULE}, "found"),
        ({".omp/rules/a.MD": RULE}, "found"),
        ({".claude/rules/a.md": RULE}, "found"),
        ({"../.omp/rules/a.md": RULE}, "found"),
        ({"sub/.omp/rules/a.md": RULE}, "found"),
        ({"../home/.cursor/rules/a.mdc": RULE}, "found"),
        ({}, "found"),
    ],
)
def test_the_state_of_the_file_decides_the_gate(
    files: dict[str, str | bytes], gate: str, project: Path, capsys: Capture
) -> None:
    write(project, files)
    assert stopped_by(capsys, "a") == gate


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({".omp/rules/deep/a.md": RULE}, ".omp/rules/deep/a.md` exists, but it is not loaded. Only files directly"),
        ({"../.omp/rules/a.md": RULE}, "Start it in `{parent}`"),
        ({"../home/.cursor/rules/a.mdc": RULE}, "Add `cursor` to the setting `enabledProviders`"),
        ({".omp/rules/ab.md": RULE}, "`ttsr-ls list --all` shows all rules."),
        ({".omp/rules/a-rule.md": RULE}, "There is no rule `a` here."),
    ],
)
def test_a_missing_rule_is_reported_with_its_possible_cause(
    files: dict[str, str | bytes], message: str, project: Path, capsys: Capture
) -> None:
    write(project, files)
    text = " ".join(ttsr_ls(capsys, "why", "a").out.split())
    assert message.replace("{parent}", str(project.parent)) in text


def test_of_several_files_the_one_in_effect_is_explained_and_the_others_are_listed(
    project: Path, capsys: Capture
) -> None:
    write(
        project,
        {
            ".omp/rules/a.md": "---\nenabled: false\n---\nx\n",
            ".agents/rules/a.md": RULE,
            ".cursor/rules/a.md": RULE,
        },
    )
    answer = json.loads(ttsr_ls(capsys, "why", "a", "--json").out)
    assert answer["path"] == str(project / ".agents/rules/a.md")
    assert answer["notes"] == [
        "`.omp/rules/a.md` has the same name and is not used: switched off by `enabled: false`.",
        "`.cursor/rules/a.md` has the same name and is not used: an earlier file has the same name.",
    ]


def test_why_accepts_the_path_of_a_file(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, ".cursor/rules/a.md": RULE, "elsewhere/a.md": RULE})
    assert stopped_by(capsys, ".omp/rules/a.md") is None
    assert stopped_by(capsys, ".cursor/rules/a.md") == "has its name"
    assert stopped_by(capsys, "elsewhere/a.md") == "found"


def test_rules_of_a_named_folder_are_found(project: Path, capsys: Capture) -> None:
    write(project, {"pack/a.md": RULE})
    assert stopped_by(capsys, "a") == "found"
    assert stopped_by(capsys, "a", "--rules", "pack") is None


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--file", "gone.ts"], "cannot read gone.ts"),
        (["--source", "text", "--path", "a.ts"], "text has no tool and no path"),
        (["--fired", "-1"], "--fired"),
        (["--text", "x", "--file", "y"], "not allowed with"),
    ],
)
def test_invalid_arguments_are_refused(args: list[str], message: str, project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE})
    ran = ttsr_ls(capsys, "why", "a", *args)
    assert ran.status == 2
    assert message in ran.err


def test_a_folder_with_many_files_is_searched_within_bounds(project: Path, capsys: Capture) -> None:
    write(project, {f".omp/rules/deep/{number}.md": RULE for number in range(300)})
    assert stopped_by(capsys, "299") == "found"


@pytest.mark.parametrize(
    ("config", "gate", "text"),
    [
        ("", "found", "`ts-no-any` is built into oh-my-pi and has no file here, so nothing more is known about it."),
        ("disabledProviders: [builtin-defaults]", "found", "The setting `disabledProviders` has `builtin-defaults`"),
        ("disabledExtensions: ['rule:ts-no-any']", "not a disabled extension", "has `rule:ts-no-any`, in `.omp/c"),
        ("ttsr:\n  disabledRules: [ts-no-any]", "not a disabled rule", "has `ts-no-any`, in `.omp/config.yml`, line 2"),
        ("ttsr:\n  builtinRules: false", "not a disabled rule", "`ttsr.builtinRules` is off, in `.omp/config.yml`"),
        ("ttsr:\n  enabled: false", "rules are on", "The setting `ttsr.enabled` is off"),
    ],
)
def test_settings_that_switch_a_built_in_rule_off_are_named(
    config: str, gate: str, text: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/config.yml": f"{config}\n"})
    walk = json.loads(ttsr_ls(capsys, "why", "ts-no-any", "--json").out)
    assert walk["stoppedBy"] == gate
    assert text in walk["gates"][0]["text"]


@pytest.mark.parametrize(
    ("frontmatter", "args", "gate"),
    [
        ("ttsr_trigger: foo", ["--text", "a foo"], None),
        ("ttsr_trigger: foo", ["--tool", "bash", "--text", "foo"], None),
        ("ttsr_trigger: '('", [], "has a trigger"),
        ("condition: foo", [], "has a trigger"),
        ("ttsr_trigger: foo", ["--source", "thinking"], "in scope"),
        ("ttsr_trigger: foo", ["--fired", "3"], "may fire again"),
        ("ttsr_trigger: foo", ["--text", "bar"], "matches"),
    ],
)
def test_rules_before_condition_have_gates_of_their_own(
    frontmatter: str, args: list[str], gate: str | None, project: Path, capsys: Capture
) -> None:
    write(project, {"ttsr-ls.toml": 'rule-folders = ["rules"]\ndialect = "omp-legacy"\n'})
    write(project, {"rules/r.md": f"---\n{frontmatter}\n---\nx\n", "rules/z/.keep": ""})
    for rule in ("r", "rules/r.md"):
        assert json.loads(ttsr_ls(capsys, "why", rule, *args, "--json").out)["stoppedBy"] == gate


def test_a_question_without_a_judge_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": "---\nquestion: Rude?\n---\nx\n", ".omp/config.yml": "ttsr:\n  judge: 'off'\n"})
    assert stopped_by(capsys, "a") == "is judged"


def test_an_unreadable_file_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/big.md": RULE + "x" * 2_000_000})
    for rule in ("big", ".omp/rules/big.md"):
        walk = json.loads(ttsr_ls(capsys, "why", rule, "--json").out)
        assert walk["stoppedBy"] == "found"
        assert walk["gates"][0]["text"].endswith("big.md: it is larger than 1024 KiB.")
    assert ttsr_ls(capsys, "list", "--all").out == "No rule here can be read.\n"


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["--source", "text"], "only what a tool writes to a file is parsed"),
        (["--path", "a.txt"], "files of this kind have no grammar"),
        (["--tool", "bash"], "nothing is parsed without a path that has a file name extension"),
        (["--path", "a.toml"], None),
        (["--path", "a.ts"], None),
        ([], None),
    ],
)
def test_stream_that_is_never_parsed_stops_a_rule_with_ast_conditions_alone(
    args: list[str], text: str | None, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": "---\nastCondition: $A as any\n---\nx\n"})
    write(project, {".omp/rules/b.md": "---\nastCondition: $A as any\ncondition: foo\n---\nx\n"})
    walk = json.loads(ttsr_ls(capsys, "why", "a", *args, "--json").out)
    assert walk["stoppedBy"] == (None if text is None else "matches")
    assert text is None or text in walk["gates"][-1]["text"]
    assert stopped_by(capsys, "b", *args) is None
    # In a language that only oh-my-pi can parse, the result of the AST condition is unknown.
    is_open = args == ["--path", "a.toml"]
    stream = args or ["--source", "text"]
    assert stopped_by(capsys, "b", "--text", "x", *stream) == (None if is_open else "matches")


def test_folders_and_broken_links_are_reported(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/dir.md/.keep": ""})
    (project / ".omp/rules/gone.md").symlink_to("nowhere")
    assert "It is a link that leads nowhere." in ttsr_ls(capsys, "why", ".omp/rules/gone.md").out
    assert "It is a folder, and a rule is a file." in ttsr_ls(capsys, "why", ".omp/rules/dir.md").out
    assert ttsr_ls(capsys, "why", "").status == 2


@pytest.mark.parametrize("stream", [["--tool", "bash"], []])
def test_a_match_in_a_text_that_is_not_the_json_arguments_of_the_tool_stays_open(
    stream: list[str], project: Path, capsys: Capture
) -> None:
    """`^git` matches the command, and not the arguments that an agent streams."""
    write(project, {".omp/rules/a.md": "---\ncondition: '^git'\nscope: tool:bash\n---\nSay so.\n"})
    ran = ttsr_ls(capsys, "why", "a", *stream, "--text", "git push", "--json")
    answer = json.loads(ran.out)
    step = answer["gates"][-1]
    note = 'an agent streams the arguments of bash as a JSON object: write {"command":"git push"}.'
    assert (ran.status, step["gate"], step["verdict"]) == (0, "matches", "open")
    assert step["text"].endswith(note)
    assert ("The text was tried as `call of bash`." in step["text"]) is (not stream)
    assert answer["conclusion"].startswith("Nothing stops it so far")
    silent = json.loads(ttsr_ls(capsys, "why", "a", *stream, "--text", "ls", "--json").out)["gates"][-1]
    assert silent["verdict"] == "stops"
    assert silent["text"].endswith('write {"command":"ls"}.')


def test_json_arguments_of_the_tool_have_no_note(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": "---\ncondition: push\nscope: tool:bash\n---\nSay so.\n"})
    out = ttsr_ls(capsys, "why", "a", "--tool", "bash", "--text", '{"command":"git push"}').out
    assert "JSON object" not in out
    assert out.endswith("It fires.\n")


@pytest.mark.parametrize(
    ("globs", "path", "suffix"),
    [
        ("'!{**/tests/**,*.py}'", "tests/a.py", ".py"),
        ("'src/*.{rs,toml}'", "a.rs", ".rs"),
        ("src", "a.go", ".go"),
        ("src", "Makefile", ""),
    ],
)
def test_advice_on_globs_has_the_suffix_of_the_rule(
    globs: str, path: str, suffix: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": f"---\ncondition: foo\nglobs: {globs}\nscope: tool:edit\n---\nSay so.\n"})
    ran = ttsr_ls(capsys, "why", "a", "--path", path)
    advice = f"`*{suffix}` matches in all folders, `src/*{suffix}` only directly in `src`."
    assert (ran.status, advice in ran.out) == (1, True), ran.out
