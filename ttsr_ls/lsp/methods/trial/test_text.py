"""`ttsr/testText`: tries rules on a text, and answers with all matches, firings and gates."""

from __future__ import annotations

from typing import Any

from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: Any) -> dict[str, Any]:
    """The answer to a `TestTextParams`. Raises `JsonRpcInvalidParams` with the reason."""
    # Imported lazily: these take long to import, and the first analysis must not wait for them.
    from ttsr_ls.lsp.trial.trial_params import read_trial_params

    query = read_trial_params(params)
    return await server.off_loop_first(server.trials.test_text, query, server.current, server.client.encoding)
