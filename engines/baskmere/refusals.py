"""The judge of an action, and the reason for every way to be illegal."""

from engines.baskmere.actions import Action, Move, NextPond, StepBack
from engines.baskmere.piles import may_move, may_step_back, open_swims, piles, top
from engines.baskmere.pond import PAD_HOLDS, SHELLS, SHY_SHELLS, Pond
from engines.baskmere.state import State, Swim
from engines.kit.grammar import Refusal


def refusal(state: State, action: Action) -> Refusal | None:
    """Why an action is illegal here, or None. The phase of the run speaks first, then rocks, rules and Daylight."""
    reason = _against_phase(state, action)
    if reason is None and isinstance(action, Move):
        reason = _against_move(state, (action.start, action.end))
    if reason is None and isinstance(action, StepBack):
        reason = _against_step_back(state)
    return None if reason is None else Refusal(reason)


def _against_phase(state: State, action: Action) -> str | None:
    number = state.pond.number
    if state.phase == "runOver":
        how = {"win": "ended between ponds", "goodGame": "ended", "sunset": "ended at sunset"}[state.outcome or "win"]
        return (
            f"This run {how} in pond {number} with {state.score} points, and takes no more actions. "
            "GET /api/games/baskmere/init starts another one."
        )
    if state.phase == "drift" and isinstance(action, (Move, StepBack)):
        return (
            f"Pond {number} is settled, and its turtles stay as they are. NEXT_POND opens pond {number + 1}; END_RUN "
            f"ends the run as a win with {state.score} points."
        )
    if state.phase == "pond" and isinstance(action, NextPond):
        return (
            f"Pond {number} is not settled: its piles are {_layout(state)} and the plan is "
            f"{_layout(state, planned=True)}. NEXT_POND comes after that; END_RUN gives this pond up."
        )
    return None


def _against_move(state: State, swim: Swim) -> str | None:
    pond, position = state.pond, state.position
    start, end = swim
    for rock in swim:
        if rock >= pond.rocks:
            return f"There is no rock {rock} in this pond: its rocks are 0 to {pond.rocks - 1}. {_could(state)}"
    if start == end:
        return f'A move goes from one rock to another; "from" and "to" are both {start}. {_could(state)}'
    turtle = top(position, start)
    if turtle is None:
        return f"Rock {start} is empty, so there is no turtle to move. {_could(state)}"
    if may_move(pond, position, swim):
        return _against_cost(state, turtle)
    return f"{_why_not(pond, state, turtle, swim)} {_could(state)}"


def _why_not(pond: Pond, state: State, turtle: int, swim: Swim) -> str:
    """The rule of the rocks against a move."""
    start, end = swim
    if not pond.lane(start, end):
        return (
            f"The creek runs 0 to 1, 1 to 2 and 2 to 0 only, so turtle {turtle + 1} cannot swim from rock {start} to "
            f"rock {end}."
        )
    under = top(state.position, end)
    assert under is not None, "an empty rock takes every turtle"
    if under < turtle:
        return (
            f"Turtle {turtle + 1} cannot rest on turtle {under + 1}, the top of rock {end}: a turtle rests on an empty "
            "rock or on a bigger turtle."
        )
    if pond.has(SHY_SHELLS) and pond.shells[under] == pond.shells[turtle]:
        return (
            f"Turtle {turtle + 1} and turtle {under + 1}, the top of rock {end}, both have "
            f"{SHELLS[pond.shells[turtle]]} shells, and shy shells do not rest on their own colour."
        )
    held = ", ".join(str(its + 1) for its in piles(state.position, pond.rocks)[end])
    return f"Rock {end} is the lily pad and already holds {PAD_HOLDS} turtles ({held}), which is all it carries."


def _against_step_back(state: State) -> str | None:
    if may_step_back(state):
        return None
    if not state.moves:
        return f"There is no move of this pond to step back. {_could(state)}"
    start, end = state.moves[-1]
    if not state.pond.lane(end, start):
        return (
            f"The last move went from rock {start} to rock {end} with the creek, and nothing swims back against it: "
            f"it runs 0 to 1, 1 to 2 and 2 to 0. {_could(state)}"
        )
    turtle = top(state.position, end)
    assert turtle is not None, "the turtle that moved last lies on top"
    return _against_cost(state, turtle)


def _against_cost(state: State, turtle: int) -> str | None:
    cost = state.pond.cost(turtle)
    if cost <= state.daylight:
        return None
    return (
        f"A move of the Grandshell, turtle {turtle + 1}, costs {cost} Daylight, and {state.daylight} is left. "
        f"{_could(state)}"
    )


def _could(state: State) -> str:
    """What would be possible."""
    return f"Open moves: {', '.join(f'{start} to {end}' for start, end in open_swims(state))}."


def _layout(state: State, planned: bool = False) -> str:
    position = state.pond.plan if planned else state.position
    return str([[turtle + 1 for turtle in laid] for laid in piles(position, state.pond.rocks)])
