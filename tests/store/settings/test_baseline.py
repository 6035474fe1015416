"""The baseline file: written findings are known from any folder, and invalid files are errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ttsr_ls.store.settings.baseline import BaselineError, KnownFinding, read_baseline, write_baseline


def test_written_findings_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ci").mkdir()
    monkeypatch.chdir(tmp_path)
    path = Path("ci/baseline.json")
    write_baseline(path, [KnownFinding(Path("rules/b.md"), "x", "1:1"), KnownFinding(Path("rules/a.md"), "y", "2:1")])
    document = json.loads(path.read_text())
    assert document["version"] == 1
    assert [finding["path"] for finding in document["findings"]] == ["../rules/a.md", "../rules/b.md"]
    monkeypatch.chdir(tmp_path / "ci")
    baseline = read_baseline(Path("baseline.json"))
    assert baseline.knows(tmp_path / "rules" / "a.md", "2:1")
    assert baseline.knows(Path("../rules/b.md"), "1:1")
    assert not baseline.knows(Path("../rules/b.md"), "1:2")
    assert not baseline.knows(Path("b.md"), "1:1")


def test_an_empty_baseline_has_no_findings(tmp_path: Path) -> None:
    write_baseline(tmp_path / "b.json", [])
    assert json.loads((tmp_path / "b.json").read_text()) == {"version": 1, "findings": []}
    assert read_baseline(tmp_path / "b.json").known == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is not of version 1"),
        ('{"version": 2, "findings": []}', "it is not of version 1"),
        ('{"version": 1}', "`findings` is not a list of findings"),
        ('{"version": 1, "findings": [{"path": 1}]}', "`findings` is not a list of findings"),
    ],
)
def test_an_invalid_baseline_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(BaselineError, match=message):
        read_baseline(tmp_path / "b.json")


def test_a_missing_baseline_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="cannot read the baseline"):
        read_baseline(tmp_path / "b.json")
    with pytest.raises(BaselineError, match="cannot write the baseline"):
        write_baseline(tmp_path / "no" / "b.json", [])
