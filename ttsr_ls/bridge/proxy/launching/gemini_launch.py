"""Gemini CLI: sets `GOOGLE_GEMINI_BASE_URL`, which applies if Gemini CLI has an API key."""

from __future__ import annotations

from ttsr_ls.bridge.proxy.launching.launch_plan import AgentCommand, BaseAddress, LaunchPlan, LaunchRequest
from ttsr_ls.bridge.proxy.serving.routes import PUBLIC_UPSTREAMS
from ttsr_ls.errors import UsageError

_VARIABLE = "GOOGLE_GEMINI_BASE_URL"


def gemini_plan(request: LaunchRequest) -> LaunchPlan:
    """The plan for Gemini CLI. Raises UsageError for Vertex AI, whose address cannot be moved."""
    if request.environ.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() in ("1", "true"):
        raise UsageError("GOOGLE_GENAI_USE_VERTEXAI is set, and the proxy cannot stand before Vertex AI")
    upstream = request.environ.get(_VARIABLE) or PUBLIC_UPSTREAMS["gemini"]

    def build(base: BaseAddress) -> AgentCommand:
        return AgentCommand((request.program, *request.arguments), {_VARIABLE: base("gemini", "")})

    account = "With a login of Google instead of a key of the API, Gemini CLI does not pass the proxy."
    return LaunchPlan({"gemini": upstream}, build, (account,))
