"""The camelCase seam: what the public state, the report and the saved run look like outside."""

from engines.dewspout import gardens, rules, water
from engines.dewspout.actions import GRAMMAR, Action, Empty, Fill, Pour
from engines.dewspout.state import Amounts, Phase, State
from engines.kit.game import BadState, Saved
from engines.kit.json import Json, JsonObject
from engines.kit.reading import cursor_bytes, read_cursor, read_whole, read_word
from engines.kit.schema import flag, record, row, whole, word

PHASES: tuple[Phase, ...] = ("playing", "cleared", "ended")


def _vessels(about: str, minimum: int = 0) -> JsonObject:
    return row(f"{about}, of A, B and C.", whole("", minimum), 3)


STATE_SCHEMA = record(
    "The public state of a run of Dewspout.",
    {
        "phase": word("playing: the garden is open. cleared: next or bank. ended: the run is over.", *PHASES),
        "garden": whole("Number of the garden, from 1.", 1),
        "capacities": _vessels("What the vessels hold when full", 1),
        "amounts": _vessels("What the vessels hold now"),
        "targets": _vessels("What they must hold, all at once"),
        "par": whole("The fewest moves that reach the targets from empty vessels.", gardens.SHALLOWEST),
        "gardenMoves": whole("Moves in this garden so far: water actions and restarts."),
        "totalMoves": whole("Moves in the whole run so far."),
        "score": whole("Points of all cleared gardens."),
        "lastGardenPoints": whole("What this garden paid; 0 until it is cleared."),
    },
)


def view(state: State) -> JsonObject:
    return {
        "phase": state.phase,
        "garden": state.garden.number,
        "capacities": state.garden.capacities,
        "amounts": state.amounts,
        "targets": state.garden.targets,
        "par": state.garden.par,
        "gardenMoves": state.garden_moves,
        "totalMoves": state.total_moves,
        "score": state.score,
        "lastGardenPoints": state.last_points,
    }


REPORT_SCHEMA = record(
    "What one accepted action did.",
    {
        "action": word("The type of the action.", *(form.type for form in GRAMMAR.forms)),
        "amounts": _vessels("What the vessels hold after it"),
        "cleared": flag("Whether this action cleared the garden."),
        "pointsAwarded": whole("Points that this action paid."),
        "moved": whole("Units that a fill, empty or pour moved.", 1),
        "completionPoints": whole("On a clear: the points for the garden and its par."),
        "efficiencyBonus": whole("On a clear: the points for few moves."),
    },
    required=("action", "amounts", "cleared", "pointsAwarded"),
)


def report(before: State, action: Action, after: State) -> JsonObject:
    told: dict[str, Json] = {
        "action": GRAMMAR.write(action)["type"],
        "amounts": after.amounts,
        "cleared": False,
        "pointsAwarded": 0,
    }
    if isinstance(action, (Fill, Empty, Pour)):
        told["moved"] = water.moved(before.garden.capacities, before.amounts, action)
        if after.phase == "cleared":
            told["cleared"] = True
            told["pointsAwarded"] = after.last_points
            told["completionPoints"] = rules.completion_points(after.garden.par)
            told["efficiencyBonus"] = rules.efficiency_bonus(after.garden.par, after.garden_moves)
    return told


def save(state: State) -> Saved:
    """Capacities and par follow from the garden's number and targets, so they are left out."""
    return Saved(
        open=[
            state.phase,
            state.garden.number,
            state.garden.targets,
            state.amounts,
            state.garden_moves,
            state.total_moves,
            state.score,
            state.last_points,
        ],
        secret=cursor_bytes(state.cursor),
    )


def load(saved: Saved) -> State:
    if not isinstance(saved.open, list) or len(saved.open) != 8:
        raise BadState("A saved run of Dewspout is a list of 8 values.")
    phase, number, targets, amounts, garden_moves, total_moves, score, last_points = saved.open
    known = read_word("phase", phase, PHASES)
    garden = gardens.garden(read_whole("garden", number, 1), _vector("targets", targets))
    if garden is None:
        raise BadState("targets: no run meets them in this garden.")
    held = _vector("amounts", amounts)
    if held not in gardens.distances(garden.capacities):
        raise BadState("amounts: these vessels never hold that.")
    return State(
        phase=known,
        garden=garden,
        amounts=held,
        garden_moves=read_whole("gardenMoves", garden_moves),
        total_moves=read_whole("totalMoves", total_moves),
        score=read_whole("score", score),
        last_points=read_whole("lastGardenPoints", last_points),
        cursor=read_cursor(saved.secret),
    )


def _vector(name: str, value: Json) -> Amounts:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise BadState(f"{name}: it is a list of three whole numbers.")
    a, b, c = (read_whole(name, units) for units in value)
    return a, b, c
