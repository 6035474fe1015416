"""`ttsr/testText` of a real server: which rules are tried on what, and where what came of it is."""

from __future__ import annotations

from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.talk import Starter, Talk, plain

ANY = "---\ncondition: '\\bas any\\b'\nscope: tool:edit(*.ts)\n---\nno\n"
PROSE = "---\ncondition: 'done'\nscope: text\n---\nno\n"


async def test(talk: Talk, **params: Any) -> Any:
    return plain(await talk.client.protocol.send_request_async("ttsr/testText", params))


test.__test__ = False  # type: ignore[attr-defined]


def rules(talk: Talk, **texts: str) -> None:
    for name, text in texts.items():
        (talk.rules / f"{name}.md").write_text(text)


def document(talk: Talk, name: str) -> dict[str, str]:
    return {"uri": (talk.folder / name).as_uri()}


async def test_a_part_of_a_file_is_an_edit_of_it_and_prose_is_a_reply(vscode: Talk) -> None:
    rules(vscode, no_any=ANY, prose=PROSE)
    code = await test(vscode, text="😀 x as any;", textDocument=document(vscode, "a.ts"))
    assert (code["stream"], code["summary"]) == ("edit of a.ts", "1 of 2 rules fires on this edit of a.ts: no_any.")
    (fired,) = (item for item in code["rules"] if item["verdict"] == "fires")
    (match,) = fired["matches"]
    # UTF-16, as VS Code counts.
    assert match["range"] == {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 11}}
    assert fired["stable"]["delta"] == fired["reference"]["delta"] == 1
    assert fired["conditions"][0]["range"]["start"] == {"line": 1, "character": 11}
    (silent,) = (item for item in code["rules"] if item["verdict"] == "silent")
    assert silent["stoppedBy"]["gate"] == "in scope"
    prose = await test(vscode, text="done", textDocument=document(vscode, "README.md"))
    assert prose["source"] == "text"
    assert [item["name"] for item in prose["rules"] if item["verdict"] == "fires"] == ["prose"]


async def test_positions_in_the_report_are_those_in_the_file(vscode: Talk) -> None:
    rules(vscode, no_any=ANY)
    given = {"text": "x as any;\ny as any;", "textDocument": document(vscode, "a.ts")}
    assert "matches 2 times: 1:3, 2:3" in (await test(vscode, **given))["report"]
    found = await test(vscode, **given, start={"line": 9, "character": 4})
    assert "matches 2 times: 10:7, 11:3" in found["report"]
    assert found["rules"][0]["matches"][0]["range"]["start"] == {"line": 0, "character": 2}


async def test_a_text_of_a_file_is_tried_as_an_edit_and_as_a_write(vscode: Talk) -> None:
    rules(vscode, edits=ANY, writes=ANY.replace("tool:edit", "tool:write"))
    for kind, fired in ((None, ["edits", "writes"]), ("edit", ["edits"]), ("write", ["writes"])):
        said = {} if kind is None else {"kind": kind}
        found = await test(vscode, text="x as any;", textDocument=document(vscode, "a.ts"), **said)
        assert [item["name"] for item in found["rules"] if item["verdict"] == "fires"] == fired


async def test_the_requested_kind_of_a_text_is_used(vscode: Talk) -> None:
    rules(vscode, bash="---\ncondition: 'rm -rf'\nscope: tool:bash\n---\nno\n")
    found = await test(vscode, text="rm -rf /", kind="bash", textDocument=document(vscode, "a.ts"))
    assert found["rules"][0]["verdict"] == "fires"
    assert found["rules"][0]["matches"][0]["range"]["start"]["character"] == 0
    found = await test(vscode, text="rm -rf /", kind="thinking")
    assert found["rules"][0]["stoppedBy"]["gate"] == "in scope"


async def test_the_text_of_the_editor_is_tried(vscode: Talk) -> None:
    rules(vscode, a=PROSE, b=PROSE)
    uri = vscode.open("a.md", "---\ncondition: 'x(y)?'\nscope: text\n---\nno\n")
    by_document = await test(vscode, text="xy", textDocument={"uri": uri})
    assert [item["name"] for item in by_document["rules"]] == ["a"]
    assert by_document["rules"][0]["matches"][0]["groups"][0]["range"]["start"]["character"] == 1
    assert [gate["verdict"] for gate in by_document["gates"]] == ["passes"] * len(by_document["gates"])
    typed = await test(vscode, text="zz", rule={"uri": uri, "text": "---\ncondition: z\n---\nno\n"})
    assert len(typed["rules"][0]["matches"]) == 2
    broken = await test(vscode, text="zz", rule={"uri": uri, "text": "---\ncondition: '('\n---\nno\n"})
    assert broken["rules"] == []
    assert broken["gates"][-1]["verdict"] == "stops"


async def test_matches_are_searched_only_in_the_shown_deltas(vscode: Talk) -> None:
    rules(vscode, a=PROSE)
    found = await test(vscode, text="a\ndone done", kind="text", chunk=3, shown=2)
    assert found["deltas"] == 4
    assert found["shownTo"] == {"line": 1, "character": 4}
    assert len(found["rules"][0]["matches"]) == 1


async def test_rules_that_are_not_in_force_are_named_with_the_reason(vscode: Talk) -> None:
    rules(vscode, off="---\ncondition: x\nenabled: false\n---\nno\n", on="---\ncondition: x\n---\nno\n")
    found = await test(vscode, text="x", kind="text")
    assert [(item["name"], item["reason"]) for item in found["absent"]] == [("off", "switched off by `enabled: false`")]


async def test_if_no_rule_is_in_force_each_is_named_with_the_reason(vscode: Talk) -> None:
    assert (await test(vscode, text="x", kind="text"))["summary"] == "There are no rules here that could be tried."
    rules(vscode, off="---\ncondition: x\nenabled: false\n---\nno\n", bad="---\ncondition: '('\n---\nno\n")
    found = await test(vscode, text="x", kind="text")
    assert found["rules"] == []
    assert found["summary"] == "None of the rules here is in force."
    assert [item["name"] for item in found["absent"]] == ["bad", "off"]
    assert found["report"].startswith("None of the rules here is in force.\n\n- bad: no condition")
    assert found["report"].endswith("\n- off: switched off by `enabled: false`")


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_positions_are_in_the_encoding_of_the_editor(start: Starter, editor: str) -> None:
    talk = await start(editor)
    rules(talk, a=PROSE)
    found = await test(talk, text="😀done", kind="text")
    expected = {"vscode": 2, "neovim": 4}[editor]
    assert found["rules"][0]["matches"][0]["range"]["start"]["character"] == expected


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "string 'text'"),
        ({"text": 1}, "string 'text'"),
        ({"text": "x", "kind": "prose"}, "'kind' of ttsr/testText is one of edit, write"),
        ({"text": "x", "rules": "a"}, "list of rule names"),
        ({"text": "x", "rule": {}}, "object with a string 'uri'"),
        ({"text": "x", "shown": -1}, "not negative"),
        ({"text": "x" * 1_000_001}, "^A test takes at most 1,000,000 characters: select a part$"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_wrong_params_are_refused_with_the_reason(shared: Talk, params: dict[str, Any], message: str) -> None:
    with pytest.raises(JsonRpcException, match=message):
        await test(shared, **params)


async def test_hostile_names_and_texts_are_escaped(vscode: Talk) -> None:
    (vscode.rules / "a\x1b[31m](command:x).md").write_text("---\ncondition: '\\x1b'\n---\nno\n")
    found = await test(vscode, text="\x1b\u202e", kind="text")
    assert "\x1b" not in found["summary"] + found["report"]
    assert "](command:" not in found["summary"]
    assert found["rules"][0]["name"] == "a\x1b[31m](command:x)"


@pytest.mark.parametrize(
    "scope",
    [
        "tool:edit(*.ts)",
        "tool:edit\nglobs: 'src/**/*.ts'",
        "edit(src/*.{ts,tsx}), tool:write(*.py)",
        "tool:edit(*.ts), tool:write(*.ts)\nglobs: ['src/**']",
        "tool:edit(src/**)\nglobs: ['*.py', '*.ts']",
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_a_sample_of_a_rule_has_a_path_in_its_scope(shared: Talk, scope: str) -> None:
    text = f"---\ncondition: foo\nscope: {scope}\n---\nno\n"
    uri = shared.open("a.md", text)
    for given in (
        {"rule": {"uri": uri, "text": text}, "kind": "edit"},
        {"rule": {"uri": uri, "text": text}, "kind": "tool", "tool": "Edit"},
        {"textDocument": {"uri": uri}, "kind": "edit"},
    ):
        found = await test(shared, text="a foo", **given)
        assert "fires on this" in found["summary"], (given, found["summary"])
    found = await test(shared, text="foo", textDocument={"uri": uri}, kind="text")
    assert "does not admit" in found["summary"]
