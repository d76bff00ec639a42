"""The games over MCP: played with the SDK's own client, over HTTP and stdio."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import jsonschema
import pytest
from mcp import Client, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from app import mcp
from app.body import LIMIT
from app.main import create_app
from app.settings import Settings
from tests.client import SECRET, client_of
from tests.server import HTTP, ROOT, Server, serving
from tests.slow import slow_dial
from tests.toy import Dial, dial

FILL, POUR = {"type": "fill", "vessel": 1}, {"type": "pour", "from": 1, "to": 2}
JSON = {"content-type": "application/json", "accept": "application/json"}


class Player:
    """A client whose every result is held against its tool's schema, failures too."""

    def __init__(self, client: Client, tools: list[types.Tool]) -> None:
        self.client = client
        self.tools = {tool.name: tool for tool in tools}

    async def result(self, name: str, arguments: dict[str, Any]) -> tuple[bool, str, dict[str, Any]]:
        result = await self.client.call_tool(name, arguments)
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        if name in self.tools:
            jsonschema.validate(result.structured_content, self.tools[name].output_schema or False)
        return result.is_error, content.text, result.structured_content

    async def told(self, name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """The text and the data of a call that goes well."""
        failed, text, data = await self.result(name, arguments)
        assert not failed, text
        return text, data

    async def taught(self, name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """The text and the data of a call that fails."""
        failed, text, data = await self.result(name, arguments)
        assert failed, text
        assert data["ok"] is False
        assert data["reason"] in text
        return text, data


def played(target: Any, play: Callable[[Player], Awaitable[None]], mode: str = "auto") -> None:
    """Connect to a server by its address or transport, and play."""

    async def connected() -> None:
        async with Client(target, mode=mode) as client:
            await play(Player(client, (await client.list_tools()).tools))

    asyncio.run(connected())


def stdio(log: Any, **env: str) -> Any:
    command = StdioServerParameters(command=sys.executable, args=["-m", "app.mcp"], cwd=ROOT, env=env)
    return stdio_client(command, errlog=log)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """The bare message of a call."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("mcp") / "log", "--workers", "2", secret=SECRET) as server:
        yield server


async def first_garden(player: Player) -> None:
    text, data = await player.told("start_game", game="dewspout", seed=7)
    assert data["seed"] == 7
    assert "spec" not in data
    for action in (FILL, POUR):
        assert all(json.dumps(legal, separators=(",", ":")) in text for legal in data["legalActions"])
        assert action in data["legalActions"]
        assert data["observation"] in text
        assert data["stateToken"] in text
        text, data = await player.told("act", game="dewspout", run=data["stateToken"], action=action)
    assert "Score: 270\n" in text
    assert data["score"] == data["report"]["pointsAwarded"] == 270
    text, data = await player.told("act", game="dewspout", run=data["stateToken"], action={"type": "bank"})
    assert data["gameOver"] is True
    assert text.endswith("The run is over.")
    text, data = await player.taught("act", game="dewspout", run=data["stateToken"], action=FILL)
    assert data["legalActions"] == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_garden_is_played_over_http(server: Server, mode: str) -> None:
    """By the protocol without sessions and by the older one with its handshake, at any worker."""
    played(f"{server.url}/mcp", first_garden, mode)


def test_a_garden_is_played_over_stdio_and_a_run_from_http_goes_on_there(tmp_path: Path) -> None:
    with client_of() as client:
        run = client.init("dewspout")["stateToken"]

    async def play(player: Player) -> None:
        await first_garden(player)
        await player.told("act", game="dewspout", run=run, action=FILL)

    with (tmp_path / "log").open("w+") as log:
        played(stdio(log, GAMEBOARD_SECRET=SECRET), play)
        log.seek(0)
        assert log.read() == ""


def test_the_tools_teach(server: Server) -> None:
    async def play(player: Player) -> None:
        assert list(player.tools) == ["list_games", "rules", "start_game", "act"]
        assert "start_game" in (player.client.instructions or "")
        for tool in player.tools.values():
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            jsonschema.Draft202012Validator.check_schema(tool.output_schema or False)
            assert tool.description
            assert all(schema["description"] for schema in tool.input_schema["properties"].values())
        seed = player.tools["start_game"].input_schema["properties"]["seed"]
        assert (seed["minimum"], seed["maximum"]) == (0, 4294967295)
        assert "rules" in player.tools["act"].input_schema["properties"]["action"]["description"]

        text, data = await player.told("list_games")
        assert [game["slug"] for game in data["games"]] == ["baskmere", "dewspout", "sumi-steps"]
        assert all(game["slug"] in text and game["description"] in text for game in data["games"])
        for game in data["games"]:
            text, rules = await player.told("rules", game=game["slug"])
            entry = HTTP.get(f"{server.url}/api/games/{game['slug']}").json()
            assert rules == {key: value for key, value in entry.items() if not key.endswith("Url")}
            assert all(entry["spec"][key] in text for key in ("goal", "scoring", "rules"))

    played(f"{server.url}/mcp", play)


def test_mistakes_are_answered_with_what_is_wanted(server: Server) -> None:
    async def play(player: Player) -> None:
        _, data = await player.told("start_game", game="dewspout", seed=7)
        run = data["stateToken"]
        text, refused = await player.taught("act", game="dewspout", run=run, action={"type": "empty", "vessel": 2})
        assert refused == {"ok": False, "reason": refused["reason"], "legalActions": data["legalActions"]}
        assert '{"type":"fill","vessel":0}\n{"type":"fill","vessel":1}\n' in text
        for action, told in (({**FILL, "vessel": True}, "true"), ({**FILL, "vessel": "1"}, '"1"'), (None, "null"),
                             (json.dumps(FILL), "text")):  # fmt: skip
            _, refused = await player.taught("act", game="dewspout", run=run, action=action)
            assert told in refused["reason"]
            assert refused["legalActions"] == data["legalActions"]
        await player.told("act", game="dewspout", run=run, action={**FILL, "vessel": 1.0})

        wrong: list[tuple[str, str, dict[str, Any], str]] = [
            ("act", "bad_token", {"game": "dewspout", "run": run[:-1], "action": FILL}, "altered"),
            ("act", "bad_token", {"game": "baskmere", "run": run, "action": FILL}, "belongs to dewspout"),
            ("act", "bad_request", {"game": "dewspout", "run": data["state"], "action": FILL}, "must be the text"),
            ("act", "bad_request", {"game": "dewspout", "action": FILL}, '"run" is missing'),
            ("act", "bad_request", {"game": "dewspout", "run": run}, '"action" is missing'),
            ("act", "unknown_game", {"game": "dewspot", "run": run, "action": FILL}, 'Did you mean "dewspout"?'),
            ("rules", "bad_request", {"game": 7}, "The games: baskmere, dewspout, sumi-steps."),
            ("rules", "bad_request", {}, '"game" is missing'),
            ("start_game", "bad_seed", {"game": "dewspout", "seed": 2**32}, "from 0 to 4294967295"),
            ("start_game", "bad_seed", {"game": "dewspout", "seed": "7"}, "from 0 to 4294967295"),
            ("start_game", "bad_seed", {"game": "dewspout", "seed": True}, "true"),
            ("start_game", "bad_request", {"game": "dewspout", "Seed": 7}, 'Did you mean "seed"?'),
            ("list_games", "bad_request", {"game": "dewspout"}, "It takes: nothing."),
            ("move", "bad_request", {}, "The tools: list_games, rules, start_game, act."),
        ]
        for name, code, arguments, told in wrong:
            text, failed = await player.taught(name, **arguments)
            assert (failed["code"], failed["legalActions"]) == (code, [])
            assert told in text

    played(f"{server.url}/mcp", play)


def test_a_run_goes_on_at_a_server_started_anew(server: Server, tmp_path: Path) -> None:
    runs: list[dict[str, Any]] = []

    async def start(player: Player) -> None:
        run = (await player.told("start_game", game="dewspout", seed=7))[1]["stateToken"]
        runs.append((await player.told("act", game="dewspout", run=run, action=FILL))[1])

    async def go_on(player: Player) -> None:
        runs.append((await player.told("act", game="dewspout", run=runs[0]["stateToken"], action=POUR))[1])

    played(f"{server.url}/mcp", start)
    with serving(tmp_path / "log", secret=SECRET) as another:
        played(f"{another.url}/mcp", go_on)
    assert runs[1]["score"] == 270


def test_a_game_without_a_token_is_played_by_its_state(server: Server) -> None:
    async def play(player: Player) -> None:
        text, data = await player.told("start_game", game="sumi-steps", seed=7)
        for _ in range(3):
            assert "stateToken" not in data
            assert json.loads(text.splitlines()[-1]) == data["state"]
            action = data["legalActions"][0]
            body = {"state": data["state"], "action": action}
            text, data = await player.told("act", game="sumi-steps", run=data["state"], action=action)
            assert data == HTTP.post(f"{server.url}/api/games/sumi-steps/action", json=body).json()
        _, failed = await player.taught("act", game="sumi-steps", run={**data["state"], "score": -1}, action=action)
        assert failed["code"] == "bad_state"
        _, failed = await player.taught("act", game="sumi-steps", run=json.dumps(data["state"]), action=action)
        assert failed["code"] == "bad_request"

    played(f"{server.url}/mcp", play)


def test_stdio_warns_of_a_random_secret_and_ends_with_its_input() -> None:
    command = [sys.executable, "-m", "app.mcp"]
    ran = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "GAMEBOARD_SECRET is not set" in ran.stderr


def test_http_is_open_to_any_page_and_host_and_closed_to_what_is_no_message() -> None:
    with client_of() as client:
        headers = {**JSON, "host": "play.example", "origin": "https://page.example"}
        answer = client.post("/mcp", json=call("list_games"), headers=headers)
        assert answer.json()["result"]["structuredContent"]["count"] == 3
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")
        assert answer.headers["cache-control"] == "no-store"
        assert "mcp-session-id" not in answer.headers

        large = client.post("/mcp", content=json.dumps(call("rules", game="x" * LIMIT)), headers=JSON)
        assert (large.status_code, large.json()["code"]) == (413, "too_large")
        broken = client.post("/mcp", content=b'{"jsonrpc": "2.0", "id": NaN}', headers=JSON)
        assert (broken.status_code, broken.json()["code"]) == (400, "bad_json")
        for method in ("GET", "DELETE"):
            other = client.request(method, "/mcp")
            assert (other.status_code, other.headers["allow"]) == (405, "POST")
        assert "/mcp" not in client.get("/openapi.json").json()["paths"]


@pytest.mark.parametrize("tool", ["start_game", "act"])
def test_what_takes_long_is_done_aside(tool: str) -> None:
    go_on = Event()
    act = {"run": {"mark": 1, "turns": 0}, "action": {"type": "turn", "way": "up"}} if tool == "act" else {"seed": 7}

    async def both() -> dict[str, Any]:
        transport = httpx.ASGITransport(create_app(Settings.model_validate({"secret": SECRET}), [slow_dial(go_on)]))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            slow = asyncio.create_task(client.post("/mcp", json=call(tool, game="slow", **act), headers=JSON))
            rules = await client.post("/mcp", json=call("rules", game="slow"), headers=JSON)
            assert rules.json()["result"]["structuredContent"]["slug"] == "slow"
            assert not slow.done()
            go_on.set()
            result: dict[str, Any] = (await slow).json()["result"]
            return result

    assert asyncio.run(both())["structuredContent"]["ok"] is True


def test_a_mistake_of_the_server_is_told_without_any_detail(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: int) -> Dial:
        raise RuntimeError("the inside")

    with client_of(replace(dial("broken", "state"), begin=broken)) as client:
        answer = client.post("/mcp", json=call("start_game", game="broken"), headers=JSON)
    assert answer.json()["result"]["structuredContent"]["code"] == "internal"
    assert "the inside" not in answer.text
    assert "the inside" in caplog.text


def test_without_the_extra_there_is_nothing_at_mcp(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with client_of() as client:
        answer = client.post("/mcp", json=call("list_games"), headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        assert client.init("dewspout")["ok"] is True
    monkeypatch.setattr(sys, "argv", ["app.mcp"])
    with pytest.raises(SystemExit):
        mcp.main()
    assert "pip install 'gameboard-server[mcp]'" in capfd.readouterr().err


def test_the_sdk_is_not_imported_before_it_is_called() -> None:
    code = "import sys, app.asgi; assert not {'mcp', 'mcp_types'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, timeout=20)
