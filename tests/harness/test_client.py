"""The client: the same runs over HTTP and in this process, waiting or awaited, one or many at a time."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from engines.registry import GAMES
from gameboard import AsyncGameboard, Gameboard, IllegalAction, RequestFailed, Run, calls
from tests.games import PLAYERS
from tests.server import serving

SLUGS = [game.info.slug for game in GAMES]
FILL, POUR, NEXT = {"type": "fill", "vessel": 1}, {"type": "pour", "from": 1, "to": 2}, {"type": "next"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "log", "--workers", "2") as server:
        yield server.url


@pytest.fixture(scope="module")
def board() -> Iterator[Gameboard]:
    with Gameboard.local() as opened:
        yield opened


def play(run: Run, steps: int = 10) -> list[Any]:
    return [run.act(PLAYERS[run.game](run.state)) for _ in range(steps)]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_run_is_the_same_over_http_in_process_and_awaited(url: str, board: Gameboard, slug: str) -> None:
    async def awaited(opened: AsyncGameboard) -> tuple[list[Any], Any]:
        async with opened:
            run = await opened.start(slug, seed=7)
            return [await run.act(PLAYERS[slug](run.state)) for _ in range(10)], run.position

    here = board.start(slug, seed=7)
    reports = play(here)
    with Gameboard(url) as far:
        there = far.start(slug, seed=7)
        assert play(there) == reports
    assert there.position == here.position
    for opened in (AsyncGameboard(url), AsyncGameboard.local()):
        assert asyncio.run(awaited(opened)) == (reports, here.position)
    assert board.verify(slug, 7, here.actions).score == here.score


def test_a_run_tells_where_it_stands(board: Gameboard) -> None:
    run = board.start("dewspout", seed=7)
    assert (run.game, run.seed, run.score, run.game_over) == ("dewspout", 7, 0, False)
    assert run.spec["slug"] == "dewspout"
    assert run.spec == board.rules("dewspout")
    assert FILL in run.legal_actions
    assert "garden 1" in run.observation
    run.act(FILL)
    assert run.act(POUR)["pointsAwarded"] == 270
    assert run.state["phase"] == "cleared"
    assert run.position.as_json()["legalActions"] == run.legal_actions == [NEXT, {"type": "bank"}]
    assert [game["slug"] for game in board.games()] == SLUGS
    assert board.start("dewspout").seed != board.start("dewspout").seed


def test_an_illegal_action_changes_nothing_and_says_why(board: Gameboard) -> None:
    run = board.start("dewspout", seed=7)
    before = run.answer
    with pytest.raises(IllegalAction, match="Vessel A") as illegal:
        run.act({"type": "empty", "vessel": 0})
    assert illegal.value.legal_actions == run.legal_actions
    assert illegal.value.action == {"type": "empty", "vessel": 0}
    assert run.answer is before
    assert [run.position.refusal, run.act(FILL)["moved"], run.position.refusal] == [illegal.value.reason, 5, None]
    assert run.actions == [FILL]
    assert [entry["ok"] for entry in run.transcript()[1:]] == [False, True]
    json.dumps(run.transcript())


def test_a_fork_goes_its_own_way(board: Gameboard) -> None:
    run = board.start("dewspout", seed=7)
    run.act(FILL)
    other = run.fork()
    run.act(POUR)
    other.act({"type": "fill", "vessel": 0})
    assert (run.score, other.score) == (270, 0)
    assert (len(run.actions), len(other.actions)) == (2, 2)
    assert other.state["amounts"] == [3, 5, 0]


def test_many_runs_go_by_batches(board: Gameboard) -> None:
    runs = board.start_many("dewspout", range(calls.BATCH + 3))
    assert [run.seed for run in runs] == list(range(calls.BATCH + 3))
    reports = board.act_many([(run, NEXT if run.seed == 2 else FILL) for run in runs])
    assert isinstance(reports[2], IllegalAction)
    assert all(report["moved"] == 5 for report in reports[:2] + reports[3:])
    assert runs[3].state["amounts"] == [0, 5, 0]
    with pytest.raises(RequestFailed, match="There is no game"):
        board.start_many("chess", [1])


def test_a_hundred_runs_side_by_side(url: str) -> None:
    async def together() -> list[int]:
        async with AsyncGameboard(url) as opened:
            runs = await opened.start_many("dewspout", range(100))
            for action in (FILL, POUR):
                await asyncio.gather(*(run.act(action) for run in runs))
            results = await opened.batch([{"game": "dewspout", "seed": 7}])
            assert results[0]["status"] == 200
            assert (await opened.verify("dewspout", 7, [FILL, POUR])).score == 270
            assert [game["slug"] for game in await opened.games()] == SLUGS
            assert (await opened.rules("dewspout"))["slug"] == "dewspout"
            forked = runs[0].fork()
            await forked.act(NEXT)
            return [run.score for run in runs]

    assert asyncio.run(together()) == [270] * 100


def test_a_verdict_names_the_first_refusal(board: Gameboard) -> None:
    verdict = board.verify("dewspout", 7, [FILL, POUR, FILL])
    assert (verdict.ok, verdict.index, verdict.score, verdict.action_count) == (False, 2, 270, 2)
    assert verdict.reason
    whole = board.verify("dewspout", 7, [FILL, POUR])
    assert (whole.ok, whole.score, whole.game_over, whole.index, whole.reason) == (True, 270, False, None, None)


@pytest.mark.parametrize(
    ("game", "seed", "code", "status"), [("chess", 1, "unknown_game", 404), ("dewspout", -1, "bad_seed", 400)]
)
def test_what_no_game_judged_is_raised(board: Gameboard, game: str, seed: int, code: str, status: int) -> None:
    with pytest.raises(RequestFailed) as failed:
        board.start(game, seed)
    assert (failed.value.code, failed.value.status) == (code, status)
    assert str(failed.value) == failed.value.reason


class Flaky(httpx.BaseTransport):
    """Fails as often as it is told to before it answers."""

    def __init__(self, *failures: int | None) -> None:
        self.failures = list(failures)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not self.failures:
            return httpx.Response(200, json={"games": []})
        failure = self.failures.pop(0)
        if failure is None:
            raise httpx.ReadTimeout("lost", request=request)
        return httpx.Response(
            failure, headers={"retry-after": "0"}, json={"ok": False, "reason": "busy", "code": "busy"}
        )


def test_a_lost_or_put_off_answer_is_asked_for_again() -> None:
    with Gameboard("http://x", transport=Flaky(None, 503, 429, 502)) as flaky:
        assert flaky.games() == []
    with Gameboard("http://x", transport=Flaky(503, 503), retries=1) as busy, pytest.raises(RequestFailed) as failed:
        busy.games()
    assert failed.value.code == "busy"
    with Gameboard("http://x", transport=Flaky(None), retries=0) as lost, pytest.raises(httpx.ReadTimeout):
        lost.games()
    with Gameboard("http://x", transport=Flaky(400)) as wrong, pytest.raises(RequestFailed):
        wrong.games()


def test_what_is_no_answer_is_told() -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, text="<html>"))
    with (
        Gameboard("http://x", transport=transport) as page,
        pytest.raises(RequestFailed, match="did not answer in JSON"),
    ):
        page.games()


def test_an_awaited_call_is_tried_again_too() -> None:
    left: list[int | None] = [None, 503]

    def answer(request: httpx.Request) -> httpx.Response:
        failure = left.pop(0) if left else 200
        if failure is None:
            raise httpx.ConnectError("gone", request=request)
        return httpx.Response(failure, json={"games": [1]})

    async def ask() -> Any:
        async with AsyncGameboard("http://x", transport=httpx.MockTransport(answer)) as opened:
            return await opened.games()

    assert asyncio.run(ask()) == [1]


def test_the_client_of_a_server_needs_no_server_code() -> None:
    import subprocess
    import sys

    program = (
        "import sys, gameboard, gameboard.cli; assert not [m for m in sys.modules if m.startswith(('app', 'engines'))]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
