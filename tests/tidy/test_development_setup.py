"""A fresh machine gets the versions that CI had, and every way to check the project runs the same programs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHECKS = ("ruff check .", "ruff format --check .", "mypy")


def locked(name: str) -> dict[str, tuple[str, bool]]:
    """What a file locks: the version of each package, and whether it has hashes."""
    blocks = re.split(r"\n(?=\w)", (ROOT / "requirements" / name).read_text())
    heads = [re.match(r"([\w.-]+)(?:\[[\w,-]+\])?==([\w.!+-]+)", block) for block in blocks]
    hashed = ["--hash=sha256:" in block for block in blocks]
    return {head[1]: (head[2], item) for head, item in zip(heads, hashed, strict=True) if head is not None}


@pytest.mark.parametrize(
    ("file", "required"),
    [
        ("run.txt", PROJECT["dependencies"]),
        ("dev.txt", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]),
        ("docs.txt", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["docs"]]),
    ],
)
def test_each_requirement_is_locked_with_hashes_in_a_version_that_it_allows(file: str, required: list[str]) -> None:
    versions = locked(file)
    assert len(versions) > len(required)
    assert all(hashed for _, hashed in versions.values())
    requirements = [Requirement(item) for item in required]
    assert not [
        str(requirement)
        for requirement in requirements
        if not requirement.specifier.contains(versions.get(requirement.name.lower(), ("0", False))[0], prereleases=True)
    ]


def test_the_program_runs_with_the_versions_that_the_tests_have() -> None:
    development = locked("dev.txt")
    assert {name: development.get(name) for name in locked("run.txt")} == locked("run.txt")


def test_pre_commit_has_the_locked_ruff() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [repo["rev"] for repo in hooks if repo["repo"].endswith("/ruff-pre-commit")] == [
        f"v{locked('dev.txt')['ruff'][0]}"
    ]
    named = {hook["id"] for repo in hooks for hook in repo["hooks"]}
    assert named >= {"ruff-check", "ruff-format", "mypy"}


def test_the_makefile_and_ci_run_the_same_checks() -> None:
    makefile = (ROOT / "Makefile").read_text()
    lint = re.findall(r"^\t@\$\(BIN\)/(.+)$", makefile.partition("\nlint:")[2].partition("\n\n")[0], re.MULTILINE)
    assert tuple(lint) == CHECKS
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    steps = [step["run"] for step in jobs["test"]["steps"] if "run" in step]
    assert [step for step in steps if step in CHECKS] == list(CHECKS)
    assert "python -m pip install --require-hashes -r requirements/dev.txt" in steps


def test_contributing_names_files_and_modules_that_are_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    files = re.findall(r"`((?:ttsr_ls|tests|docs|rules|benchmarks)/[\w/.-]+)`", page)
    files += [f"{module.replace('.', '/')}.py" for module in re.findall(r"python -m (tests\.[\w.]+)", page)]
    assert len(files) > 15
    assert not [file for file in files if not (ROOT / file).exists()]


def test_folders_that_the_wheel_renames_hold_no_modules() -> None:
    """hatchling refuses an editable installation, and with it every `make`, where it would have to rename a module."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    excluded = tuple(f"{name}/" for name in wheel["exclude"])
    renamed = [folder for folder, name in wheel["sources"].items() if folder != name]
    assert renamed
    modules = [path.relative_to(ROOT).as_posix() for folder in renamed for path in (ROOT / folder).rglob("*.py")]
    assert not [module for module in modules if not module.startswith(excluded)]
