"""Runs `quiet`: reads the limits of a workspace, changes them, and lists them."""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_error, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.store.log.recorded_names import agent_session_names, recorded_rule_names
from ttsr_ls.store.log.session_dirs import is_being_written, log_folder_of, session_files
from ttsr_ls.store.noise_file import StoredNoise, StoredSilence, lock_noise, read_noise, write_noise
from ttsr_ls.syntax.nearest_word import nearest_word

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def run_quiet(args: argparse.Namespace) -> int:
    """Changes what is silenced in the workspace of the current folder, and lists it. Raises UsageError."""
    folder = log_folder_of(Path.cwd())
    moment = epoch_ms()
    limits = read_noise(folder).without_ended(moment)
    names = tuple(dict.fromkeys(args.names))
    added: tuple[StoredSilence, ...] = ()
    if names and not args.off:
        _check_names(names, args, folder)
        added = _silences(names, args, folder, moment)
    elif not args.off and (args.duration is not None or args.session is not None):
        raise UsageError("name the rules to silence")
    if names or args.off or args.per_turn is not None or args.per_session is not None:
        with lock_noise(folder):
            before = read_noise(folder).without_ended(moment)
            limits = _changed(before, added, args)
            if limits != before:
                write_noise(folder, limits)
    _print_silences(limits, moment)
    return ExitCode.OK


def _changed(before: StoredNoise, added: tuple[StoredSilence, ...], args: argparse.Namespace) -> StoredNoise:
    names = tuple(dict.fromkeys(args.names))
    limits = before.without(names) if names or not args.off else StoredNoise()
    if args.off and names and limits == before:
        raise UsageError(f"not silenced: {', '.join(names)}")
    limits = replace(limits, silences=(*limits.silences, *added))
    if args.per_turn is not None:
        limits = replace(limits, per_turn=args.per_turn or None)
    if args.per_session is not None:
        limits = replace(limits, per_session=args.per_session or None)
    return limits


def _silences(names: tuple[str, ...], args: argparse.Namespace, folder: Path, moment: int) -> tuple[StoredSilence, ...]:
    if args.duration is not None:
        return tuple(StoredSilence(name, moment + args.duration * 1000) for name in names)
    session = _SilencedSession.find(args.session, folder)
    if not session.is_running:
        write_error(
            one_line(
                f"the session {session.log.stem} has ended, so this has no effect unless it is continued; "
                "silence the rule in later sessions with --for"
            )
        )
    return tuple(StoredSilence(name, session=session.log.stem, agent_session=session.name) for name in names)


def _check_names(names: tuple[str, ...], args: argparse.Namespace, folder: Path) -> None:
    """Raises UsageError for a name that no rule here has, and no rule of a session that runs."""
    known_names: set[str] = set()
    unread: TtsrError | None = None
    try:
        rules = rules_at(AgentEnvironment.current(), named_folders(args))
        known_names |= {rule.name for rule in rules.session_rules().rules}
    except UsageError:
        raise
    except TtsrError as error:
        # The rules of a running session can be silenced despite a mistake in the configuration.
        unread = error
    if known_names.issuperset(names):
        return
    for log in filter(is_being_written, session_files(folder)):
        known_names |= recorded_rule_names(log)
    for name in names:
        if name not in known_names:
            if unread is not None:
                raise UsageError(
                    f"the rules here cannot be read, and no running session has a rule '{name}', so nothing was "
                    f"silenced: {unread}"
                )
            nearest = nearest_word(name, sorted(known_names))
            advice = "'ttsr-ls list --all' shows all rules" if nearest is None else f"did you mean '{nearest}'?"
            raise UsageError(f"no rule in force here has the name '{name}', so nothing was silenced; {advice}")


class _SilencedSession(Struct, frozen=True):
    """A session, by one of its logs: it has several if several programs serve it. `name` is the agent's name of the
    session; None if the log has none.
    """

    log: Path
    name: str | None
    is_running: bool

    @staticmethod
    def find(named: str | None, folder: Path) -> _SilencedSession:
        """The session with this name, of a log or of an agent; by default the latest one that runs.

        Raises UsageError if there is none.
        """
        logs = session_files(folder)[::-1]
        if named is None:
            running_log = next(filter(is_being_written, logs), None)
            if running_log is None:
                raise UsageError(
                    "no session is running in this folder; --session names one that you will continue, and --for "
                    "silences the rule for a time"
                )
            log = running_log
        else:
            log = _named_log(named, logs)
        names = agent_session_names(log)
        name = named if named in names else names[-1] if names else None
        running = [each for each in logs if is_being_written(each)]
        is_running = log in running or any(name in agent_session_names(each) for each in running)
        return _SilencedSession(log, name, is_running)


def _named_log(named: str, logs: tuple[Path, ...]) -> Path:
    found = [log for log in logs if log.stem.endswith(named)]
    found = found or [log for log in logs if named in agent_session_names(log)]
    if not found:
        raise UsageError(f"there is no session {named}; 'ttsr-ls sessions list' lists them")
    # Several programs may serve one session, and a session that is continued has a log for each time.
    if len(found) > 1 and len({agent_session_names(log)[-1:] or log for log in found}) > 1:
        raise UsageError(f"several sessions match {named}; 'ttsr-ls sessions list' lists them")
    return next(filter(is_being_written, found), found[0])


def _print_silences(limits: StoredNoise, moment: int) -> None:
    for silence in limits.silences:
        remaining = "" if silence.until is None else f" for {_shown(silence.until - moment)}"
        place = "" if silence.session is None else f" in the session {one_line(silence.session)}"
        write_line(f"{one_line(silence.rule)} is silenced{remaining}{place}.")
    if not limits.silences:
        write_line("No rule is silenced.")
    for cap, period in ((limits.per_turn, "turn"), (limits.per_session, "session")):
        if cap is not None:
            write_line(f"At most {count(cap, 'trigger')} {'takes' if cap == 1 else 'take'} effect in a {period}.")


def _shown(milliseconds: int) -> str:
    seconds = max(1, round(milliseconds / 1000))
    for size, unit in _UNITS:
        if seconds % size == 0 or seconds >= 2 * size:
            return f"{round(seconds / size)} {unit}"
    return f"{seconds} s"
