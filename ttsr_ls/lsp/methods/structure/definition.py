"""`textDocument/definition`: the file of the rule that is named, and the condition that a test names."""

from __future__ import annotations

from pathlib import Path, PurePath

from lsprotocol import types

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_names.config_globs import config_globs
from ttsr_ls.ide.rule_names.mentions import CONFIG_FILES
from ttsr_ls.ide.rule_names.rule_at import rule_at
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.convert import lsp_range, offset_of
from ttsr_ls.lsp.rule_locations import paths_of_rules, rule_locations
from ttsr_ls.lsp.rule_names.rule_files import files_of_rule, rules_matching
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import is_file
from ttsr_ls.rule_tests.case_file_names import is_case_file
from ttsr_ls.text import Encoding

_MAX_LOCATIONS = 100
_Locations = types.Location | list[types.Location] | None


async def handle(server: Server, params: types.DefinitionParams) -> _Locations:
    """The start of the file, or of each file that has the name; None if no rule is named."""
    document = server.current.documents.get(params.text_document.uri)
    if document is None or document.version is None or not is_file(document.uri):
        return None
    offset = offset_of(params.position, document, server.client.encoding)
    return await server.off_loop_first(_definition, document, offset, server.current, server.client.encoding)


def _definition(document: Document, offset: int, workspace: Workspace, encoding: Encoding) -> _Locations:
    if is_case_file(document.path):
        return _tested(document, offset, workspace, encoding)
    name = PurePath(document.path).name
    if name in CONFIG_FILES:
        found = config_globs(document.text, is_shared=name == CONFIG_FILES[1])
        glob = next((glob for glob in found if glob.span.contains(offset)), None)
        paths = () if glob is None else rules_matching(glob, document.path, workspace)
        return [_start_of(path) for path in paths[:_MAX_LOCATIONS]] or None
    is_rule = workspace.rule_document(document.uri) is not None
    rule_at_offset = rule_at(document, offset, is_rule=is_rule)
    if rule_at_offset is None:
        return None
    if is_rule and not rule_at_offset.is_own:
        path = paths_of_rules((rule_at_offset.name,), document.path, workspace).get(rule_at_offset.name)
        return None if path is None else _start_of(path)
    rule = files_of_rule(rule_at_offset.name, document.path, workspace)
    if rule is not None:
        paths = rule.paths
    else:  # A user's settings, which hold for the rules of all folders.
        paths = tuple(path for name, path in rule_locations(workspace) if name == rule_at_offset.name)
    return [_start_of(path) for path in paths[:_MAX_LOCATIONS]] or None


def _tested(document: Document, offset: int, workspace: Workspace, encoding: Encoding) -> types.Location | None:
    """The condition that is expected at an offset of a test file; elsewhere in it, the rule."""
    # Imported lazily: these take long to import, and most documents are no test files.
    from ttsr_ls.lsp.trial.trial_rules import document_at
    from ttsr_ls.rule_tests.case_file import read_case_file
    from ttsr_ls.store.case_file_paths import rule_file_of

    path = rule_file_of(Path(document.path))
    if path is None:
        return None
    for case in read_case_file(document.text).cases:
        span = case.expected_spans.get("condition")
        if span is not None and span.contains(offset):
            rule = document_at(file_uri(str(path)), None, workspace)
            fields = None if rule is None else read_document(rule).fields
            conditions = () if fields is None else (*fields.conditions, *fields.ast_conditions)
            suggestion = next(
                (mapped_text for mapped_text in conditions if mapped_text.value == case.expected.condition), None
            )
            if rule is not None and suggestion is not None:
                return types.Location(rule.uri, lsp_range(suggestion.span, rule.index, encoding))
    return _start_of(str(path))


def _start_of(path: str) -> types.Location:
    start = types.Position(0, 0)
    return types.Location(file_uri(path), types.Range(start, start))
