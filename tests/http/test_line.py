"""The line of slow work: one at a time, in turns, and no more than there is room for."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from threading import Event

import httpx
import pytest
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp

from app import line
from app.errors import ApiError
from app.line import Line, Work
from app.main import create_app
from app.settings import Settings, WrongSetting, load
from engines.dewspout import GAME
from tests.client import SECRET, client_of
from tests.slow import slow_dial

STATE = {"mark": 1, "turns": 0}
TURN = {"type": "turn", "way": "up"}


def slow_app(go_on: Event, places: int) -> ASGIApp:
    return create_app(Settings.model_validate({"secret": SECRET, "line": places}), [slow_dial(go_on)])


def client_for(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver")


SLOW: dict[str, Callable[[httpx.AsyncClient], Coroutine[None, None, httpx.Response]]] = {
    "init": lambda client: client.get("/api/games/slow/init?seed=7"),
    "action": lambda client: client.post("/api/games/slow/action", json={"state": STATE, "action": TURN}),
    "verify": lambda client: client.post("/api/games/slow/verify", json={"seed": 7, "actions": [TURN]}),
    "batch": lambda client: client.post("/api/batch", json={"items": [{"game": "slow", "seed": 7}]}),
}


@pytest.mark.parametrize("route", SLOW)
def test_who_finds_the_line_full_is_told_when_to_come_again(route: str) -> None:
    go_on = Event()

    async def crowd() -> None:
        async with client_for(slow_app(go_on, places=2)) as client:
            waiting = [asyncio.create_task(SLOW["init"](client)) for _ in range(2)]
            await asyncio.sleep(0.05)
            refused = await SLOW[route](client)
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "1"
            assert refused.headers["access-control-allow-origin"] == "*"
            answer = refused.json()
            assert list(answer) == ["ok", "reason", "legalActions", "code"]
            assert (answer["ok"], answer["code"], answer["legalActions"]) == (False, "busy", [])
            assert "is full here, at 2." in answer["reason"]
            assert (await client.get("/healthz")).json()["ok"] is True
            go_on.set()
            assert [(await task).json()["ok"] for task in waiting] == [True, True]
            assert (await SLOW[route](client)).json()["ok"] is True

    asyncio.run(crowd())


def test_cheap_requests_need_no_place() -> None:
    go_on = Event()

    async def crowd() -> None:
        app = create_app(Settings.model_validate({"secret": SECRET, "line": 1}), [slow_dial(go_on), GAME])
        async with client_for(app) as client:
            slow = asyncio.create_task(SLOW["init"](client))
            await asyncio.sleep(0.05)
            run = (await client.get("/api/games/dewspout/init?seed=7")).json()
            fill = {"stateToken": run["stateToken"], "action": {"type": "fill", "vessel": 1}}
            assert (await client.post("/api/games/dewspout/action", json=fill)).json()["ok"] is True
            assert not slow.done()
            go_on.set()
            await slow

    asyncio.run(crowd())


def test_one_has_its_turn_at_a_time_in_the_order_of_their_coming() -> None:
    running, most, order = 0, 0, []

    def work(number: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        Event().wait(0.005)
        order.append(number)
        running -= 1
        return number

    async def all_of_them() -> list[int]:
        queue = Line()
        return await asyncio.gather(*(queue.once(partial(work, number)) for number in range(8)))

    assert asyncio.run(all_of_them()) == list(range(8))
    assert order == list(range(8))
    assert most == 1


def test_long_work_is_put_aside_for_what_came_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "TURN", 0)  # a turn ends after a step
    steps: list[str] = []

    def walk(name: str, length: int) -> Work[str]:
        for _ in range(length):
            steps.append(name)
            yield
        return name

    async def both() -> list[str]:
        queue = Line()
        return list(await asyncio.gather(queue.by_turns(walk("long", 50)), queue.by_turns(walk("short", 2))))

    assert asyncio.run(both()) == ["long", "short"]
    assert steps.index("short") < 5
    assert "".join(word[0] for word in steps).rindex("s") < 10
    assert steps.count("long") == 50


def test_what_goes_wrong_frees_the_place() -> None:
    def broken() -> int:
        raise ApiError("bad_request", "no")

    def stops() -> Work[int]:
        yield
        raise ValueError("no")

    async def several() -> int:
        queue = Line(1)
        for _ in range(3):
            with pytest.raises(ApiError, match="no"):
                await queue.once(broken)
            with pytest.raises(ValueError, match="no"):
                await queue.by_turns(stops())
        assert queue.length == 0
        return await queue.once(lambda: 7)

    assert asyncio.run(several()) == 7


def test_who_leaves_frees_the_place_at_once_and_what_was_not_begun_is_dropped() -> None:
    go_on, done, closed = Event(), [], []

    def long() -> int:
        assert go_on.wait(20)
        done.append("long")
        return 1

    def walk() -> Work[None]:
        try:
            yield
            done.append("walk")
        finally:
            closed.append("walk")

    async def several() -> None:
        queue, leaves = Line(3), asyncio.Event()
        under_way = asyncio.create_task(queue.once(long))
        await asyncio.sleep(0.02)
        begun = walk()
        next(begun)
        waiting = [queue.once(partial(done.append, "short"), leaves.wait), queue.by_turns(begun, leaves.wait)]
        both = asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.sleep(0.02)
        assert queue.length == 3
        leaves.set()
        assert [type(error) for error in await both] == [ClientDisconnect, ClientDisconnect]
        assert (queue.length, closed, under_way.done()) == (1, ["walk"], False)
        last = asyncio.create_task(queue.once(lambda: 3))
        await asyncio.sleep(0.02)
        go_on.set()
        assert list(await asyncio.gather(under_way, last)) == [1, 3]

    asyncio.run(several())
    assert done == ["long"]


def test_who_leaves_during_a_turn_holds_the_others_up_for_that_turn_only() -> None:
    go_on, steps = Event(), []

    def walk() -> Work[None]:
        for step in range(1000):
            assert go_on.wait(20)
            steps.append(step)
            Event().wait(0.002)
            yield

    async def several() -> None:
        queue, leaves = Line(), asyncio.Event()
        walking = asyncio.create_task(queue.by_turns(walk(), leaves.wait))
        await asyncio.sleep(0.02)
        leaves.set()
        with pytest.raises(ClientDisconnect):
            await walking
        assert queue.length == 0
        go_on.set()
        await queue.once(lambda: steps.append(-1))

    asyncio.run(several())
    assert (steps[0], steps[-1]) == (0, -1)
    assert len(steps) < 900


def test_who_is_stopped_frees_the_place() -> None:
    go_on = Event()

    async def several() -> int:
        queue = Line(1)
        waiting = asyncio.create_task(queue.once(lambda: go_on.wait(20)))
        await asyncio.sleep(0.02)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert queue.length == 0
        go_on.set()
        return await queue.once(lambda: 7)

    assert asyncio.run(several()) == 7


@pytest.mark.parametrize(("places", "wanted"), [("0", "a whole number from 1"), ("many", "a whole number from 1")])
def test_a_line_has_room_for_one_at_least(places: str, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEBOARD_LINE", places)
    with pytest.raises(WrongSetting, match=rf"GAMEBOARD_LINE: .*{wanted}"):
        load()


def test_a_batch_and_a_verification_go_by_turns_to_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    items = {"items": [{"game": "dewspout", "seed": seed} for seed in range(5)]}
    actions = [{"type": "fill", "vessel": 1}, {"type": "pour", "from": 1, "to": 2}, {"type": "bank"}]
    run = {"seed": 7, "actions": actions}
    with client_of() as client:
        whole = client.post("/api/batch", json=items).json(), client.post("/api/games/dewspout/verify", json=run).json()
        monkeypatch.setattr(line, "TURN", 0)
        parts = client.post("/api/batch", json=items).json(), client.post("/api/games/dewspout/verify", json=run).json()
    assert parts == whole
    assert whole[1]["actionCount"] == 3
