"""Which certificates the proxy trusts, and that it reads them only for connections that need them."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from ttsr_ls.bridge.model.endpoint import Timeouts
from ttsr_ls.bridge.proxy.serving.upstream import Upstream, certificate_context


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of certificates that are read; "default" stands for those of the system."""
    found: list[str] = []
    default, load = ssl.create_default_context, ssl.SSLContext.load_verify_locations

    def create_default_context() -> ssl.SSLContext:
        found.append("default")
        return default()

    def load_verify_locations(context: ssl.SSLContext, path: str) -> None:
        found.append(path)
        load(context, path)

    monkeypatch.setattr(ssl, "create_default_context", create_default_context)
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", load_verify_locations)
    return found


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate, with its key, of a server at 127.0.0.1 that no system trusts. No proxy is set."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "authority.pem"
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    text = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain) + made.public_bytes(encoding)
    path.write_bytes(text)
    return path


@asynccontextmanager
async def upstream_server(certificate: Path | None) -> AsyncIterator[str]:
    """The address of a server that answers each request, over TLS where it has a certificate."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=request.path)

    application = web.Application()
    application.router.add_get("/{path}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    try:
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def answers(url: str, environ: Mapping[str, str]) -> list[str]:
    """The answers to two requests of one proxy."""
    upstream = Upstream(Timeouts(), environ)
    try:
        return [await (await upstream.request("GET", f"{url}/{name}", [], b"")).text() for name in ("a", "b")]
    finally:
        await upstream.close()


async def test_an_address_without_tls_reads_no_certificates(authority: Path, reads: list[str]) -> None:
    async with upstream_server(None) as url:
        assert await answers(url, {"NODE_EXTRA_CA_CERTS": str(authority)}) == ["/a", "/b"]
    assert reads == []


async def test_certificates_of_the_environment_are_read_once_for_all_requests(
    authority: Path, reads: list[str]
) -> None:
    environ = dict.fromkeys(("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"), str(authority))
    async with upstream_server(authority) as url:
        assert await answers(url, environ) == ["/a", "/b"]
    assert reads == ["default", str(authority)]


async def test_a_server_with_an_untrusted_certificate_is_refused(authority: Path) -> None:
    async with upstream_server(authority) as url:
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await answers(url, {})


async def test_a_proxy_over_tls_is_verified_for_an_address_without_tls(
    authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with upstream_server(authority) as proxy:
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", "")
        assert await answers("http://model.example", {"NODE_EXTRA_CA_CERTS": str(authority)}) == ["/a", "/b"]
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await answers("http://model.example", {})


def test_unreadable_certificate_files_are_ignored(tmp_path: Path) -> None:
    before = certificate_context({}).cert_store_stats()["x509"]
    assert certificate_context({"NODE_EXTRA_CA_CERTS": str(tmp_path / "none")}).cert_store_stats()["x509"] == before
