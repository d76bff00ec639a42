"""Absolute addresses of this server, as the client sees it.

A configured public URL wins. Otherwise a request tells: its ``Host`` header, and from a trusted proxy the last
``X-Forwarded-Proto``, ``-Host`` and ``-Prefix``. Whatever does not look like an address is not repeated.
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

from app.addresses import HOST, PREFIX
from app.settings import Network


class Links:
    """Knows the base of every address: scheme, host and prefix, without a slash at the end."""

    def __init__(self, public_url: str | None, trusted: Sequence[Network]) -> None:
        self._public_url = public_url
        self._trusted = trusted

    def base(self, request: Request) -> str:
        if self._public_url is not None:
            return self._public_url
        scheme, host, prefix = request.scope["scheme"], request.headers.get("host", ""), ""
        if self._trusted and self._is_proxy(request):
            proto = _last(request, "x-forwarded-proto").lower()
            scheme = proto if proto in ("http", "https") else scheme
            forwarded = _last(request, "x-forwarded-host")
            host = forwarded if HOST.fullmatch(forwarded) else host
            path = _last(request, "x-forwarded-prefix").rstrip("/")
            prefix = path if PREFIX.fullmatch(path) else ""
        if not HOST.fullmatch(host):
            host = _listening(request)
        return f"{scheme}://{host}{prefix}"

    def _is_proxy(self, request: Request) -> bool:
        if request.client is None:
            return False
        try:
            address = ip_address(request.client.host)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self._trusted)


def _last(request: Request, header: str) -> str:
    values = request.headers.getlist(header)
    return values[-1].rpartition(",")[2].strip() if values else ""


def _listening(request: Request) -> str:
    """The address that this server listens on; a socket in the file system has none."""
    host, port = request.scope.get("server") or ("", None)
    if port is None:
        return "localhost"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
