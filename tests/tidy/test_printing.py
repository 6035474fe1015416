"""Commands print through `cli.printing.output` alone, which escapes what they print."""

import ast

from tests.tidy.test_layers import PACKAGE

OUTPUT = PACKAGE / "cli" / "printing" / "output.py"
STREAMS = {"sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"}
# A file that somebody opened to write to it is not a terminal.
STREAM_NAMES = {"stdout", "stderr", "out", "err", "stream", "output", "terminal", "buffer"}


def offences(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            receiver, _, method = called.rpartition(".")
            to_stream = method in ("write", "writelines") and receiver.rpartition(".")[2].strip("_") in STREAM_NAMES
            if to_stream or called in ("print", "os.write", "json.dump", "traceback.print_exc"):
                found.append(f"{node.lineno}: {called}")
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in {f"{stream}.buffer" for stream in STREAMS}:
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def test_nothing_else_in_the_commands_prints() -> None:
    files = [file for file in sorted((PACKAGE / "cli").rglob("*.py")) if file != OUTPUT]
    assert len(files) > 40
    found = {str(file.relative_to(PACKAGE)): item for file in files if (item := offences(file.read_text()))}
    assert not found


def test_what_is_looked_for_is_found() -> None:
    source = "print(1)\nsys.stdout.write('')\njson.dump({}, sys.stdout)\nsys.stderr.buffer\nprint_line()\n"
    assert [offence.split(": ")[1] for offence in offences(source)] == [
        "print",
        "sys.stdout.write",
        "json.dump",
        "sys.stderr.buffer",
    ]
