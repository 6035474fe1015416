"""`ttsr/ruleTests`: lists the tests of rules, and runs them."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: Any) -> dict[str, Any]:
    """The answer to `{uris?, run?}`. Raises `JsonRpcInvalidParams`, which says what is wrong with them."""
    from ttsr_ls.lsp.trial.rule_test_runs import list_rule_tests, run_rule_tests

    given = params if isinstance(params, dict) else {}
    uris = given.get("uris")
    if uris is not None and not (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris)):
        raise JsonRpcInvalidParams("'uris' of ttsr/ruleTests is a list of URIs of rules and of their test files")
    named = None if uris is None else tuple(uris)
    encoding = server.client.encoding
    if given.get("run") is not True:
        return await server.off_loop(list_rule_tests, named, server.current, encoding)
    return await server.off_loop(run_rule_tests, named, server.current, encoding, server.trials)
