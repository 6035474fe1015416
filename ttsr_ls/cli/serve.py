"""`ttsr-ls serve`: the language server on standard input and output."""

from __future__ import annotations

import argparse
import gc

from ttsr_ls.cli.printing.help_text import add_examples

_WHILE_IMPORTING = (5_000, 1_000, 1_000)
"""The thresholds of the collector: it frees young garbage, of which there are 10 MB, and skips older objects."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `serve`."""
    add_examples(parser, "[options]", ("serve", "as the command of a language server in an editor"))
    # Client libraries of editors pass it by default.
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="accepted for editors that pass it; the server always uses standard input and output",
    )


def run(args: argparse.Namespace) -> int:
    """Serves one client; returns when it leaves."""
    # The protocol's types are a hundred thousand objects that stay. Collections that traverse them take a tenth of the
    # start, and later tens of milliseconds each.
    thresholds = gc.get_threshold()
    gc.set_threshold(*_WHILE_IMPORTING)
    from ttsr_ls.lsp.main import serve

    gc.freeze()
    gc.set_threshold(*thresholds)
    return serve()
