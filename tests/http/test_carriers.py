"""What a process keeps of the runs that it answered: it saves work, and changes nothing that is accepted."""

from typing import Any

import pytest

from app import carriers
from app.carriers import Carrier
from app.errors import ApiError
from engines.kit.game import AnyGame
from engines.registry import GAMES
from tests.wire import as_json

SECRET = "x" * 40
EACH = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.slug)


def carrier_of(game: AnyGame) -> Carrier:
    return carriers.carriers(GAMES, [SECRET])[game.info.slug]


def sent(game: AnyGame, carrier: Carrier, state: Any) -> dict[str, Any]:
    """What a client sends back of an answer."""
    return {"state": as_json(game.view(state)), **carrier.put(state)}


@EACH
def test_what_comes_back_as_it_was_sent_is_not_read_again(game: AnyGame) -> None:
    carrier, state = carrier_of(game), game.begin(7)
    assert carrier.take(sent(game, carrier, state)) is state


@EACH
def test_another_process_reads_the_same_state(game: AnyGame) -> None:
    state = game.begin(7)
    taken = carrier_of(game).take(sent(game, carrier_of(game), state))
    assert taken == state
    assert taken is not state


@EACH
def test_only_the_newest_are_kept(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "KEPT_STATES", 2)
    carrier, states = carrier_of(game), [game.begin(seed) for seed in range(3)]
    bodies = [sent(game, carrier, state) for state in states]
    assert [carrier.take(body) is state for body, state in zip(bodies[::-1], states[::-1], strict=True)] == [
        True, True, False,
    ]  # fmt: skip


SUMI = next(game for game in GAMES if game.carried_as == "state")


@pytest.mark.parametrize("key", as_json(SUMI.view(SUMI.begin(7))))
@pytest.mark.parametrize("value", [2**64, -1, 1.5, True, None, "1", [], {}])
def test_beside_a_kept_state_another_is_checked_like_any(key: str, value: Any) -> None:
    carrier = carrier_of(SUMI)
    body = sent(SUMI, carrier, SUMI.begin(7))
    body["state"][key] = value
    if (key, value) == ("completed", []):
        assert carrier.take(body) is carrier.take(body)
        return
    with pytest.raises(ApiError, match=rf"^{key}\b") as refused:
        carrier.take(body)
    assert refused.value.code == "bad_state"


def test_a_state_in_other_words_is_the_same_run() -> None:
    carrier, state = carrier_of(SUMI), SUMI.begin(7)
    body = sent(SUMI, carrier, state)
    turned = {key: body["state"][key] for key in reversed(body["state"])}
    assert carrier.take({"state": turned}) == state
    assert carrier.take({"state": {**turned, "score": 0.0}}) == state
