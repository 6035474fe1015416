"""Parts of the VS Code extension that run in Node: the search for the server, its installation, and messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode_extension import EXTENSION, build_extension

pytestmark = pytest.mark.editor

FIND = "import {{ findProgram as run }} from '{source}/program.ts'; export {{ run }};"
INSTALL = "import {{ install as run }} from '{source}/install/environment.ts'; export {{ run }};"
ASK = """
import {{ askAboutMissing }} from '{source}/install/missing.ts';
export async function run({{ missing, installable, need, isUpdate }}) {{
  return askAboutMissing(missing, installable, need, isUpdate);
}}
"""
COUNTS = """
import {{ countsText }} from '{source}/ruleTests/counts.ts';
export async function run(counts) {{ return countsText(counts); }}
"""
FAILED_START = """
import {{ describeFailedStart }} from '{source}/install/failedStart.ts';
export async function run({{ program, need }}) {{ return describeFailedStart(program, need); }}
"""
SUMMARY = """
import {{ distinctRules, summary }} from '{source}/runs/summary.ts';
export async function run({{ triggers }}) {{
  return summary(triggers, distinctRules(triggers), ({{ ruleUri }}) => ruleUri.split('/').slice(1, -1).join('/'));
}}
"""
# The first attempt fails; its message stays open while a second caller and the button of the message try again.
ATTEMPTS = """
import {{ Attempts }} from '{source}/install/attempts.ts';
export async function run() {{
  const steps = [];
  const failures = ['no network', undefined, undefined];
  const attempts = new Attempts(
    async () => {{
      steps.push('attempt');
      return failures.shift();
    }},
    async (failure) => {{
      steps.push(failure);
      await attempts.run();
      await new Promise(() => undefined);
    }},
  );
  void attempts.run();
  await attempts.run();
  steps.push('a joined caller goes on');
  await attempts.run();
  return {{ steps, underWay: attempts.underWay !== undefined }};
}}
"""
CALL = """
import {{ run }} from '{module}';
const given = JSON.parse(process.argv[2]);
const signal = given.isCancelled ? AbortSignal.abort() : new AbortController().signal;
const calls = {{ log() {{}}, progress() {{}}, signal }};
run({{ ...given, ...calls }}).then(
  (found) => console.log(JSON.stringify(found ?? null)),
  (error) => console.log(JSON.stringify({{ message: error.message, remedy: error.remedy }})),
);
"""


@pytest.fixture(scope="module", autouse=True)
def _built(vscode_cache: Path) -> None:
    build_extension(vscode_cache)


def run(module: str, scratch: Path, given: dict[str, Any], **environment: str) -> Any:
    """What a function of the extension answers."""
    entry = scratch / "entry.ts"
    entry.write_text(module.format(source=EXTENSION / "src"))
    bundle = scratch / "bundle.mjs"
    esbuild = [str(EXTENSION / "node_modules" / ".bin" / "esbuild"), str(entry), "--bundle", "--platform=node"]
    subprocess.run([*esbuild, "--format=esm", f"--outfile={bundle}"], check=True, capture_output=True)
    script = scratch / "call.mjs"
    script.write_text(CALL.format(module=bundle))
    done = subprocess.run(
        ["node", str(script), json.dumps(given)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=200,
    )
    return json.loads(done.stdout)


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_first_of_five_places_counts(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    places = {
        "setting": executable(tmp_path / "set" / "ttsr-ls"),
        "workspace": executable(folder / ".venv" / "bin" / "ttsr-ls"),
        "path": executable(tmp_path / "bin" / "ttsr-ls"),
        "own": executable(tmp_path / "own" / "bin" / "ttsr-ls"),
        "uvx": executable(tmp_path / "bin" / "uvx"),
    }
    given: dict[str, Any] = {
        "setting": str(places["setting"]),
        "folders": [str(folder)],
        "trusted": True,
        "environmentPath": str(tmp_path / "bin"),
        "platform": "linux",
        "own": str(places["own"]),
        "wheel": "/w.whl",
    }
    for origin, place in places.items():
        found = run(FIND, tmp_path, given)
        assert (found["kind"], found["origin"], found["path"]) == ("found", origin, str(place))
        assert found["prefix"] == (["--from", "/w.whl", "ttsr-ls"] if origin == "uvx" else [])
        place.unlink()
        given["setting"] = ""
    assert run(FIND, tmp_path, given)["kind"] == "missing"


def test_a_program_whose_python_is_gone_is_passed_over(tmp_path: Path) -> None:
    gone = tmp_path / "no python" / "bin" / "python"
    heads = {
        "shop/.venv/bin": f"#!{tmp_path}/gone/python\n",
        "first": f'#!/bin/sh\n\'\'\'exec\' "{gone}" "$0" "$@"\n',
        "own/bin": f"#!/bin/sh\n'''exec' {tmp_path}/gone/python \"$0\" \"$@\"\n",
    }
    broken = [executable(tmp_path / folder / "ttsr-ls") for folder in heads]
    for program, head in zip(broken, heads.values(), strict=True):
        program.write_text(head)
    given: dict[str, Any] = {
        "setting": "",
        "folders": [str(tmp_path / "shop")],
        "trusted": True,
        "environmentPath": f"{tmp_path / 'first'}:{tmp_path / 'second'}",
        "platform": "linux",
        "own": str(broken[2]),
        "wheel": "/w.whl",
    }
    missing = run(FIND, tmp_path, given)
    assert missing["kind"] == "missing"
    assert [each["path"] for each in missing["broken"]] == list(map(str, broken))
    assert missing["broken"][1]["interpreter"] == str(gone)
    question = run(ASK, tmp_path, {"missing": missing, "installable": True})
    assert question["message"] == (
        f"TTSR: {broken[0]} cannot start, since its Python is gone: {tmp_path}/gone/python. "
        "Install the one that comes with the extension?"
    )
    uvx = executable(tmp_path / "second" / "uvx")
    assert run(FIND, tmp_path, given)["path"] == str(uvx)
    good = executable(tmp_path / "second" / "ttsr-ls")
    found = run(FIND, tmp_path, given)
    assert (found["path"], found["origin"], len(found["broken"])) == (str(good), "path", 2)


def test_a_folder_that_is_not_trusted_names_no_program(tmp_path: Path) -> None:
    program = executable(tmp_path / "shop" / ".venv" / "bin" / "ttsr-ls")
    given = {
        "setting": "",
        "folders": [str(tmp_path / "shop")],
        "trusted": False,
        "environmentPath": "",
        "platform": "linux",
        "own": str(tmp_path / "none"),
    }
    found = run(FIND, tmp_path, given)
    assert (found["kind"], found["skipped"]) == ("missing", [str(program)])


def test_the_message_names_the_trust_that_a_server_needs(tmp_path: Path) -> None:
    missing = {"searched": [], "skipped": ["/shop/.venv/bin/ttsr-ls"], "broken": []}
    said = run(ASK, tmp_path, {"missing": missing, "installable": True})
    assert "starts only in a trusted folder" in said["message"]
    assert said["actions"] == ["Manage Trust", "Install", "Open Setting"]
    missing["skipped"] = []
    said = run(ASK, tmp_path, {"missing": missing, "installable": False, "need": "A new rule"})
    # Nothing is offered that this build of the extension does not have.
    assert said["actions"] == ["Open Setting"]
    assert said["message"].startswith("TTSR: A new rule needs the server. No ttsr-ls server was found.")
    assert "Install" not in said["message"]


def test_the_message_after_an_update_of_the_extension_names_the_update(tmp_path: Path) -> None:
    missing: dict[str, list[str]] = {"searched": [], "skipped": [], "broken": []}
    question = run(ASK, tmp_path, {"missing": missing, "installable": True, "isUpdate": True})
    assert question["message"].startswith("TTSR: The extension was updated, and its new server is not installed yet.")
    assert question["actions"] == ["Install", "Open Setting"]


def test_the_output_of_a_test_run_ends_with_the_counts(tmp_path: Path) -> None:
    counts = {"passed": 2, "failed": 1, "errored": 1, "skipped": 3}
    assert run(COUNTS, tmp_path, counts) == "4 tests: 2 passed, 1 failed, 1 undecided."
    assert run(COUNTS, tmp_path, dict.fromkeys(counts, 0) | {"passed": 1}) == "1 test: 1 passed."


def test_a_setting_with_a_missing_program_is_reported(tmp_path: Path) -> None:
    executable(tmp_path / "bin" / "ttsr-ls")
    given = {
        "setting": "~/nowhere/ttsr-ls",
        "folders": [],
        "trusted": True,
        "environmentPath": str(tmp_path / "bin"),
        "platform": "linux",
        "own": "",
    }
    assert run(FIND, tmp_path, given, HOME="/home/dev")["setting"] == "/home/dev/nowhere/ttsr-ls"


def installation(tmp_path: Path, path: str) -> dict[str, Any]:
    (wheel,) = (EXTENSION / "server").glob("*.whl")
    return {"folder": str(tmp_path / "own"), "wheel": str(wheel), "environmentPath": path, "platform": "linux"}


def test_the_message_about_triggers_counts_rules_by_their_files(tmp_path: Path) -> None:
    def fired(name: str, folder: str) -> dict[str, str]:
        return {"rule": name, "ruleUri": f"/{folder}/{name}.md", "outcome": "denied"}

    triggers = [fired("a", ".omp/rules"), fired("a", ".pi/rules"), fired("b", ".omp/rules"), fired("b", ".omp/rules")]
    assert run(SUMMARY, tmp_path, {"triggers": triggers}) == (
        "TTSR: rules 'a' in .omp/rules, 'a' in .pi/rules, 'b' fired 4 times (4 denied)"
    )
    assert run(SUMMARY, tmp_path, {"triggers": triggers[2:]}) == "TTSR: rule 'b' fired 2 times (2 denied)"


def test_a_missing_or_old_python_is_reported(tmp_path: Path) -> None:
    said = run(INSTALL, tmp_path, installation(tmp_path, ""))
    assert said == {
        "message": "The server needs Python 3.11 or later, and there is none on your PATH.",
        "remedy": "python",
    }
    old = executable(tmp_path / "bin" / "python3")
    old.write_text("#!/bin/sh\necho 3.9\n")
    said = run(INSTALL, tmp_path, installation(tmp_path, str(old.parent)))
    assert said["message"].endswith(f"there is none on your PATH ({old} is 3.9).")


def test_an_open_message_about_a_failed_installation_does_not_block_the_next_one(tmp_path: Path) -> None:
    done = run(ATTEMPTS, tmp_path, {})
    assert not done["underWay"]
    assert sorted(done["steps"]) == ["a joined caller goes on", "attempt", "attempt", "attempt", "no network"]


def test_the_message_about_a_failed_start_names_the_program(tmp_path: Path) -> None:
    actions: dict[str, list[str]] = {}
    for origin in ("setting", "workspace", "path", "uvx", "own"):
        program = {"kind": "found", "path": "/x/ttsr-ls", "prefix": [], "origin": origin}
        described = run(FAILED_START, tmp_path, {"program": program, "need": "A test"})
        assert described["message"].startswith("TTSR: A test needs the server. The server ")
        assert ("/x/ttsr-ls" in described["message"]) == (origin != "own")
        actions[origin] = described["actions"]
    assert actions["path"] == ["Start Server", "Show Log"]
    # The Python of the extension's environment may be gone.
    assert actions["own"] == ["Install", *actions["path"]]
    assert actions["setting"] == ["Open Setting", *actions["path"]]


def test_a_cancelled_installation_reports_no_missing_python(tmp_path: Path) -> None:
    given = installation(tmp_path, str(Path(sys.executable).parent)) | {"isCancelled": True}
    assert run(INSTALL, tmp_path, given) == {"message": "The installation was cancelled.", "remedy": "none"}


def test_a_missing_network_is_reported_and_leaves_no_files(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3").symlink_to(os.path.realpath(sys.executable))
    nobody = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": ""}
    said = run(INSTALL, tmp_path, installation(tmp_path, str(programs)), **nobody, PIP_EXTRA_INDEX_URL="")
    assert said["remedy"] == "network"
    assert "no connection to the package index" in said["message"]
    assert not (tmp_path / "own").exists()
