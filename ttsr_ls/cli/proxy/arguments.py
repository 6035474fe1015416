"""The arguments that `proxy` and `run --proxy` share."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.cli.argument_types import whole_number


def add_proxy_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds the arguments that `proxy` and `run --proxy` share."""
    limits = ProxyLimits()
    parser.add_argument(
        "--refuse-unparsed",
        action="store_true",
        help="refuse requests that the proxy cannot read (default: pass them on without protection, and report them)",
    )
    parser.add_argument(
        "--no-content",
        action="store_true",
        help="write no text of prompts, answers, inputs, and results to the session log: only kinds, sizes, names of "
        "rules, and offsets (default: the setting `proxy-content` of the project)",
    )
    parser.add_argument(
        "--judge",
        metavar="NAME",
        help="the provider's name of the judge model, which is asked through the upstream of the request, with the key "
        "of the agent (default: none, and no question of a rule is asked)",
    )
    parser.add_argument(
        "--hold",
        type=whole_number(0, 9_999_999),
        default=limits.window,
        metavar="N",
        help=f"hold back at most N characters of an answer until its matches are final (default: {limits.window})",
    )
    parser.add_argument(
        "--retries",
        type=whole_number(0, 9_999_999),
        default=limits.retries_per_rule,
        metavar="N",
        help=f"how often a rule may interrupt in one turn before it only reminds (default: {limits.retries_per_rule})",
    )


def limits_of(args: argparse.Namespace) -> ProxyLimits:
    """Returns the limits that the arguments set."""
    return ProxyLimits(window=args.hold, retries_per_rule=args.retries)


def keeps_content(args: argparse.Namespace, cwd: Path) -> bool:
    """Returns whether session logs hold the conversation. A project can turn that off, and not on. Raises
    ConfigError."""
    from ttsr_ls.store.settings.config_file import ConfigFinder

    return not args.no_content and ConfigFinder().config_for(cwd).config.proxy_content
