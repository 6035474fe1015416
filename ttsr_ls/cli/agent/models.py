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
"""How many tokens a judge's answer may have: a line for each question, and the thinking of a model that thinks."""


class Models(Struct, frozen=True):
    """The models of one run. `judge` is None without a judge model."""

    api: Api
    model: Model
    judge: Judge | None
    judging: Model | None
    secrets: frozenset[str]
    """The environment variables that hold keys."""
    system_messages: SystemMessages | None = None
    """Whether the model takes system messages amid a conversation; None: as its API does."""
    context_window: int | None = None
    """In tokens; None if it is not known."""

    async def close(self) -> None:
        """Closes the connections. No request may follow."""
        await self.model.close()
        if self.judging is not None:
            await self.judging.close()


def models(args: argparse.Namespace) -> Models:
    """Creates the models that the arguments name. Raises UsageError, ScriptError."""
    secrets = {provider.key_variable for provider in PROVIDERS.values()}
    secrets |= {name for name in (args.key_variable, args.judge_key_variable) if name}
    secrets |= {name for name in [os.environ.get(JUDGE_VARIABLES["judge_key_variable"])] if name}
    script = None if args.script is None else _script(args.script)
    if script is None and args.model is None:
        raise UsageError("--model is needed, or --script for a scripted one")
    judging: Model | None = None
    judge_api = Api.ANTHROPIC
    named_endpoint = _judge(args)
    if named_endpoint is not None:
        judge_api, judging = named_endpoint.api, _http(structs.replace(named_endpoint, answer_limit=JUDGE_ANSWER_LIMIT))
    elif script is not None and script.judge:
        judging = ScriptedModel(script.judge)
    judge = None if judging is None else BoundedJudge(ModelJudge(judging, judge_api), JudgeLimits(), time.monotonic)
    if script is not None:
        model: Model = ScriptedModel(script.answers)
        return Models(
            Api.ANTHROPIC, model, judge, judging, frozenset(secrets), context_window=args.context_window or None
        )
    endpoint = _endpoint(args.provider, args.model, args.base_url, args.key_variable)
    system, window = system_message_support(endpoint), args.context_window
    known = context_window_of(endpoint.model) if window is None else window or None
    return Models(endpoint.api, _http(endpoint), judge, judging, frozenset(secrets), system, known)


def _judge(args: argparse.Namespace) -> Endpoint | None:
    """The judge that the arguments name, or else the environment; a script is played without that of the environment.

    Never one that a project names: its folder could have an agent's words, and a key, sent anywhere.
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
    model = _http(structs.replace(endpoint, answer_limit=JUDGE_ANSWER_LIMIT))
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
    # The key of a provider is not for whatever else somebody names.
    variable = key_variable or (model_provider.key_variable if url is None else None)
    return Endpoint(model_provider.api, url or model_provider.url, model, variable)


def _http(endpoint: Endpoint) -> Model:
    return HttpModel(endpoint, endpoint.key(os.environ))


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
