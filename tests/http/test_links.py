"""Absolute addresses: from the request, from a trusted proxy, from the settings."""

import pytest

from tests.client import client_of


def base(headers: list[tuple[str, str]], peer: str = "192.0.2.7", **settings: str) -> str:
    with client_of(peer=peer, **settings) as client:
        sent = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        index = client.get("/api/games", headers=sent).json()
        address: str = index["docs"].removesuffix("/docs/api")
        assert all(game["initUrl"] == f"{address}/api/games/{game['slug']}/init" for game in index["games"])
        return address


FORWARDED = [
    ("x-forwarded-proto", "https"),
    ("x-forwarded-host", "play.example"),
    ("x-forwarded-prefix", "/games-api"),
]


@pytest.mark.parametrize(
    "host", ["testserver", "play.example:8443", "127.0.0.1:8000", "[2001:db8::1]:80", "my_host", "a-b.c"]
)
def test_the_host_of_the_request(host: str) -> None:
    assert base([("host", host)]) == f"http://{host}"


@pytest.mark.parametrize(
    "host", ["", 'x"><script>', "a/b", "a b", "user@host", "a?b", "a#b", "x:y", "a:123456", "é.example"]
)
def test_what_is_no_host_is_not_repeated(host: str) -> None:
    assert base([("host", host)]).removeprefix("http://") in ("testserver", "testserver:None", "localhost")


def test_forwarded_headers_of_a_stranger_are_ignored() -> None:
    assert base(FORWARDED) == "http://testserver"
    assert base(FORWARDED, trusted_proxies="198.51.100.1, 10.0.0.0/8") == "http://testserver"


@pytest.mark.parametrize(
    ("peer", "trusted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("192.0.2.7", "198.51.100.1, 192.0.2.0/24"),
        ("192.0.2.7", "192.0.2.9/24"),
        ("2001:db8::1", "2001:db8::/32"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)
def test_forwarded_headers_of_a_trusted_proxy_count(peer: str, trusted: str) -> None:
    assert base(FORWARDED, peer, trusted_proxies=trusted) == "https://play.example/games-api"


@pytest.mark.parametrize("peer", ["unix", "", "not an address"])
def test_a_peer_without_an_address_is_no_proxy(peer: str) -> None:
    assert base(FORWARDED, peer, trusted_proxies="0.0.0.0/0,::/0") == "http://testserver"


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ([("x-forwarded-proto", "http, https")], "https://testserver"),
        ([("x-forwarded-proto", "http"), ("x-forwarded-proto", "HTTPS")], "https://testserver"),
        ([("x-forwarded-host", "evil.example, good.example:444")], "http://good.example:444"),
        ([("x-forwarded-host", "evil.example"), ("x-forwarded-host", "good.example")], "http://good.example"),
        ([("x-forwarded-prefix", "/a, /b/c/")], "http://testserver/b/c"),
        ([("x-forwarded-prefix", "/")], "http://testserver"),
        ([("x-forwarded-proto", "javascript")], "http://testserver"),
        ([("x-forwarded-host", "a/b")], "http://testserver"),
        ([("x-forwarded-prefix", "//evil.example")], "http://testserver"),
        ([("x-forwarded-prefix", 'x"y')], "http://testserver"),
        ([("forwarded", "host=evil.example")], "http://testserver"),
    ],
)
def test_the_last_well_formed_value_counts(headers: list[tuple[str, str]], address: str) -> None:
    assert base(headers, trusted_proxies="192.0.2.7") == address


def test_a_public_url_wins() -> None:
    public = "https://play.example/games"
    assert base(FORWARDED, public_url=public + "/") == public
    assert base(FORWARDED, public_url=public, trusted_proxies="192.0.2.7") == public


def test_pages_and_redirects_use_the_same_address() -> None:
    with client_of(public_url="https://play.example/games") as client:
        lost = client.get("/nothing").json()["reason"]
        assert "GET https://play.example/games/api/games lists" in lost
        assert "GET https://play.example/games/llms.txt tells" in lost
        redirect = client.get("/docs")
        assert (redirect.status_code, redirect.headers["location"]) == (307, "https://play.example/games/docs/api")
        assert "https://play.example/games/api/games/dewspout/init?seed=7" in client.get("/llms.txt").text
        assert client.get("/openapi.json").json()["servers"] == [{"url": "https://play.example/games"}]
        for page in ("/docs/api", "/docs/api/dewspout"):
            text = client.get(page).text
            assert "https://play.example/games/api/games/" in text
            assert "testserver" not in text
