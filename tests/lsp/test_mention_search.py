"""Where a path in a configuration names a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

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
