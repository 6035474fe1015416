"""The public names that `ttsr_ls` exports lazily. All other names may change."""

from __future__ import annotations

from ttsr_ls.bridge.host.clock import Clock
from ttsr_ls.bridge.host.events import (
    AnswerInterrupted,
    CallDenied,
    CallInputChanged,
    FeatureDisabled,
    LimitReached,
    LogFailed,
    LogIncomplete,
    LogRecovered,
    ReminderInjected,
    RequestRetried,
    RuleReloadFailed,
    RulesDeferred,
    RulesReloaded,
    RulesTriggered,
    SessionEvent,
    TextInjected,
    TurnFinished,
    WarningInjected,
)
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.turns.turn import TurnRun
from ttsr_ls.bridge.host.turns.turn_request import TurnRequest
from ttsr_ls.bridge.model.client import HttpModel
from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError
from ttsr_ls.bridge.model.judge import ModelJudge
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.features.judge.bounded_judge import BoundedJudge, JudgeLimits
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import ContextMode, Matching, RepeatMode, RepeatUnit, Settings
from ttsr_ls.session.history.request_limits import RequestLimits
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import (
    AgentMessage,
    BackgroundHook,
    ChannelMessage,
    GoalContinuation,
    RehydratedFile,
    ScheduledTask,
    Turn,
    UserInput,
)
from ttsr_ls.session.history.turn_events import (
    ConditionTooSlow,
    ModelCall,
    StepAppended,
    StreamMatchingEnded,
    TriggersSuppressed,
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
    ToolResultContext,
    ToolResultResult,
    TurnContext,
)
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone, ToolFailed
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate, NoiseLimits, Silence
from ttsr_ls.session.lifecycle.templates import Templates
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming
from ttsr_ls.store.files.bounded_file import RuleUnreadableError
from ttsr_ls.store.log.errors import LogBusyError, LogNotUnderstoodError, LogWriteError

__all__ = [
    "AbortedContext",
    "AbortedResult",
    "AgentMessage",
    "AnswerInterrupted",
    "Api",
    "Append",
    "BackgroundHook",
    "BoundedJudge",
    "CallDenied",
    "CallInputChanged",
    "ChangeInput",
    "ChannelMessage",
    "Clock",
    "ConditionTooSlow",
    "ContextMode",
    "DeltaContext",
    "DeltaResult",
    "Deny",
    "Ending",
    "Endpoint",
    "Feature",
    "FeatureDisabled",
    "FeatureTool",
    "FollowUp",
    "GoalContinuation",
    "HttpModel",
    "Image",
    "Interrupt",
    "InterruptMode",
    "JudgeFeature",
    "JudgeLimits",
    "LimitReached",
    "LogBusyError",
    "LogFailed",
    "LogFailurePolicy",
    "LogIncomplete",
    "LogNotUnderstoodError",
    "LogRecovered",
    "LogWriteError",
    "Matching",
    "ModelCall",
    "ModelError",
    "ModelJudge",
    "NoiseGate",
    "NoiseLimits",
    "Note",
    "OutputContext",
    "OutputResult",
    "Prepend",
    "Proceed",
    "RehydratedFile",
    "ReminderInjected",
    "RepeatMode",
    "RepeatUnit",
    "RequestContext",
    "RequestLimits",
    "RequestResult",
    "RequestRetried",
    "Resume",
    "Rewindable",
    "RuleReloadFailed",
    "RuleSet",
    "RuleUnreadableError",
    "RulesDeferred",
    "RulesReloaded",
    "RulesTriggered",
    "ScheduledTask",
    "Session",
    "SessionEvent",
    "Settings",
    "Silence",
    "StepAppended",
    "StreamMatchingEnded",
    "SystemMessages",
    "TaskFeature",
    "Templates",
    "Text",
    "TextInjected",
    "Thinking",
    "ToolCall",
    "ToolCallContext",
    "ToolCallResult",
    "ToolDone",
    "ToolFailed",
    "ToolResultContext",
    "ToolResultResult",
    "TriggersSuppressed",
    "Trimming",
    "TtsrError",
    "Turn",
    "TurnContext",
    "TurnEnded",
    "TurnEvent",
    "TurnFinished",
    "TurnRequest",
    "TurnRun",
    "TurnStarted",
    "Usage",
    "UsageError",
    "UserInput",
    "WarningInjected",
]
