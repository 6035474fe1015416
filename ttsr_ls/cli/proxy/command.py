"""`ttsr-ls proxy`: runs the proxy alone, for agents that are started elsewhere."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import whole_number
from ttsr_ls.cli.named_folders import add_cwd_argument, add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.proxy.arguments import add_proxy_arguments

DEFAULT_PORT = 8792


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `proxy`."""
    add_examples(
        parser, "[options]", ("proxy", "print the addresses for agents"), ("proxy --port 0", "on any free port")
    )
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=DEFAULT_PORT,
        help=f"the port (default: {DEFAULT_PORT}; 0: any that is free)",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1, this machine alone)"
    )
    parser.add_argument(
        "--upstream",
        action="append",
        default=[],
        metavar="NAME=URL",
        help="forward requests for /s/TOKEN/NAME/… to this address; may be repeated (default: the addresses of the "
        "providers as anthropic, openai, and gemini)",
    )
    parser.add_argument(
        "--state",
        metavar="URL",
        help="redis://HOST:PORT/NUMBER: share sessions with other processes, which have the same token",
    )
    add_cwd_argument(parser, "the folder that agents run in")
    add_rules_argument(parser)
    parser.add_argument(
        "--no-log", action="store_true", help="write no session log; edits are lost when the proxy ends"
    )
    add_proxy_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serves until a signal ends it. Raises UsageError."""
    from ttsr_ls.cli.proxy.run_proxy import run_proxy

    return run_proxy(args)
