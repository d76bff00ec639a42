"""The arrows: who may import whom. Every import of every module is read, none is run."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PURE = {
    "collections", "collections.abc", "dataclasses", "difflib", "enum", "functools", "graphlib", "heapq", "itertools",
    "json", "math", "operator", "re", "types", "typing",
}  # fmt: skip
"""What of the standard library a game may use: no clock, no system, no network, no randomness."""

MORE = {
    "engines.kit.game": {"importlib.resources"},
    "engines.kit.shelf": {"threading"},
    "engines.baskmere.words": {"numpy", "numpy.typing"},
    "engines.baskmere.small": {"array"},
    "engines.sumi_steps.validator": {"orjson"},
}
"""What single modules may use besides: texts, locks, fast arrays, the bytes of JSON."""

LEVELS = {"pond": 0, "state": 0, "actions": 0, "rules": 2, "wire": 3, "observation": 3, "validator": 4, "__init__": 5}
"""The rooms of a game, from the bottom up. A room that is not named here is a board, a search or a draw: level 1."""


def modules(package: str) -> dict[str, Path]:
    paths = sorted((ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a module imports; `from package import module` counts as the module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known or f"{inner}.__init__" in known else str(node.module))
    return {f"{name}.__init__" if f"{name}.__init__" in known else name for name in found}


ENGINES, APP, CLIENT = modules("engines"), modules("app"), modules("gameboard")
KNOWN = ENGINES | APP | CLIENT
IMPORTS = {name: imports(path, KNOWN) for name, path in KNOWN.items()}
GAMES = sorted({name.split(".")[1] for name in ENGINES if name.count(".") > 1} - {"kit"})


def room(module: str) -> str:
    """The first two names of an engine module: ``engines.kit``, ``engines.dewspout``, ``engines.registry``."""
    return ".".join(module.split(".")[:2])


def test_there_is_something_to_read() -> None:
    assert "dewspout" in GAMES
    assert IMPORTS["engines.dewspout.rules"] >= {"engines.dewspout.state", "engines.kit.grammar"}
    assert IMPORTS["engines.registry"] >= {"engines.dewspout.__init__"}


@pytest.mark.parametrize("module", ENGINES)
def test_engines_are_pure(module: str) -> None:
    foreign = {name for name in IMPORTS[module] if not name.startswith("engines.")}
    assert foreign <= PURE | MORE.get(module, set())


@pytest.mark.parametrize("module", [name for name in ENGINES if name.startswith("engines.kit.")])
def test_the_kit_knows_no_game(module: str) -> None:
    assert {room(name) for name in IMPORTS[module] if name.startswith("engines.")} <= {"engines.kit"}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_knows_the_kit_and_itself_and_its_rooms_stand_in_order(game: str) -> None:
    own = f"engines.{game}"
    for module in (name for name in ENGINES if room(name) == own):
        level = LEVELS.get(module.rpartition(".")[2], 1)
        for name in (name for name in IMPORTS[module] if name.startswith("engines.")):
            assert room(name) in {"engines.kit", own}, f"{module} imports {name}"
            if room(name) == own:
                assert LEVELS.get(name.rpartition(".")[2], 1) <= level, f"{module} imports {name}"


def test_the_app_knows_the_registry_and_the_kit_only() -> None:
    for module in APP:
        for name in (name for name in IMPORTS[module] if name.startswith("engines.")):
            assert room(name) in {"engines.kit", "engines.registry"}, f"{module} imports {name}"


def test_no_module_imports_itself_in_the_end() -> None:
    graph = {name: {other for other in found if other in KNOWN} for name, found in IMPORTS.items()}
    assert set(TopologicalSorter(graph).static_order()) >= set(KNOWN)


def test_the_app_names_no_game() -> None:
    for path in APP.values():
        text = path.read_text(encoding="utf-8").lower()
        assert not any(game in text or game.replace("_", "-") in text for game in GAMES), path


@pytest.mark.parametrize("module", CLIENT)
def test_the_client_knows_no_game_from_inside(module: str) -> None:
    """Agents play by the public state. One module reaches for the app, to serve it without a server."""
    own = {name.split(".")[0] for name in IMPORTS[module] if name in KNOWN}
    assert own <= {"gameboard", "app"} if module == "gameboard.local" else own <= {"gameboard"}


@pytest.mark.parametrize("module", [*ENGINES, *APP])
def test_the_server_does_not_know_its_client(module: str) -> None:
    assert not {name for name in IMPORTS[module] if name.startswith("gameboard")}
