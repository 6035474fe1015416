"""Rule tests in editors: `ttsr/ruleTests` lists and runs them, and test files have live findings."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.talk import Starter, Talk, codes, place, plain

RULE = "---\ncondition: 'as any'\nscope: tool:edit(*.ts)\n---\nno\n\n```ts ttsr:fires\nx as any;\n```\n"
TESTS = "valid:\n  - const x = 1\n  - const y = z as any\ninvalid:\n  - text: x as any\n    line: 2\n"


async def asked(talk: Talk, **params: Any) -> Any:
    return plain(await talk.client.protocol.send_request_async("ttsr/ruleTests", params))


async def test_the_tests_of_all_rules_are_listed_with_their_positions(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text(RULE)
    (vscode.rules / "a.test.yml").write_text(TESTS)
    (vscode.rules / "untested.md").write_text("---\ncondition: x\n---\nno\n")
    (rule,) = (await asked(vscode))["rules"]
    assert (rule["name"], rule["reason"]) == ("a", None)
    listed = [(case["id"], case["uri"].rsplit("/", 1)[1], case["range"]["start"]["line"]) for case in rule["cases"]]
    assert listed == [
        ("file valid 1", "a.test.yml", 1),
        ("file valid 2", "a.test.yml", 2),
        ("file invalid 1", "a.test.yml", 4),
        ("body invalid 1", "a.md", 6),
    ]
    assert "status" not in rule["cases"][0]


async def test_test_files_without_a_rule_are_listed_with_the_reason(vscode: Talk) -> None:
    (vscode.rules / "gone.test.yml").write_text(TESTS)
    (vscode.folder / "other.test.yml").write_text(TESTS)
    for run in (False, True):
        (rule,) = (await asked(vscode, run=run))["rules"]
        assert (rule["name"], rule["uri"], rule["testUri"]) == ("gone", None, vscode.uri("gone.test.yml"))
        assert rule["reason"] == "there is no rule file gone.md beside gone.test.yml"
        assert len(rule["cases"]) == 3


async def test_tests_of_packages_and_of_open_rules_elsewhere_are_listed(vscode: Talk) -> None:
    library, package = vscode.folder / "library", vscode.folder / "packages" / "api" / ".omp" / "rules"
    for folder, name in ((library, "open"), (library, "closed"), (package, "nested")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(RULE)
        (folder / f"{name}.test.yml").write_text(TESTS)
    (library / "readme.md").write_text("# No rule\n")
    (library / "lonely.test.yml").write_text(TESTS)
    assert [rule["name"] for rule in (await asked(vscode))["rules"]] == ["nested"]
    for name in ("open.md", "open.test.yml", "readme.md", "lonely.test.yml"):
        vscode.open(str(library / name), (library / name).read_text())
    assert [rule["name"] for rule in (await asked(vscode))["rules"]] == ["nested", "open"]


async def test_a_deleted_rule_that_is_still_open_has_no_tests(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text(RULE)
    uri = vscode.open("a.md", RULE)
    assert [rule["name"] for rule in (await asked(vscode))["rules"]] == ["a"]
    (vscode.rules / "a.md").unlink()
    for params in ({}, {"uris": [uri]}):
        assert (await asked(vscode, **params))["rules"] == []


async def test_a_run_explains_each_failed_test(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text(RULE)
    (vscode.rules / "a.test.yml").write_text(TESTS)
    for uri in (vscode.uri("a.md"), vscode.uri("a.test.yml")):
        (rule,) = (await asked(vscode, uris=[uri], run=True))["rules"]
        assert [case["status"] for case in rule["cases"]] == ["passed", "failed", "failed", "passed"]
    assert rule["cases"][1]["message"] == "The rule must be silent on this text, but fires by `as any` in line 1."
    assert rule["cases"][2]["message"] == "The rule fires in line 1 instead of line 2."
    assert (rule["cases"][2]["expected"], rule["cases"][2]["actual"]["line"]) == ({"line": 2}, 1)


async def test_tests_run_on_the_texts_of_the_editor(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text(RULE)
    (vscode.rules / "a.test.yml").write_text(TESTS)
    uri = vscode.open("a.md", RULE.replace("'as any'", "'never'"))
    vscode.open("a.test.yml", "valid:\n  - x\ninvalid:\n  - y\n", "yaml")
    (rule,) = (await asked(vscode, uris=[uri], run=True))["rules"]
    assert [case["status"] for case in rule["cases"]] == ["passed", "failed", "failed"]
    assert "is silent: no condition matches the text." in rule["cases"][1]["message"]


async def test_wrong_params_are_refused(vscode: Talk) -> None:
    with pytest.raises(JsonRpcException, match="list of URIs"):
        await asked(vscode, uris="x")
    assert (await asked(vscode, uris=["file:///no/such/rule.md", "untitled:x", "file:///%00.md"]))["rules"] == []


async def test_a_test_file_has_findings_while_it_is_edited(vscode: Talk) -> None:
    (vscode.rules / "a.md").write_text(RULE)
    (vscode.rules / "a.test.yml").write_text("")
    uri = vscode.open("a.test.yml", "valid:\n  - 😀 x as any\ninvald: []\n", "yaml")
    report = await vscode.pull(uri)
    assert codes(report.items) == ["failing-rule-test", "invalid-rule-test"]
    assert place(report.items[0].range)[:2] == (1, 4)
    assert report.result_id == (await vscode.pull(uri)).result_id
    unchanged = await vscode.pull(uri, report.result_id)
    assert isinstance(unchanged, types.RelatedUnchangedDocumentDiagnosticReport)
    vscode.change(uri, "valid:\n  - x\n")
    assert not (await vscode.pull(uri)).items


async def test_findings_of_a_test_file_follow_the_rule_in_the_editor(pushed: Talk) -> None:
    (pushed.rules / "a.md").write_text(RULE)
    (pushed.rules / "a.test.yml").write_text(TESTS)
    tests = pushed.open("a.test.yml", "invalid:\n  - y as unknown\n", "yaml")
    await pushed.push(tests, lambda one: codes(one.diagnostics) == ["failing-rule-test"])
    rule = pushed.open("a.md", RULE)
    pushed.change(rule, RULE.replace("as any", "as unknown"))
    await pushed.push(tests, lambda one: codes(one.diagnostics) == [])


async def test_a_test_file_without_a_rule_has_a_finding(vscode: Talk) -> None:
    report = await vscode.pull(vscode.open("b.test.yml", "valid:\n  - x\n", "yaml"))
    assert codes(report.items) == ["test-without-rule"]


async def test_a_lens_offers_the_tests_where_the_editor_has_the_command(start: Starter) -> None:
    for editor, options, titles in (
        ("testing", None, ["Test (4 tests, 1 in the body)", "Playground"]),
        ("testing", {"lenses": False}, None),
        ("vscode", None, None),
    ):
        talk = await start(editor, options)
        (talk.rules / "a.md").write_text(RULE)
        (talk.rules / "a.test.yml").write_text(TESTS)
        uri = talk.open("a.md", RULE)
        lenses = await talk.client.text_document_code_lens_async(
            types.CodeLensParams(types.TextDocumentIdentifier(uri))
        )
        shown = None if lenses is None else [lens.command.title for lens in lenses if lens.command]
        assert shown == titles
        if lenses:
            assert place(lenses[0].range) == (1, 0, 1, 9)
            assert lenses[0].command is not None
            assert list(lenses[0].command.arguments or ()) == [uri]
