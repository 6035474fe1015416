"""`check`: undiscovered rules, and settings files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, type_in, write
from tests.unlistable import refuse_to_list

Capture = pytest.CaptureFixture[str]
RULE = "---\ncondition: foo\n---\nSay so.\n"


def found(capsys: Capture, *args: str) -> list[str]:
    """Place, severity, code of each finding."""
    lines = ttsr_ls(capsys, "check", *args).out.splitlines()
    return [" ".join(line.split()[:3]) for line in lines if line[:1] not in (" ", "")][:-1]


def test_a_git_ignored_rule_is_reported_with_the_ignoring_line(project: Path, capsys: Capture) -> None:
    write(project, {".git/HEAD": "", ".gitignore": "# drafts\n*-draft.md\n", ".omp/rules/a-draft.md": RULE})
    ran = ttsr_ls(capsys, "check", ".omp")
    assert ".omp/rules/a-draft.md:1:1 warning not-discovered" in ran.out
    assert "`*-draft.md` in .gitignore, line 2" in ran.out


def test_the_users_global_ignore_file_causes_no_finding(project: Path, capsys: Capture) -> None:
    write(project, {".git/HEAD": "", "../home/.config/git/ignore": "a.md\n", ".omp/rules/a.md": RULE})
    assert found(capsys, ".omp") == []


def test_an_undiscovered_rule_is_reported_for_every_form_of_its_path(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    write(project, {".omp/rules/deep/a.md": RULE, ".omp/rules/b.MD": RULE})
    assert found(capsys, ".") == [
        ".omp/rules/b.MD:1:1 warning not-discovered",
        ".omp/rules/deep/a.md:1:1 warning not-discovered",
    ]
    monkeypatch.chdir(project / ".omp/rules/deep")
    assert found(capsys, "a.md") == ["a.md:1:1 warning not-discovered"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (".omp/rules/a.md", ".cursor/rules/a.mdc"),
        (".agents/rules/a.md", ".windsurf/rules/a.md"),
        (".cursor/rules/a.mdc", ".clinerules/a.md"),
        (".clinerules/a.md", ".github/instructions/x/a.instructions.md"),
        (".agents/rules/a.md", "../project/.agents/rules/a.mdc"),
    ],
)
def test_rules_of_all_providers_of_a_project_are_compared(
    first: str, second: str, project: Path, capsys: Capture
) -> None:
    write(project, {first: RULE, second: RULE})
    assert "This rule is never loaded: " + first in ttsr_ls(capsys, "check", second.replace("../project/", "")).out
    assert "never loaded" not in ttsr_ls(capsys, "check", first).out


def test_rules_above_the_repository_do_not_belong_to_the_project(project: Path, capsys: Capture) -> None:
    write(
        project, {".git/HEAD": "", "../.agents/rules/a.md": RULE, ".omp/rules/b.md": RULE, ".cursor/rules/a.md": RULE}
    )
    assert found(capsys, ".") == []


def test_project_settings_disable_rules_and_user_settings_do_not(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".omp/config.yml": "ttsr:\n  disabledRules: [a]\n",
            "../home/.omp/agent/config.yml": "ttsr:\n  disabledRules: [b]\n",
            ".omp/rules/a.md": RULE,
            ".omp/rules/b.md": RULE,
        },
    )
    assert found(capsys, ".") == [".omp/rules/a.md:1:1 info switched-off"]
    assert "the setting `ttsr.disabledRules` in .omp/config.yml" in ttsr_ls(capsys, "check", ".").out


def test_files_of_settings_are_checked_with_the_rules(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".omp/config.yml": "ttsr:\n  enabled: off\n",
            ".omp/settings.json": '{"ttsr": {"disableRules": []}}',
            ".omp/config.yaml": "ttsr: {}\n",
            "other/config.yml": "ttsr:\n  enabled: off\n",
            ".claude/settings.json": "{",
        },
    )
    assert found(capsys, ".") == [
        ".omp/config.yaml:1:1 warning not-discovered",
        ".omp/config.yml:2:12 error invalid-setting",
        ".omp/settings.json:1:11 warning unknown-setting",
    ]


def test_a_setting_is_renamed_by_its_fix(project: Path, capsys: Capture) -> None:
    write(project, {".omp/config.yml": "ttsr:\n  disableRules: [a]\n"})
    ttsr_ls(capsys, "check", "--unsafe-fixes", ".omp/config.yml")
    assert (project / ".omp/config.yml").read_text() == "ttsr:\n  disabledRules: [a]\n"


PI = "---\ntrigger: foo\nscope: line\n---\nx\n"


@pytest.mark.parametrize(("folder", "path"), [(".pi/rules", "a.md"), (".pi", "rules/a.md"), (".", ".pi/rules/a.md")])
def test_the_location_decides_the_dialect_in_every_spelling_of_the_path(
    folder: str, path: str, project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {".pi/rules/a.md": PI})
    monkeypatch.chdir(project / folder)
    assert ttsr_ls(capsys, "check", path).out == "No findings in 1 file.\n"
    assert ttsr_ls(capsys, "check", ".").out == "No findings in 1 file.\n"
    type_in(monkeypatch, PI.encode())
    assert ttsr_ls(capsys, "check", "-", "--stdin-name", path).out == "No findings in 1 file.\n"


def test_standard_input_without_a_name_has_no_location(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {".omp/.keep": ""})
    monkeypatch.chdir(project / ".omp")
    type_in(monkeypatch, b"---\ncondition: foo\n---\nx\n")
    assert ttsr_ls(capsys, "check", "-").out == "No findings in 1 file.\n"


def test_plain_text_in_a_rule_folder_is_reported_as_dropped(project: Path, capsys: Capture) -> None:
    write(
        project, {".omp/rules/a.md": "# Be nice\n", ".omp/rules/README.md": "# Rules\n", ".omp/RULES.md": "Be nice\n"}
    )
    out = ttsr_ls(capsys, "check", ".").out
    assert out.count("no-trigger") == 1
    assert ".omp/rules/a.md:1:1 warning no-trigger The file has no frontmatter" in out
    listed = " ".join(ttsr_ls(capsys, "list", "--all").out.split())
    assert " a dropped native it has no frontmatter, and so no condition .omp/rules/a.md" in listed


@pytest.mark.parametrize("folder", [".agent/rules", ".agents/rules", "pkg/.agents/rules"])
@pytest.mark.parametrize(
    "text",
    [
        "# Manager\n\nPlan and delegate.\n",
        "---\ntrigger: always_on\n---\n\n# Project rules\n",
        "---\ntrigger: glob\nglobs: '*.ts'\nactivation: auto\n---\nUse tabs.\n",
        "---\nname: reviewer\nmodel: opus\ntools: [read]\nscope: backend\n---\nReview.\n",
        "",
    ],
)
def test_files_of_other_programs_in_shared_folders_have_no_findings(
    folder: str, text: str, project: Path, capsys: Capture
) -> None:
    write(project, {f"{folder}/a.md": text, ".omp/rules/b.md": RULE})
    assert found(capsys, ".") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\ncondition: []\n---\nSay so.\n", "no-trigger"),
        ("---\nscope: tool:edit(*.ts)\n---\nSay so.\n", "no-trigger"),
        ("---\nconditions: foo\n---\nSay so.\n", "unknown-key"),
        ("---\nCondition: foo\n---\nSay so.\n", "unknown-key"),
        ("---\ninterruptMode: never\n---\nSay so.\n", "no-trigger"),
        ("\n---\ncondition: foo\n---\nSay so.\n", "frontmatter-not-recognised"),
    ],
)
def test_a_key_of_the_dialect_in_a_shared_folder_makes_a_rule(
    text: str, code: str, project: Path, capsys: Capture
) -> None:
    write(project, {".agents/rules/a.md": text})
    assert code in ttsr_ls(capsys, "check", ".").out


@pytest.mark.parametrize("path", [".continue/rules/a.md", ".roo/rules/a.mdc", "pkg/.continue/rules/a.md"])
def test_rules_of_a_program_without_a_dialect_here_have_no_findings(path: str, project: Path, capsys: Capture) -> None:
    # As published for Continue, and for Roo Code.
    write(
        project, {path: "---\nname: testing\nglobs: [src/**]\nalwaysApply: false\n---\n\n---\ndescription: x\n---\nx\n"}
    )
    assert found(capsys, ".") == []


def test_a_trigger_key_in_the_folder_of_another_program_makes_a_rule(project: Path, capsys: Capture) -> None:
    write(project, {".continue/rules/a.md": "---\ncondition: '('\n---\nx\n"})
    assert "regex-does-not-compile" in ttsr_ls(capsys, "check", ".").out


@pytest.mark.parametrize("command", ["check", "test"])
@pytest.mark.parametrize(
    ("args", "name", "shown"),
    [([], "rules", ".omp/rules"), ([], ".omp", ".omp"), (["drafts"], "drafts", "drafts")],
)
def test_an_unreadable_rule_folder_is_an_error(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    command: str,
    args: list[str],
    name: str,
    shown: str,
) -> None:
    write(project, {".omp/rules/a.md": RULE, "drafts/a.md": RULE})
    refuse_to_list(monkeypatch, name)
    ran = ttsr_ls(capsys, command, *args)
    assert f"ttsr-ls: cannot read {shown}: Permission denied\n" in ran.err
    assert ran.status == 2


@pytest.mark.parametrize("command", [["list"], ["scan"], ["list", "--json"]], ids=" ".join)
def test_all_commands_report_an_unreadable_rule_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, command: list[str]
) -> None:
    write(project, {".omp/rules/a.md": RULE})
    refuse_to_list(monkeypatch, "rules")
    ran = ttsr_ls(capsys, *command)
    assert f"ttsr-ls: cannot read {project}/.omp/rules: " in ran.err
    assert ran.status == 2


@pytest.mark.parametrize(
    ("link", "command", "shown"),
    [
        (".omp", "check", ".omp"),
        (".omp/rules", "check", ".omp/rules"),
        ("packages/a/.omp/rules", "check", "packages/a/.omp/rules"),
        (".omp", "list", "{project}/.omp/rules"),
        (".omp/rules", "list", "{project}/.omp/rules"),
        (".omp/rules", "scan", "{project}/.omp/rules"),
    ],
)
def test_a_broken_link_as_a_rule_folder_is_an_error(
    link: str, command: str, shown: str, project: Path, capsys: Capture
) -> None:
    path = project / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to("gone")
    (project / "other").symlink_to("gone")
    ran = ttsr_ls(capsys, command)
    assert [line for line in ran.err.splitlines() if "cannot read" in line] == [
        f"ttsr-ls: cannot read {shown.format(project=project)}: No such file or directory"
    ]
    assert ran.status == 2


def test_an_unreadable_folder_without_rules_is_no_error(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": RULE, "database/data/x": ""})
    refuse_to_list(monkeypatch, "data")
    ran = ttsr_ls(capsys, "check", "--select", "unknown-key")
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.parametrize(
    "keys",
    ["title: no-foo\nrule_type: problem", "id: a\nversion: 1.0.0\nsummary: Layers", "name: a\ndescription: b"],
)
def test_documents_of_other_programs_in_folders_called_rules_are_no_rules(
    keys: str, project: Path, capsys: Capture
) -> None:
    """ESLint's documentation has hundreds of them."""
    write(project, {"docs/rules/no-foo.md": f"---\n{keys}\n---\n\n# no-foo\n", ".omp/rules/a.md": RULE})
    assert ttsr_ls(capsys, "check", ".").out == "No findings in 1 file.\n"
    # In a named folder, each file with frontmatter is a rule.
    assert found(capsys, "docs/rules") != []


@pytest.mark.parametrize(
    "keys",
    ["regex: foo", "Conditions: foo", "globs: '*.ts'", "always-apply: yes", "scope: tool:edit(*.ts)", "match:\n  all:"],
)
def test_a_file_with_a_rule_key_in_a_folder_called_rules_is_checked(keys: str, project: Path, capsys: Capture) -> None:
    write(project, {"pack/rules/a.md": f"---\n{keys}\n---\nSay so.\n"})
    assert "1 of 1 file." in ttsr_ls(capsys, "check", ".").out


def test_a_file_with_cursors_suffix_in_a_folder_called_rules_is_a_rule(project: Path, capsys: Capture) -> None:
    """Collections for Cursor have hundreds of such files, with globs that YAML alone would reject."""
    texts = ("title: foo", "description: d\nglobs: **/*.ts, **/*.tsx\nalwaysApply: false")
    write(project, {f"rules/{number}.mdc": f"---\n{text}\n---\nSay so.\n" for number, text in enumerate(texts)})
    assert ttsr_ls(capsys, "check", ".").out == "No findings in 2 files.\n"


def test_documents_with_frontmatter_beside_the_rules_of_a_project_are_no_rules(project: Path, capsys: Capture) -> None:
    """The site generators, the skills, and the cards of models: `check` runs in the project by default."""
    document = "---\ntitle: App\nlayout: home\ncolors:\n  primary: red\n---\nText.\n"
    write(project, {"README.md": document, "b.md": "---\nregexp: foo\n---\nSay so.\n", ".omp/rules/a.md": RULE})
    for names in ([], ["."], [str(project)]):
        assert [Path(line.split(":")[0]).name for line in found(capsys, *names)] == ["b.md"]
