"""The arguments of `agent` that name models."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import path_argument, whole_number

PROVIDER_NAMES = ("anthropic", "openai", "openai-responses", "gemini")
"""The values of `--provider`; a test compares them with `PROVIDERS` in `cli.agent.models`."""


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that name models."""
    model = parser.add_argument_group("the model")
    model.add_argument(
        "--script",
        type=path_argument,
        metavar="FILE",
        help="a YAML file with the answers of a scripted model, instead of a real one",
    )
    model.add_argument(
        "--provider", choices=PROVIDER_NAMES, default="anthropic", help="the API of the model (default: anthropic)"
    )
    model.add_argument("--model", metavar="NAME", help="the provider's name of the model")
    model.add_argument("--base-url", metavar="URL", help="the address of the API (default: the provider's own)")
    model.add_argument(
        "--key-variable",
        metavar="NAME",
        help="the environment variable with the API key (default: the provider's own; none with --base-url)",
    )
    model.add_argument(
        "--context-window",
        type=whole_number(0),
        metavar="N",
        help="the tokens of the model's context window; the history is compacted before it is full, never with 0 "
        "(default: 200000 for Claude, 1000000 for Gemini, else 0)",
    )
    judge = parser.add_argument_group("the judge model, which answers the questions of rules")
    judge.add_argument(
        "--judge",
        metavar="NAME",
        help="the provider's name of the judge model (default: none, and no question is asked)",
    )
    judge.add_argument(
        "--judge-provider", choices=PROVIDER_NAMES, help="the API of the judge model (default: as --provider)"
    )
    judge.add_argument("--judge-base-url", metavar="URL", help="its address (default: the provider's own)")
    judge.add_argument("--judge-key-variable", metavar="NAME", help="the environment variable with its API key")
