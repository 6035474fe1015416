"""The formats of `check` for other programs: SARIF, GitHub's annotations, JUnit; and `--output`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.command import ttsr_ls, write
from tests.cli.report_schemas import assert_gitlab, assert_junit, assert_sarif
from tests.lint.finding_page import parse_page
from ttsr_ls import __version__
from ttsr_ls.lint.catalogue import CATALOGUE

Capture = pytest.CaptureFixture[str]

GOOD = "---\ncondition: foo\n---\nSay so.\n"
EMOJI = "---\ncondition: ['😀', '😀', '(']\n---\nSay so.\n"
ABOUT = "---\ncondition: foo|\nname: x\nscope: text, |\n---\nSay so.\n"


def sarif(capsys: Capture, *args: str) -> dict[str, Any]:
    log = json.loads(ttsr_ls(capsys, "check", *args, "--format", "sarif").out)
    assert log["version"] == "2.1.0"
    assert_sarif(log)
    assert log["$schema"].endswith("/sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    return run


def test_sarif_names_the_tool_and_describes_the_rules_that_were_broken(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": EMOJI})
    driver = sarif(capsys, "a.md")["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("ttsr-ls", __version__)
    assert driver["informationUri"].startswith("https://")
    rules = {rule["id"]: rule for rule in driver["rules"]}
    assert list(rules) == ["redundant-condition", "regex-does-not-compile"]
    assert rules["redundant-condition"]["defaultConfiguration"] == {"level": "warning"}
    assert rules["redundant-condition"]["help"]["markdown"].startswith("# redundant-condition\n")
    assert rules["redundant-condition"]["shortDescription"] == {"text": "A condition is given more than once."}


def test_sarif_results_have_places_in_utf16_from_1(project: Path, capsys: Capture) -> None:
    write(project, {"dir with blank/a.md": EMOJI})
    run = sarif(capsys, "dir with blank/a.md")
    assert run["columnKind"] == "utf16CodeUnits"
    by_rule = {result["ruleId"]: result for result in run["results"]}
    broken = by_rule["regex-does-not-compile"]
    assert (broken["level"], broken["ruleIndex"]) == ("error", 1)
    (location,) = broken["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "dir%20with%20blank/a.md"},
        "region": {"startLine": 2, "startColumn": 26, "endLine": 2, "endColumn": 27},
    }
    repeated = by_rule["redundant-condition"]
    assert repeated["relatedLocations"][0]["physicalLocation"]["region"]["startColumn"] == 13
    (change,) = repeated["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": {"startLine": 2, "startColumn": 17, "endLine": 2, "endColumn": 23}}
    ]


def test_sarif_fingerprints_survive_moved_lines(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": EMOJI, "b.md": EMOJI.replace("---\nc", "---\ndescription: more\nc")})
    first, second = (
        [result["partialFingerprints"] for result in sarif(capsys, name)["results"]] for name in ("a.md", "b.md")
    )
    assert first == second
    assert len({tuple(item.items()) for item in first}) == len(first)


def test_sarif_is_consistent(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": ABOUT, "b.md": GOOD, "c.md": b"---\n\0"})
    run = sarif(capsys, "a.md", "b.md", "c.md")
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids
    assert set(ids) <= {entry.code for entry in CATALOGUE}
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        assert list(result["partialFingerprints"])
        region = result["locations"][0]["physicalLocation"]["region"]
        assert all(isinstance(number, int) and number >= 1 for number in region.values())
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "cannot check c.md: it is a binary file"


def test_sarif_of_every_page_is_consistent(project: Path, capsys: Capture) -> None:
    for entry in CATALOGUE:
        write(
            project,
            {
                f"{entry.code}/{example.path.replace('~', 'home')}": example.text
                for example in parse_page(entry.page).bad
            },
        )
    run = sarif(capsys, ".")
    assert len(run["results"]) > 80
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        changes = [change for fix in result.get("fixes", []) for change in fix["artifactChanges"]]
        assert all(change["replacements"] for change in changes)
        regions = [replacement["deletedRegion"] for change in changes for replacement in change["replacements"]]
        for region in [result["locations"][0]["physicalLocation"]["region"], *regions]:
            start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
            assert (1, 1) <= start <= end
    names = [
        (result["ruleId"], str(result["partialFingerprints"]), str(result["locations"])) for result in run["results"]
    ]
    assert len(names) == len(set(names))


def test_sarif_of_nothing(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": GOOD})
    run = sarif(capsys, "a.md")
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_has_absolute_paths_as_files(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": ABOUT})
    (result, *_) = sarif(capsys, str(project / "a.md"))["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == (project / "a.md").as_uri()


def test_github_annotations(project: Path, capsys: Capture) -> None:
    write(project, {"a,b:c%.md": ABOUT})
    lines = ttsr_ls(capsys, "check", "a,b:c%.md", "--format", "github").out.splitlines()
    assert all(re.fullmatch(r"::(error|warning|notice) [^:]+::[^\r\n]+", line) for line in lines)
    assert lines[0].startswith(
        "::error file=a%2Cb%3Ac%25.md,line=2,endLine=2,col=12,endColumn=15,title=matches-everything::This condition "
    )
    assert lines[1].startswith("::notice file=a%2Cb%3Ac%25.md,line=3,endLine=3,col=1,endColumn=4,title=inert-name::")


def test_github_annotations_of_several_lines_have_no_columns(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": "---\ncondition: >-\n  foo bar\n  baz qux|\n---\nSay so.\n"})
    (line,) = ttsr_ls(capsys, "check", "a.md", "--format", "github").out.splitlines()
    assert "file=a.md,line=2,endLine=4,title=matches-everything::" in line


def test_an_unreadable_file_has_a_github_annotation(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": b"\0"})
    assert ttsr_ls(capsys, "check", "a.md", "--format", "github").out == (
        "::error file=a.md::cannot check a.md: it is a binary file\n"
    )


def test_junit(project: Path, capsys: Capture) -> None:
    write(project, {"a&b.md": "---\ncondition: '<a>|\x1b\"'\n---\nx\n", "b.md": GOOD, "c.md": b"\0", "d.md": ABOUT})
    out = ttsr_ls(capsys, "check", "a&b.md", "b.md", "c.md", "d.md", "--format", "junit").out
    assert_junit(out)
    (suite,) = ElementTree.fromstring(out)
    cases = {(case.get("classname"), case.get("name")): case for case in suite}
    assert int(suite.get("tests") or 0) == len(list(suite))
    assert suite.get("errors") == "0"
    assert int(suite.get("failures") or 0) == len(suite.findall("./testcase/failure"))
    assert list(cases[("b.md", "check")]) == []
    failure = cases[("d.md", "matches-everything at 2:12")].find("failure")
    assert failure is not None
    assert failure.get("type") == "error"
    assert (failure.text or "").startswith("d.md:2:12 error matches-everything This condition")
    unread = cases[("c.md", "check")].find("failure")
    assert unread is not None
    assert (unread.get("type"), unread.get("message")) == ("unreadable", "cannot check c.md: it is a binary file")


def test_gitlab(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": EMOJI, "sub/b.md": EMOJI, "c.md": b"\0"})
    issues = json.loads(ttsr_ls(capsys, "check", "a.md", "./sub/b.md", "c.md", "--format", "gitlab").out)
    assert_gitlab(issues)
    by_place = {(issue["location"]["path"], issue["check_name"]): issue for issue in issues}
    broken = by_place["sub/b.md", "regex-does-not-compile"]
    assert broken["severity"] == "critical"
    assert broken["location"]["lines"] == {"begin": 2, "end": 2}
    assert broken["location"]["positions"]["begin"] == {"line": 2, "column": 24}
    assert by_place["c.md", "unreadable"]["severity"] == "blocker"


def test_concise_and_json_lines_are_one_line_a_finding(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": ABOUT})
    whole = json.loads(ttsr_ls(capsys, "check", "a.md", "--format", "json").out)
    lines = ttsr_ls(capsys, "check", "a.md", "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == whole
    concise = ttsr_ls(capsys, "check", "a.md", "--format", "concise").out.splitlines()
    assert len(concise) == len(whole)
    assert concise[0].startswith("a.md:2:12-2:16: error: matches-everything: This condition ")


def test_output_goes_to_a_file(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": ABOUT})
    ran = ttsr_ls(capsys, "check", "a.md", "--format", "json", "--output", "out.json")
    assert (ran.status, ran.out) == (1, "")
    assert json.loads((project / "out.json").read_text())[0]["code"] == "matches-everything"


def test_an_unwritable_output_file_is_an_error(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": ABOUT})
    ran = ttsr_ls(capsys, "check", "a.md", "--output", "no/out.txt")
    assert (ran.status, ran.err) == (2, "ttsr-ls: cannot write no/out.txt: No such file or directory\n")


@pytest.mark.parametrize(
    ("fail_on", "statuses"),
    [("error", [1, 0, 0]), ("warning", [1, 1, 0]), ("info", [1, 1, 1]), ("hint", [1, 1, 1])],
)
def test_fail_on_sets_the_severity_that_makes_the_status_1(
    fail_on: str, statuses: list[int], project: Path, capsys: Capture
) -> None:
    write(
        project,
        {
            "error.md": GOOD.replace("foo", "foo|"),
            "warning.md": GOOD.replace("foo", "[foo, foo]"),
            "info.md": GOOD.replace("foo", "foo\nname: x"),
        },
    )
    names = ("error.md", "warning.md", "info.md")
    assert [ttsr_ls(capsys, "check", name, "--fail-on", fail_on).status for name in names] == statuses
    assert ttsr_ls(capsys, "check", "info.md").status == 0
