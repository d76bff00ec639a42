"""Settings: what is taken, and the sentence for what is not."""

import logging
from ipaddress import ip_network
from typing import Any

import pytest

from app.settings import SHORTEST_SECRET, Settings, WrongSetting, load, with_secret

GOOD = "0123456789abcdef0123456789abcdef"
ONE: dict[str, Any] = {"secret": GOOD}


def loaded(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Settings:
    for name, value in variables.items():
        monkeypatch.setenv(f"GAMEBOARD_{name}", value)
    return load()


def secrets(settings: Settings) -> list[str]:
    return [secret.get_secret_value() for secret in settings.secret]


def test_nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch)
    assert (settings.secret, settings.public_url, settings.trusted_proxies) == ((), None, ())
    assert (settings.metrics, settings.log) == (False, "plain")
    assert loaded(monkeypatch, METRICS="0", LOG="plain") == settings


def test_everything_set(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(
        monkeypatch,
        SECRET=f"{GOOD}, {GOOD[::-1]}",
        PUBLIC_URL="https://play.example/games/",
        TRUSTED_PROXIES="127.0.0.1, 10.1.2.3/8,2001:db8::1,",
        METRICS="1",
        LOG="json",
    )
    assert secrets(settings) == [GOOD, GOOD[::-1]]
    assert settings.public_url == "https://play.example/games"
    assert settings.trusted_proxies == tuple(map(ip_network, ("127.0.0.1/32", "10.0.0.0/8", "2001:db8::1/128")))
    assert (settings.metrics, settings.log) == (True, "json")


@pytest.mark.parametrize(
    ("name", "value", "fragment"),
    [
        ("SECRET", "short", "it has 5 characters and needs at least 32"),
        ("SECRET", "", "it has 0 characters"),
        ("SECRET", GOOD[:-1], "it has 31 characters"),
        ("SECRET", f"{GOOD},tiny", "secret 2 of 2 has 4 characters"),
        ("SECRET", f"{GOOD},", "secret 2 of 2 has 0 characters"),
        ("SECRET", " " * 40, "it has 0 characters"),
        ("SECRET", "x" * 40 + "\udcff", "not printable text in UTF-8"),
        ("SECRET", f"{GOOD},{GOOD}\n{GOOD}", "secret 2 of 2 has characters that are not printable"),
        ("PUBLIC_URL", "play.example", "http or https address"),
        ("PUBLIC_URL", "ftp://play.example", "http or https address"),
        ("PUBLIC_URL", "https://", "http or https address"),
        ("PUBLIC_URL", "https://play.example?x=1", "http or https address"),
        ("PUBLIC_URL", "", "http or https address"),
        ("PUBLIC_URL", "https://[", "http or https address"),
        ("PUBLIC_URL", 'https://play.example/"><script>', "http or https address"),
        ("TRUSTED_PROXIES", "nginx", "'nginx' is no IP address"),
        ("TRUSTED_PROXIES", "127.0.0.1 10.0.0.1", "no IP address"),
        ("TRUSTED_PROXIES", "*", "no IP address"),
        ("METRICS", "yes", "it must be 1 or 0"),
        ("METRICS", "", "it must be 1 or 0"),
        ("LOG", "JSON", "it must be plain or json"),
        ("LOG", "", "it must be plain or json"),
    ],
)
def test_a_wrong_value_is_a_sentence(monkeypatch: pytest.MonkeyPatch, name: str, value: str, fragment: str) -> None:
    with pytest.raises(WrongSetting) as wrong:
        loaded(monkeypatch, **{name: value})
    sentence = str(wrong.value)
    assert sentence.startswith(f"GAMEBOARD_{name}: ")
    assert fragment in sentence
    assert "\n" not in sentence
    if name == "SECRET":
        assert not any(part and part in sentence for part in value.split(",") if part != "short")


def test_only_the_exact_name_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("gameboard_secret", "short")
    monkeypatch.setenv("SECRET", "short")
    assert load().secret == ()


def test_a_secret_is_drawn_where_none_is_set(caplog: pytest.LogCaptureFixture) -> None:
    first, second = with_secret(Settings()), with_secret(Settings())
    assert secrets(first) != secrets(second)
    assert len(secrets(first)[0]) >= SHORTEST_SECRET
    assert all("GAMEBOARD_SECRET is not set" in record.message for record in caplog.records)
    assert secrets(first)[0] not in caplog.text


def test_a_set_secret_is_kept_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(**ONE)
    assert with_secret(settings) is settings
    assert not caplog.records


def test_a_misspelt_variable_is_noticed(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """So is nothing that Kubernetes sets for a service of the name gameboard."""
    with caplog.at_level(logging.WARNING):
        loaded(monkeypatch, SECERT=GOOD, PORT="tcp://10.0.0.1:80", SERVICE_HOST="10.0.0.1", PORT_80_TCP_ADDR="10.0.0.1")
    assert [record.message for record in caplog.records] == [
        "GAMEBOARD_SECERT is no setting of this server. Did you mean GAMEBOARD_SECRET?"
    ]


def test_settings_do_not_show_their_secret() -> None:
    assert GOOD not in repr(Settings(**ONE))
