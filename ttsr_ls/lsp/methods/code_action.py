"""`textDocument/codeAction`: fixes of findings, one or many, suppressions, and documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from ttsr_ls.ide.actions.fix_all import all_safe_fixes, fixes_by_code
from ttsr_ls.ide.actions.quick_fixes import OfferedFix, findings_at, fix_title, quick_fixes, whole_lines
from ttsr_ls.ide.actions.suppressing import suppression_edit
from ttsr_ls.ide.analysis import Analysis
from ttsr_ls.lint.finding import Edit, Finding
from ttsr_ls.lsp.analysis.checked_files import checked_file, newest_file_analysis
from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis
from ttsr_ls.lsp.configuration_edit import ignoring_edit
from ttsr_ls.lsp.convert import diagnostic, span_of, text_edit
from ttsr_ls.lsp.features import FIX_ALL
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.window.documentation import documentation_command
from ttsr_ls.text import Span

_Analysed = Analysis | FileAnalysis

_MAX_SUPPRESSED = 3
"""The most findings of a range with offered suppressions; each suppression takes a check."""
_LONG_DOCUMENT = 10_000
"""Characters beyond which only one suppression is offered, because its check takes long."""


async def handle(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The actions for the lines of a range, in the newest version of the document."""
    wants_fixes = _wants(params.context.only, types.CodeActionKind.QuickFix.value)
    # Only on request: editors ask for actions at each move of the cursor, and fixing everything takes many checks.
    wants_all = bool(params.context.only) and _wants(params.context.only, FIX_ALL)
    if not server.client.takes_code_action_literals or not (wants_fixes or wants_all):
        return []
    uri = params.text_document.uri
    if checked_file(server.current, uri) is not None:
        return await _actions_of_file(server, params) if wants_fixes else []
    server.analyses.prefer(uri)
    analysis = await server.analyses.newest(uri)
    if analysis is None:
        return []
    actions: list[types.CodeAction] = []
    if wants_all:
        everything = await server.off_loop_first(all_safe_fixes, analysis)
        if everything is not None:
            edit = _edit(server, analysis, (everything,))
            actions.append(types.CodeAction("Fix all that can be fixed safely", FIX_ALL, edit=edit))
    if wants_fixes:
        span = span_of(params.range, analysis.document, server.client.encoding)
        lines = whole_lines(span, analysis.document.index)
        actions += [_quick_fix(server, analysis, action) for action in quick_fixes(analysis, lines, span)]
        actions += _fixes_of_codes(server, analysis, lines)
        limit = 1 if len(analysis.document.text) > _LONG_DOCUMENT else _MAX_SUPPRESSED
        findings = findings_at(analysis, lines, span)[:limit]
        actions += _documentation(server, analysis, lines)
        # Last: users should fix a finding rather than ignore it.
        actions += await server.off_loop_first(lambda: list(_suppressions(server, analysis, findings)))
    return actions


async def _actions_of_file(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The actions in a test file, or a configuration."""
    analysis = await newest_file_analysis(server, params.text_document.uri)
    if analysis is None:
        return []
    span = span_of(params.range, analysis.document, server.client.encoding)
    lines = whole_lines(span, analysis.document.index)
    fixes = [_quick_fix(server, analysis, action) for action in quick_fixes(analysis, lines, span)]
    return [*fixes, *_fixes_of_codes(server, analysis, lines), *_documentation(server, analysis, lines)]


def _documentation(server: Server, analysis: _Analysed, lines: Span) -> Iterator[types.CodeAction]:
    """Yields an action for each code of the findings in `lines`."""
    for code, finding in {finding.code: finding for finding in findings_at(analysis, lines)}.items():
        command = documentation_command(code, server.client)
        if command is not None:
            diagnostics = [diagnostic(finding, analysis.document, server.client)]
            yield types.CodeAction(
                command.title, types.CodeActionKind.QuickFix, diagnostics=diagnostics, command=command
            )


def _wants(only: object, kind: str) -> bool:
    """Returns whether the client wants actions of a kind; kinds are prefixes of each other at dots."""
    if not isinstance(only, list | tuple):
        return True
    names = [name.value if isinstance(name, types.CodeActionKind) else str(name) for name in only]
    return any(name in ("", kind) or kind.startswith(f"{name}.") for name in names)


def _quick_fix(server: Server, analysis: _Analysed, action: OfferedFix) -> types.CodeAction:
    return types.CodeAction(
        title=message_text(fix_title(action.fix, analysis.document.text)),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(action.finding, analysis.document, server.client)],
        is_preferred=action.preferred or None,
        edit=_edit(server, analysis, action.fix.edits),
    )


def _fixes_of_codes(server: Server, analysis: _Analysed, lines: Span) -> Iterator[types.CodeAction]:
    for many in fixes_by_code(analysis, lines):
        title = f"Fix all {many.count} findings of {many.code} in this file"
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, edit=_edit(server, analysis, many.edits))


def _suppressions(server: Server, analysis: Analysis, findings: Iterable[Finding]) -> Iterator[types.CodeAction]:
    """Yields suppressions. Runs in a thread, because it checks texts and reads the configuration."""
    codes: set[str] = set()
    for finding in findings:
        diagnostics = [diagnostic(finding, analysis.document, server.client)]
        comment = suppression_edit(analysis, finding)
        if comment is not None:
            title = f"Ignore {finding.code} here"
            edit = _edit(server, analysis, (comment,))
            yield types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics=diagnostics, edit=edit)
        if finding.code in codes:
            continue
        codes.add(finding.code)
        in_configuration = ignoring_edit(server, analysis.document.path, finding.code)
        if in_configuration is not None:
            title = f"Ignore {finding.code} in the configuration of the project"
            yield types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics=diagnostics, edit=in_configuration)


def _edit(server: Server, analysis: _Analysed, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    document = analysis.document
    text_edits = [text_edit(edit, document, server.client.encoding) for edit in edits]
    if not server.client.takes_document_changes:
        return types.WorkspaceEdit(changes={document.uri: text_edits})
    versioned = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, text_edits)])
