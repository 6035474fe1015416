from pathlib import PurePosixPath, PureWindowsPath

import pytest

from ttsr_ls.rules.tool_paths import path_candidates

CWD = PurePosixPath("/home/u/project")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("src/a.ts", ("src/a.ts", "/home/u/project/src/a.ts")),
        ("./src/a.ts", ("./src/a.ts", "src/a.ts", "/home/u/project/src/a.ts")),
        ("src\\a.ts", ("src/a.ts", "/home/u/project/src/a.ts")),
        ("/home/u/project/src/a.ts", ("/home/u/project/src/a.ts", "src/a.ts")),
        ("/etc/hosts", ("/etc/hosts",)),
        ("../other/a.ts", ("../other/a.ts", "/home/u/other/a.ts")),
        ("src/../a.ts", ("src/../a.ts", "/home/u/project/a.ts", "a.ts")),
        ("/home/u/project-2/a.ts", ("/home/u/project-2/a.ts",)),
        ("/home/u/project", ("/home/u/project",)),
        ("", ()),
        ("  ", ()),
    ],
)
def test_the_forms_of_a_path(raw: str, expected: tuple[str, ...]) -> None:
    assert path_candidates(raw, CWD) == expected


def test_the_root_as_working_directory() -> None:
    assert path_candidates("/a.ts", PurePosixPath("/")) == ("/a.ts", "a.ts")


def test_windows_paths_come_with_slashes() -> None:
    cwd = PureWindowsPath("C:\\project")
    assert path_candidates("src\\a.ts", cwd) == ("src/a.ts", "C:/project/src/a.ts")
    assert path_candidates("C:\\project\\src\\a.ts", cwd) == ("C:/project/src/a.ts", "src/a.ts")
