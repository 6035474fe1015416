import posixpath
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
def test_path_candidates_have_all_forms_of_a_path(raw: str, expected: tuple[str, ...]) -> None:
    assert path_candidates(raw, CWD) == expected


def test_path_candidates_with_the_root_as_working_directory() -> None:
    assert path_candidates("/a.ts", PurePosixPath("/")) == ("/a.ts", "a.ts")


def test_windows_path_candidates_use_slashes() -> None:
    cwd = PureWindowsPath("C:\\project")
    assert path_candidates("src\\a.ts", cwd) == ("src/a.ts", "C:/project/src/a.ts")
    assert path_candidates("C:\\project\\src\\a.ts", cwd) == ("C:/project/src/a.ts", "src/a.ts")


PARTS = st.lists(st.sampled_from(["/", "//", "a", "b", ".", "..", "./", "\\", " ", "é", "/home", "/home/shop"]))


@given(PARTS, st.sampled_from(["/", "//", "/home", "/home/shop", "//home", "/home/..", "/home/../x"]))
def test_path_candidates_equal_those_of_path_objects(parts: list[str], folder: str) -> None:
    cwd, raw = PurePosixPath(folder), "".join(parts)
    written = raw.replace("\\", "/")
    absolute = PurePosixPath(posixpath.normpath(cwd / written))
    forms = [written, written.removeprefix("./"), str(absolute)]
    if absolute != cwd and absolute.is_relative_to(cwd):
        forms.append(str(absolute.relative_to(cwd)))
    assert path_candidates(raw, cwd) == (tuple(dict.fromkeys(forms)) if raw.strip() else ())
