"""An agent edits a file that is open. The line that breaks a rule is in it three times; the last is the agent's."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.bridge.adapters.claude_stream import answer, init, prompt, result, tool, tool_result
from tests.editors.probed import Diagnostic, Editor
from tests.editors.scene import Scene

RULE = "---\ncondition: 'as any;'\nscope: tool:edit(*.ts)\ninterruptMode: always\n---\nNo.\n"
FIRST = "const b = a as any; // 😀\n"
BEFORE = FIRST * 2 + "// more\n" * 20 + "const b = 1;\n"
LINE = 22
NEW = "const b = a as any;"


def check_marks_of_an_edit(editor: Editor, scene: Scene, line_of: Callable[[Diagnostic], int]) -> None:
    """The mark is where the agent edits, while it does, afterwards, and in what the next edit makes of the file."""
    rule, target = scene.folder / ".omp" / "rules" / "no-any.md", scene.folder / "edited.ts"
    rule.write_text(RULE)
    target.write_text(BEFORE)
    editor.ask("open", path=str(rule))
    editor.ask("hover", path=str(rule), line=2, character=2)
    editor.ask("open", path=str(target))
    edit = json.dumps({"file_path": str(target), "old_string": "const b = 1;", "new_string": NEW})

    def is_at(line: int, said: str) -> Callable[[list[Diagnostic]], bool]:
        return lambda found: [line_of(one) for one in found] == [line] and said in found[0]["message"]

    try:
        with scene.agent() as put_out:
            put_out([init(str(scene.folder)), prompt("go"), *answer(tool("Edit", [edit]), reason="tool_use")])
            editor.wait_for(target, is_at(LINE, "is about to write here"))
            target.write_text(BEFORE.replace("const b = 1;", NEW))
            editor.ask("reload", path=str(target))
            put_out([tool_result("toolu_1", "edited")])
            editor.wait_for(target, is_at(LINE, "would have been interrupted"))
            target.write_text("// above\n" + BEFORE.replace("const b = 1;", NEW))
            editor.ask("reload", path=str(target))
            editor.wait_for(target, is_at(LINE + 1, "would have been interrupted"))
            related = editor.wait_for(rule, bool)[0]["related"]
            assert related[0]["path"] == str(target)
            target.write_text("// above\n" + BEFORE.replace("const b = 1;", "const b = a as string;"))
            editor.ask("reload", path=str(target))
            editor.wait_for(target, lambda found: not found)
            put_out([*answer([]), result()])
    finally:
        rule.unlink()
