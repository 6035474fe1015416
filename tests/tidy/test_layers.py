"""Imports run downward only (docs/invariants.md, 1)."""

import ast
from functools import cache
from pathlib import Path

import ttsr_ls

PACKAGE = Path(ttsr_ls.__file__).parent

OPEN_TO_ALL = {"text", "errors", "escaping", "checkpoint", "file_uri", "put_bounded", "typed_values"}
# Each layer with those that it may import directly, besides those above.
MAY_IMPORT = {
    "text": set(),
    "errors": set(),
    "escaping": set(),
    "checkpoint": set(),
    "file_uri": set(),
    "put_bounded": set(),
    "typed_values": set(),
    "esregex": set(),
    "globs": set(),
    "syntax": {"esregex", "globs"},
    "convert": {"syntax", "globs", "esregex"},
    "rules": {"syntax", "globs", "esregex"},
    "matching": {"rules", "syntax", "globs", "esregex"},
    "session": {"matching", "rules"},
    "features": {"session", "matching", "rules", "esregex"},
    "rule_tests": {"session", "matching", "rules", "syntax"},
    "lint": {"rule_tests", "convert", "matching", "rules", "syntax", "globs", "esregex"},
    "ide": {"lint", "rule_tests", "session", "matching", "rules", "syntax", "globs", "esregex"},
    "store": {"lint", "rule_tests", "session", "rules", "syntax", "globs"},
    "isolation": {"matching"},
    "bridge": {"store", "isolation", "features", "session", "matching", "rules", "syntax"},
    "agent": {"bridge", "store", "session", "rules", "syntax"},
    "lsp": {"ide", "store", "isolation", "lint", "rule_tests", "session", "matching", "rules", "syntax"},
    "cli": {
        *("lsp", "agent", "bridge", "ide", "store", "isolation", "lint", "features", "session", "matching", "rules"),
        *("convert", "syntax", "rule_tests"),
    },
}
# What the pure layers must not know, and what belongs to one layer alone.
NOT_IN_PURE = {
    "asyncio",
    "logging",
    "os",
    "pathlib",
    "socket",
    "subprocess",
    "time",
    "datetime",
    "threading",
    "random",
    "io",
}
PURE = {"esregex", "globs", "syntax", "convert", "rules", "matching", "session", "rule_tests", "ide", "lint"}
# A pure layer may speak of paths (`PurePath`) and guard a lazily made value (`threading.Lock`); pages are package data.
PURE_MAY = {
    ("rules", "threading"),
    ("rules", "pathlib"),
    ("rule_tests", "pathlib"),
    ("session", "pathlib"),
    ("ide", "pathlib"),
    ("syntax", "pathlib"),
    ("lint", "pathlib"),
}
ONLY_IN = {
    "aiohttp": {"bridge"},
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "watchdog": {"store"},
    "regex": {"esregex"},
    "ast_grep_py": {"matching"},
    "mcp": {"bridge"},
    "redis": {"bridge"},
    "yaml": {"rule_tests"},
    "distributed": {"cli"},
}
MAX_MODULES = 16
"""Modules of a package: beyond, nobody finds a place in it any more."""


@cache
def imports() -> list[tuple[str, str, str]]:
    """Each import as (layer, file, imported module); names of `from ttsr_ls import x` are joined to it."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        relative = file.relative_to(PACKAGE)
        layer = relative.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found += [(layer, str(relative), alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{relative}: relative import"
                if node.module == "ttsr_ls":
                    found += [(layer, str(relative), f"ttsr_ls.{alias.name}") for alias in node.names]
                else:
                    found.append((layer, str(relative), node.module or ""))
    return found


def test_imports_run_downward() -> None:
    seen = imports()
    assert len(seen) > 100
    for layer, file, module in seen:
        if not module.startswith("ttsr_ls.") or layer in ("__init__", "__main__"):
            continue
        target = module.split(".")[1]
        if target == "__version__":
            continue
        assert target in MAY_IMPORT[layer] | OPEN_TO_ALL | {layer}, f"{file} imports {module}"


def test_every_layer_is_known_and_not_empty() -> None:
    layers = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")}
    assert layers - {"__init__", "__main__"} == set(MAY_IMPORT)


def test_pure_layers_know_no_clock_disk_or_threads() -> None:
    for layer, file, module in imports():
        top = module.split(".")[0]
        if layer in PURE and (layer, top) not in PURE_MAY:
            assert top not in NOT_IN_PURE, f"{file} imports {module}"


# What tells how much time passed; an answer that depends on it differs from run to run.
CLOCKS = {
    "clock_gettime",
    "clock_gettime_ns",
    "monotonic",
    "monotonic_ns",
    "perf_counter",
    "perf_counter_ns",
    "process_time",
    "process_time_ns",
    "thread_time",
    "thread_time_ns",
    "getrusage",
    "setitimer",
}


def names_of_clocks(source: str) -> set[str]:
    """The names of clocks that a module uses, however it came by them."""
    nodes = list(ast.walk(ast.parse(source)))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    used |= {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    used |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return used & CLOCKS


def test_pure_layers_name_no_clock() -> None:
    assert names_of_clocks("from time import thread_time as now") == {"thread_time"}
    assert names_of_clocks("getattr(__import__('time'), 'monotonic')()") == {"monotonic"}
    files = [file for layer in PURE for file in (PACKAGE / layer).rglob("*.py")]
    assert len(files) > 200
    for file in files:
        text = file.read_text()
        # To parse everything takes seconds.
        if any(clock in text for clock in CLOCKS):
            assert not names_of_clocks(text), file


def test_each_foreign_library_has_one_home() -> None:
    homes: dict[str, set[str]] = {}
    for layer, _, module in imports():
        homes.setdefault(module.split(".")[0], set()).add(layer)
    for library, allowed in ONLY_IN.items():
        assert homes.get(library), f"nothing imports {library}: drop the dependency"
        assert homes[library] <= allowed, f"{library} is imported in {homes[library]}"


def test_only_one_module_imports_dask() -> None:
    assert {file for _, file, module in imports() if module.split(".")[0] in ("dask", "distributed")} == {
        "cli/replay/cluster.py"
    }


def test_packages_are_small_and_say_what_they_own() -> None:
    counts: dict[Path, int] = {}
    for file in PACKAGE.rglob("*.py"):
        if file.name != "__init__.py":
            counts[file.parent] = counts.get(file.parent, 0) + 1
    assert len(counts) > 40
    assert {str(folder.relative_to(PACKAGE)): count for folder, count in counts.items() if count > MAX_MODULES} == {}
    assert [folder for folder in counts if not (folder / "__init__.py").is_file()] == []
