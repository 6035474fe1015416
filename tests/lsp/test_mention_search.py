"""The texts that are searched for the name of a rule, and where a path in a configuration names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.rule_names.mention_search import search_mentions
from ttsr_ls.lsp.rule_names.rule_files import RuleFiles


@pytest.mark.parametrize("name", ["no-any", "test", "yml", "rules", "m"])
def test_the_name_of_a_rule_is_the_beginning_of_its_file_name(tmp_path: Path, name: str) -> None:
    rule, config = tmp_path / f".omp/rules/{name}.md", tmp_path / "ttsr-ls.toml"
    rule.parent.mkdir(parents=True)
    rule.write_text("")
    rule.with_suffix(".test.yml").write_text("")
    text = f'exclude = [".omp/rules/{name}.md", ".omp/rules/{name}.test.yml"]\n'
    config.write_text(text)
    files = RuleFiles(name, str(tmp_path), str(tmp_path), (str(rule),))
    (found,) = search_mentions((str(config),), files, Workspace(folders=(str(tmp_path),)))
    starts = [text.index(f"/{name}.md") + 1, text.index(f"/{name}.test") + 1]
    assert [(span.start, span.end) for span in found.spans] == [(start, start + len(name)) for start in starts]


@pytest.mark.parametrize("scheme", ["git", "file"])
def test_the_text_of_a_file_is_not_that_of_a_document_with_another_scheme(tmp_path: Path, scheme: str) -> None:
    rule = tmp_path / ".omp" / "rules" / "no-any.md"
    rule.parent.mkdir(parents=True)
    rule.write_text("See rule://no-any.\n")
    document = Document.of(f"{scheme}://{rule}", str(rule), 1, "An older text: rule://no-any.\n")
    workspace = Workspace({document.uri: document}, folders=(str(tmp_path),))
    files = RuleFiles("no-any", str(tmp_path), str(tmp_path), (str(rule),))
    (found,) = search_mentions((str(rule),), files, workspace)
    assert found.document.uri == rule.as_uri()
    assert [span.start for span in found.spans] == [len("See rule://" if scheme == "git" else "An older text: rule://")]
