"""Determines at which points of an exchange the features of a session are asked."""

from __future__ import annotations

from ttsr_ls.bridge.proxy.features.proxy_features import ProxyFeatures
from ttsr_ls.bridge.proxy.features.questions import NO_HOOKS, HookDemand
from ttsr_ls.bridge.proxy.ledger.ledger import Ledger
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.requests.offered_tools import tool_names
from ttsr_ls.session.hooks.feature_tools import FeatureTool


def hook_demand(
    features: ProxyFeatures | None, ledger: Ledger, conversation: Conversation, agent: str, subagent: str
) -> HookDemand:
    """Returns the points at which features are asked about an exchange of `agent`, and the tools that they offer in it.

    `subagent` is the client's id of the subagent that sent the request, blank for the main agent. Only the main agent
    gets tools.
    """
    if features is None:
        return NO_HOOKS
    tools = () if subagent else _tools(features, ledger, conversation)
    return HookDemand(
        requests=features.overrides("on_request", "on_tool_result"),
        calls=bool(tools) or features.overrides("before_tool_call"),
        answers=features.judges(agent) or features.overrides("on_output_end", "on_turn_end"),
        tools=tools,
    )


def _tools(features: ProxyFeatures, ledger: Ledger, conversation: Conversation) -> tuple[FeatureTool, ...]:
    """Returns the tools to offer: from the first request of a conversation on, or never, because signatures of thinking
    depend on the list of tools."""
    if not features.tools or not conversation.has_tools:
        return ()
    is_new = not any(item.is_model for item in conversation.items)
    if not is_new and not ledger.has_offered_tools(conversation.root):
        return ()
    taken = tool_names(conversation.fields)
    for tool in features.tools:
        if tool.name in taken:
            features.omit_tool(tool.name)
    return features.tools
