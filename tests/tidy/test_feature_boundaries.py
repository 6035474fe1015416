"""Each feature alone knows what it is about (spec Y5): hosts, logs and engines know nothing of tasks."""

import ast
import re
from pathlib import Path

import ttsr_ls

PACKAGE = Path(ttsr_ls.__file__).parent
# The list itself, the feature, and the server that offers it without a host.
OWN = ("features/tasks/", "bridge/mcp/", "cli/mcp.py")
MODULES = re.compile(r"ttsr_ls\.features\.tasks\b")
NAMES = re.compile(
    r"Task(Create|Update|Get|List|s?Written|s?Restored|ToolUsed|Feature|State|Fold|Store|Reminder)\b|OfTasks\b"
)


def own(file: str) -> bool:
    return file.startswith(OWN)


def words(tree: ast.AST) -> list[str]:
    """All names and texts of a module but its docstrings."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, ast.Attribute):
            found.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
        elif isinstance(node, ast.ImportFrom):
            found += [node.module or "", *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def test_no_other_module_knows_of_tasks() -> None:
    texts = {str(file.relative_to(PACKAGE)): file.read_text() for file in PACKAGE.rglob("*.py")}
    assert len(texts) > 200
    # To parse everything takes seconds.
    named = {file: text for file, text in texts.items() if MODULES.search(text) or NAMES.search(text)}
    seen = {file: words(ast.parse(text)) for file, text in named.items()}
    assert any(own(file) and any(NAMES.search(word) for word in found) for file, found in seen.items())
    for file, found in seen.items():
        if not own(file):
            knowing = {word for word in found if MODULES.search(word) or NAMES.search(word)}
            assert knowing <= may_know(file), f"{file} knows of tasks: {knowing}"


def may_know(file: str) -> set[str]:
    """What a module outside may say: where the feature is. It is loaded by its name as any other, and public."""
    if file == "features/loading.py":
        return {"ttsr_ls.features.tasks.feature:TaskFeature"}
    if file == "bridge/public.py":
        return {"ttsr_ls.features.tasks.feature", "TaskFeature"}
    return set()


def test_the_vocabulary_of_the_log_knows_features_and_no_feature() -> None:
    from ttsr_ls.session.history import turn_events

    kinds = [name for name in vars(turn_events) if name[0].isupper()]
    assert "FeatureRecorded" in kinds
    assert not [name for name in kinds if "Task" in name]


def test_features_know_hooks_and_no_host() -> None:
    features = sorted((PACKAGE / "features").rglob("*.py"))
    assert len(features) > 10
    for file in features:
        for word in words(ast.parse(file.read_text())):
            for hidden in (
                "ttsr_ls.bridge.host",
                "ttsr_ls.store",
                "ttsr_ls.session.projection",
                "ttsr_ls.bridge.model",
            ):
                assert not word.startswith(hidden), f"{file.name} imports {word}"
