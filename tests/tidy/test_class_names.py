"""A public class or type alias of `ttsr_ls` has a name that no other one has."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.tidy.test_shape import ROOT, tracked


def public_names(source: str) -> Iterator[str]:
    """The public classes and type aliases of a module. Type variables are names of that module alone."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if isinstance(node.value, ast.Call) or name.isupper() or not name[0].isupper():
                continue
        else:
            continue
        if not name.startswith("_"):
            yield name


def duplicates(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names that several files define, each with the paths of these files, of all (path, name)."""
    found = defaultdict(list)
    for path, name in names:
        found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_public_class_name_exists_twice() -> None:
    names = [
        (str(file.relative_to(ROOT)), name)
        for file in tracked("ttsr_ls/*.py")
        for name in public_names(file.read_text())
    ]
    assert len(names) > 800
    assert not duplicates(names)


def test_a_duplicate_is_found() -> None:
    files = [("a.py", "class Place: ...\nclass _Own: ..."), ("b.py", "Place = int | str\nclass _Own: ...")]
    names = [(path, name) for path, source in files for name in public_names(source)]
    assert duplicates(names) == {"Place": ["a.py", "b.py"]}
