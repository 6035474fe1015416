"""Files stay small, names say something, and nothing of a machine gets into the repository."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_LENGTH = 300
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "manager"}
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|opt|root)/[\w-]+|/tmp/[\w-]+/")


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, check=True)
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def test_source_files_are_short() -> None:
    files = tracked("*.py", "*.ts", "*.lua", "*.mjs")
    assert len(files) > 30
    long = {
        str(file.relative_to(ROOT)): lines
        for file in files
        if (lines := len(file.read_text().splitlines())) > MAX_LENGTH
    }
    assert not long


def test_module_names_say_what_is_inside() -> None:
    files = tracked("*.py", "*.ts", "*.lua", "*.mjs")
    assert files
    assert not [file for file in files if file.stem in EMPTY_NAMES]


def test_test_modules_have_names_of_their_own() -> None:
    # Without packages, pytest cannot tell two modules of one name apart, and only a run of everything shows it.
    folders = {file.parent for file in tracked("tests/*__init__.py")}
    names = [file.name for file in tracked("tests/*.py") if file.name != "__init__.py" and file.parent not in folders]
    names = [name for name in names if name != "conftest.py"]
    assert len(names) > 100
    assert not {name for name in names if names.count(name) > 1}


def test_every_module_says_what_it_owns() -> None:
    files = tracked("ttsr_ls/*.py")
    assert files
    assert not [file for file in files if not file.read_text().startswith('"""')]


def test_no_path_of_a_machine() -> None:
    suffixes = {".py", ".md", ".ts", ".lua", ".mjs", ".json", ".jsonl", ".toml", ".yml"}
    files = [file for file in tracked() if file.suffix in suffixes]
    assert len(files) > 50
    found = {
        str(file.relative_to(ROOT)): hit[0]
        for file in files
        if file != Path(__file__) and (hit := MACHINE_PATH.search(file.read_text(errors="replace")))
    }
    assert not found


def test_public_value_types_are_frozen() -> None:
    # A class whose name starts with _ may be the working state of its own module.
    seen = [
        (node.name, any(keyword.arg == "frozen" and ast.unparse(keyword.value) == "True" for keyword in node.keywords))
        for file in tracked("ttsr_ls/*.py")
        if {"Struct", "Recorded"} & set(re.findall(r"\w+", text := file.read_text()))  # To parse all takes seconds.
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        if {ast.unparse(base) for base in node.bases} & {"Struct", "Recorded"}
    ]
    assert len(seen) > 200
    assert not [name for name, frozen in seen if not frozen]


def test_value_types_are_cheap_to_import() -> None:
    # A dataclass compiles six methods when it is imported: 300 of them were half of the start-up time.
    files = tracked("ttsr_ls/*.py")
    assert len(files) > 200
    assert not [file for file in files if "dataclass" in file.read_text()]
