"""The script that agents run as a hook. It sends the input of the hook to the server, and is not a Python program."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.client.failure_header import FAILURE_DENIES, FAILURE_HEADER
from ttsr_ls.bridge.agent_hooks.client.perl_request import NO_ANSWER, PERL, perl_request
from ttsr_ls.errors import UsageError
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.store.hook_server_file import HookServerAddress, address_file
from ttsr_ls.store.proxied_sessions import PROXY_VARIABLE

CLIENT_NAME = "ttsr-hook"
"""The name of the script."""

_EXECUTABLE = 0o700
HOOK_TIMEOUT = 5
"""How long an agent waits for a hook, in seconds."""
START_TIMEOUT = 15
"""How long an agent waits for a hook that starts the server, or waits for its start, in seconds."""
JUDGE_TIMEOUT = 60
"""How long a hook in the background waits for the judge, in seconds."""

_ANSWER_TIMEOUT = HOOK_TIMEOUT - 1
"""Shorter than the agent's own timeout, after which the hook could not report that the server does not answer."""

_DENIES = f"{FAILURE_HEADER}: {FAILURE_DENIES}"

_PERL = PERL if sys.platform == "linux" else None

_UNCHECKED = "ttsr-ls: this call was not checked, because the hook server does not answer. Run: ttsr-ls doctor"


def client_file(state: Path) -> Path:
    """The path of the script. `state` is that of `session_dirs.state_home`."""
    return address_file(state).with_name(CLIENT_NAME)


def write_client_script(state: Path, address: HookServerAddress) -> None:
    """Writes the script for the server at `address`. Raises UsageError."""
    path = client_file(state)
    try:
        replace_file(path, client_script(address.url, address.authorization).encode(), _EXECUTABLE)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def client_script(url: str, authorization: str, perl: str | None = _PERL, seconds: int = _ANSWER_TIMEOUT) -> str:
    """Returns the script. It prints a message if the server at `url` does not answer within so many seconds.

    Agents wait for most hooks, so Perl sends their input where it is, as `curl` takes 8 ms to start. The user's own
    settings of `curl` and of Perl are ignored, because they could change the output. `authorization` is the header of
    its requests. It is passed to `curl` by a descriptor, so that no list of processes shows it. The second argument
    of the script is a mode: `judge`, `wait`, or `closed`, which denies the call if the server does not answer, or
    cannot match it completely.
    """
    return f"""\
#!/bin/sh
# Hands the input of an agent's hook to the hook server of ttsr-ls. Usage: {CLIENT_NAME} AGENT [judge | wait | closed]
send() {{
  curl --disable --silent --fail --noproxy '*' --data-binary @- --config /dev/fd/3 "$@" 3<<'END'
header = "Authorization: {authorization}"
END
}}
case $2 in
judge)  # In the background. The exit status 2 wakes the agent with what the judge found.
  answer=$(send --max-time {JUDGE_TIMEOUT} {shlex.quote(url)}/"$1"/judge) && [ -n "$answer" ] && {{
    printf '%s\n' "$answer" >&2
    exit 2
  }}
  exit 0 ;;
wait)  # The server may be starting.
  send --max-time {START_TIMEOUT} --retry {START_TIMEOUT} --retry-delay 1 --retry-connrefused {shlex.quote(url)}/"$1"
  exit 0 ;;
esac
{_perl_call(perl)}if [ "$status" != {NO_ANSWER} ] && answer=$(
  send --max-time {seconds} ${{2:+--header "{_DENIES}"}} {shlex.quote(url)}/"$1"
); then
  printf '%s\\n' "$answer"
  exit 0
fi
# The proxy or `run` enforces its own session without the server.
if [ "${{{PROXY_VARIABLE}:-}}" = "$1" ]; then
  printf '{{}}\\n'
  exit 0
fi
case $2 in
closed)  # The exit status 2 denies the call.
  printf '%s\\n' '{_UNCHECKED}' >&2
  exit 2 ;;
esac
printf '%s\\n' '{{"systemMessage": "ttsr-ls: the hook server does not answer, so rules are off. Run: ttsr-ls doctor"}}'
{"" if perl is None else perl_request(url, authorization, _DENIES, seconds)}"""


def _perl_call(perl: str | None) -> str:
    if perl is None:
        return "status=1\n"
    return f"""\
status=1
if [ -x {perl} ]; then
  unset PERL5OPT PERL5LIB PERLLIB PERL_UNICODE PERLIO
  LC_ALL=C {perl} -x "$0" "$1" "$2" && exit 0
  status=$?
fi
"""
