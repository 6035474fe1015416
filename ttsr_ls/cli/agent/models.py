"""Creates the models that `ttsr-ls agent` asks: those that its arguments name, and scripted ones."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from msgspec import Struct, structs

from ttsr_ls.bridge.model.client import HttpModel, Model
from ttsr_ls.bridge.model.context_windows import context_window_of
from ttsr_ls.bridge.model.endpoint import ANTHROPIC_URL, GEMINI_URL, OPENAI_URL, Endpoint
from ttsr_ls.bridge.model.judge import ModelJudge
from ttsr_ls.bridge.model.script import MAX_LENGTH, Script, ScriptError, read_script
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.bridge.model.system_messages import system_message_support
from ttsr_ls.cli.agent.judge_variables import JUDGE_VARIABLES
from ttsr_ls.errors import UsageError
from ttsr_ls.features.judge.bounded_judge import BoundedJudge, JudgeLimits
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.store.files.bounded_file import read_bytes


class ModelProvider(Struct, frozen=True):
    """A kind of provider: its API, its address, and the environment variable that usually holds its key."""

    api: Api
    url: str
    key_variable: str


PROVIDERS = {
    "anthropic": ModelProvider(Api.ANTHROPIC, ANTHROPIC_URL, "ANTHROPIC_API_KEY"),
    "openai": ModelProvider(Api.OPENAI_CHAT, OPENAI_URL, "OPENAI_API_KEY"),
    "openai-responses": ModelProvider(Api.OPENAI_RESPONSES, OPENAI_URL, "OPENAI_API_KEY"),
    "gemini": ModelProvider(Api.GEMINI, GEMINI_URL, "GEMINI_API_KEY"),
}


JUDGE_ANSWER_LIMIT = 2_000
"""The maximum of tokens in a judge's answer: a line for each question, and the thinking of a reasoning model."""


class Models(Struct, frozen=True):
    """The models of one run. `judge` and `judge_model`, which it asks, are None without a judge model."""

    api: Api
    model: Model
    judge: Judge | None
    judge_model: Model | None
    secrets: frozenset[str]
    """The environment variables that hold keys."""
    system_messages: SystemMessages | None = None
    """Whether the model accepts system messages within a conversation; None: as its API does."""
    context_window: int | None = None
    """In tokens; None if it is not known."""

    async def close(self) -> None:
        """Closes the connections. No request may follow."""
        await self.model.close()
        if self.judge_model is not None:
            await self.judge_model.close()


def build_models(args: argparse.Namespace) -> Models:
    """Creates the models that the arguments name. Raises UsageError, ScriptError."""
    secrets = {provider.key_variable for provider in PROVIDERS.values()}
    secrets |= {name for name in (args.key_variable, args.judge_key_variable) if name}
    secrets |= {name for name in [os.environ.get(JUDGE_VARIABLES["judge_key_variable"])] if name}
    script = None if args.script is None else _script(args.script)
    if script is None and args.model is None:
        raise UsageError("name a model with --model, or the file of a scripted one with --script")
    judge_model: Model | None = None
    judge_api = Api.ANTHROPIC
    judge_endpoint = _judge_endpoint_of_run(args)
    if judge_endpoint is not None:
        judge_api, judge_model = judge_endpoint.api, _judge_http(judge_endpoint)
    elif script is not None and script.judge:
        judge_model = ScriptedModel(script.judge)
    judge = None
    if judge_model is not None:
        judge = BoundedJudge(ModelJudge(judge_model, judge_api), JudgeLimits(), time.monotonic)
    if script is not None:
        model: Model = ScriptedModel(script.answers)
        return Models(
            Api.ANTHROPIC, model, judge, judge_model, frozenset(secrets), context_window=args.context_window or None
        )
    endpoint = _endpoint(args.provider, args.model, args.base_url, args.key_variable)
    system, window = system_message_support(endpoint), args.context_window
    context_window = context_window_of(endpoint.model) if window is None else window or None
    return Models(endpoint.api, _http(endpoint), judge, judge_model, frozenset(secrets), system, context_window)


def _judge_endpoint_of_run(args: argparse.Namespace) -> Endpoint | None:
    """The endpoint of the judge that the arguments name, else the environment; with a script, only the arguments.

    A project cannot name a judge: a cloned repository could otherwise send the agent's output, and a key, anywhere.
    """
    settings = {name: getattr(args, name) for name in JUDGE_VARIABLES}
    if settings["judge"] is None and args.script is None:
        settings = {name: value or os.environ.get(JUDGE_VARIABLES[name]) or None for name, value in settings.items()}
    return _judge_endpoint(settings, args.provider)


def judge_of_environment() -> tuple[ModelJudge, Model] | None:
    """Creates the judge that the environment names, without limits, and its model; None: no judge.

    Raises UsageError.
    """
    endpoint = _judge_endpoint(
        {name: os.environ.get(item) or None for name, item in JUDGE_VARIABLES.items()}, "anthropic"
    )
    if endpoint is None:
        return None
    model = _judge_http(endpoint)
    return ModelJudge(model, endpoint.api), model


def _judge_endpoint(settings: dict[str, str | None], default: str) -> Endpoint | None:
    if settings["judge"] is None:
        return None
    provider = settings["judge_provider"] or default
    if provider not in PROVIDERS:
        provider_names = ", ".join(PROVIDERS)
        raise UsageError(f"{JUDGE_VARIABLES['judge_provider']} is {provider}; write one of {provider_names}")
    return _endpoint(provider, settings["judge"], settings["judge_base_url"], settings["judge_key_variable"])


def _endpoint(provider: str, model: str, url: str | None, key_variable: str | None) -> Endpoint:
    model_provider = PROVIDERS[provider]
    # The provider's key is not sent to another address.
    variable = key_variable or (model_provider.key_variable if url is None else None)
    return Endpoint(model_provider.api, url or model_provider.url, model, variable)


def _http(endpoint: Endpoint) -> Model:
    return HttpModel(endpoint, endpoint.key(os.environ))


def _judge_http(endpoint: Endpoint) -> Model:
    return _http(structs.replace(endpoint, answer_limit=JUDGE_ANSWER_LIMIT))


def _script(path: Path) -> Script:
    try:
        # A character takes four bytes at the most.
        text = read_bytes(path, 4 * (MAX_LENGTH + 1)).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    try:
        return read_script(text)
    except ScriptError as error:
        raise ScriptError(f"{path}: {error}") from error
