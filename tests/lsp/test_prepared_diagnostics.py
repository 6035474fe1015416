"""The diagnostics of a document with very many findings are converted by the thread that analysed it."""

from __future__ import annotations

import threading

import pytest

from ttsr_ls.ide.analysis import Analysis, analyse
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lsp.analysis.prepared_diagnostics import PreparedDiagnostics
from ttsr_ls.lsp.client import Client
from ttsr_ls.lsp.convert import diagnostic
from ttsr_ls.lsp.server import Server

PATH = "/home/me/shop/.omp/rules/a.md"
URI = f"file://{PATH}"


def rule(count: int) -> Document:
    """A rule with `count` redundant assertions."""
    return Document.of(URI, PATH, 1, "---\ncondition: 'x" + r"\b" * (count + 1) + "y'\n---\nDo not.\n")


def analysis_of(count: int) -> Analysis:
    return analyse(rule(count), LintContext())


@pytest.fixture
def converting(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The thread of each conversion."""
    threads: list[threading.Thread] = []

    def convert(finding: Finding, document: Document, client: Client) -> object:
        threads.append(threading.current_thread())
        return diagnostic(finding, document, client)

    monkeypatch.setattr("ttsr_ls.lsp.convert.diagnostic", convert)
    return threads


def test_many_findings_are_converted_once(converting: list[threading.Thread]) -> None:
    prepared = PreparedDiagnostics(Client)
    analysis = analysis_of(100)
    expected = [diagnostic(finding, analysis.document, Client()) for finding in analysis.findings]
    prepared.prepare(analysis)
    count = len(converting)
    assert count == len(expected) >= 100
    assert prepared.diagnostics(analysis) == expected
    assert prepared.identity(analysis) == analysis.identity
    assert len(converting) == count


def test_the_diagnostics_of_another_analysis_are_not_those_that_are_prepared() -> None:
    prepared = PreparedDiagnostics(Client)
    prepared.prepare(analysis_of(100))
    other = analysis_of(101)
    assert prepared.diagnostics(other) == PreparedDiagnostics(Client).diagnostics(other)
    assert prepared.identity(other) == other.identity


@pytest.mark.parametrize("forgets", [True, False])
def test_diagnostics_are_forgotten_with_the_document_or_when_they_are_few(
    forgets: bool, converting: list[threading.Thread]
) -> None:
    prepared = PreparedDiagnostics(Client)
    analysis = analysis_of(100)
    prepared.prepare(analysis)
    if forgets:
        prepared.forget(URI)
    else:
        prepared.prepare(analysis_of(1))
    converting.clear()
    assert len(prepared.diagnostics(analysis)) == len(converting) == len(analysis.findings)


async def test_an_open_document_is_prepared_in_the_thread_of_its_analysis(converting: list[threading.Thread]) -> None:
    server = Server()
    calls: list[threading.Thread] = []
    server.analyses.after_first = lambda: calls.append(threading.current_thread())
    try:
        for count in (100, 101):
            server.current = server.current.with_document(rule(count))
            analysis = await server.analyses.newest(URI)
            assert analysis is not None
            converted = len(converting)
            assert len(server.prepared.diagnostics(analysis)) == len(analysis.findings)
            assert len(converting) == converted
        assert threading.main_thread() not in converting
        assert len(calls) == 1
        assert calls[0] in converting
        server.analyses.forget(URI)
        assert not server.prepared._prepared
    finally:
        server._close()
