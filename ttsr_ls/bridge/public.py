"""The public names of `ttsr_ls`, which passes them on when one is asked for. Whatever else there is may change."""

from __future__ import annotations

from ttsr_ls.bridge.host.clock import Clock
from ttsr_ls.bridge.host.events import (
    CallDenied,
    Deferred,
    FeatureOff,
    Injected,
    InputChanged,
    Interrupted,
    LimitReached,
    LogFailed,
    LogIncomplete,
    LogRecovered,
    Reminded,
    Retried,
    RulesTriggered,
    SessionEvent,
    TurnOver,
    Warned,
)
from ttsr_ls.bridge.host.recorder import OnLogFailure
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.turns.turn import Request, TurnRun
from ttsr_ls.bridge.model.client import HttpModel
from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError
from ttsr_ls.bridge.model.judge import ModelJudge
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.features.judge.bounded import BoundedJudge, JudgeLimits
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import ContextMode, Matching, RepeatMode, RepeatUnit, Settings
from ttsr_ls.session.history.request_limits import RequestLimits
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import (
    BackgroundHook,
    FromAgent,
    FromChannel,
    GoalContinuation,
    RehydratedFile,
    Scheduled,
    Turn,
    UserInput,
)
from ttsr_ls.session.history.turn_events import (
    ConditionTooSlow,
    ModelCall,
    StepAppended,
    StreamUnwatched,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    Usage,
)
from ttsr_ls.session.history.turn_output import Image, Text, Thinking, ToolCall
from ttsr_ls.session.hooks.contract import (
    AbortedContext,
    AbortedResult,
    Append,
    ChangeInput,
    DeltaContext,
    DeltaResult,
    Deny,
    Ending,
    Feature,
    FeatureTool,
    FollowUp,
    Interrupt,
    Note,
    OutputContext,
    OutputResult,
    Prepend,
    Proceed,
    RequestContext,
    RequestResult,
    Resume,
    ToolCallContext,
    ToolCallResult,
    ToolDone,
    ToolFailed,
    ToolResultContext,
    ToolResultResult,
    TurnContext,
)
from ttsr_ls.session.lifecycle.templates import Templates
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming
from ttsr_ls.store.bounded_file import RuleUnreadableError
from ttsr_ls.store.log.errors import LogBusyError, LogNotUnderstoodError, LogWriteError

__all__ = [
    "AbortedContext",
    "AbortedResult",
    "Api",
    "Append",
    "BackgroundHook",
    "BoundedJudge",
    "CallDenied",
    "ChangeInput",
    "Clock",
    "ConditionTooSlow",
    "ContextMode",
    "Deferred",
    "DeltaContext",
    "DeltaResult",
    "Deny",
    "Ending",
    "Endpoint",
    "Feature",
    "FeatureOff",
    "FeatureTool",
    "FollowUp",
    "FromAgent",
    "FromChannel",
    "GoalContinuation",
    "HttpModel",
    "Image",
    "Injected",
    "InputChanged",
    "Interrupt",
    "InterruptMode",
    "Interrupted",
    "JudgeFeature",
    "JudgeLimits",
    "LimitReached",
    "LogBusyError",
    "LogFailed",
    "LogIncomplete",
    "LogNotUnderstoodError",
    "LogRecovered",
    "LogWriteError",
    "Matching",
    "ModelCall",
    "ModelError",
    "ModelJudge",
    "Note",
    "OnLogFailure",
    "OutputContext",
    "OutputResult",
    "Prepend",
    "Proceed",
    "RehydratedFile",
    "Reminded",
    "RepeatMode",
    "RepeatUnit",
    "Request",
    "RequestContext",
    "RequestLimits",
    "RequestResult",
    "Resume",
    "Retried",
    "Rewindable",
    "RuleSet",
    "RuleUnreadableError",
    "RulesTriggered",
    "Scheduled",
    "Session",
    "SessionEvent",
    "Settings",
    "StepAppended",
    "StreamUnwatched",
    "SystemMessages",
    "TaskFeature",
    "Templates",
    "Text",
    "Thinking",
    "ToolCall",
    "ToolCallContext",
    "ToolCallResult",
    "ToolDone",
    "ToolFailed",
    "ToolResultContext",
    "ToolResultResult",
    "Trimming",
    "TtsrError",
    "Turn",
    "TurnContext",
    "TurnEnded",
    "TurnEvent",
    "TurnOver",
    "TurnRun",
    "TurnStarted",
    "Usage",
    "UsageError",
    "UserInput",
    "Warned",
]
