"""Which gardens there are: the schedule, par by exhaustive search, and the one draw that picks a target.

(Document: "CONTINUATION".) A garden of the schedule asks for vessels and for a range of pars. Breadth-first search from
empty vessels finds every reachable vector and its distance, which is par. The targets of a garden are the vectors of
the wanted pars in which some vessel is neither empty nor full; they are few, so they are listed and one is drawn.
"""

from functools import lru_cache

from engines.dewspout.state import EMPTY, Amounts, Garden
from engines.dewspout.water import moves
from engines.kit.mulberry32 import below

SHALLOWEST = 2
"""No drawn garden has a par below this."""

FIRST = Garden(number=1, capacities=(3, 5, 8), targets=(0, 0, 5), par=2)

CYCLE: tuple[Amounts, ...] = ((3, 5, 8), (4, 7, 9), (5, 8, 11), (6, 9, 13))
"""Capacities from garden 7 on, one after the other."""

PARS = (6, 7, 8, 9)
"""Pars from garden 7 on; each stays for one cycle of capacities."""


def schedule(number: int) -> tuple[Amounts, range]:
    """The capacities of a garden from 2 on, and the pars that its target is drawn from."""
    if number <= 3:
        return (3, 5, 8), range(3, 6)
    if number <= 6:
        return (4, 7, 9), range(5, 8)
    cycle, place = divmod(number - 7, len(CYCLE))
    par = PARS[cycle % len(PARS)]
    return CYCLE[place], range(par, par + 1)


@lru_cache(maxsize=64)
def distances(capacities: Amounts) -> dict[Amounts, int]:
    """Every vector reachable from empty vessels, with the fewest water actions that reach it."""
    found = {EMPTY: 0}
    frontier = [EMPTY]
    while frontier:
        reached = []
        for amounts in frontier:
            for then in moves(capacities, amounts).values():
                if then not in found:
                    found[then] = found[amounts] + 1
                    reached.append(then)
        frontier = reached
    return found


@lru_cache(maxsize=64)
def pool(capacities: Amounts, pars: range) -> tuple[Amounts, ...]:
    """The partial-volume targets with a par in the range, in lexicographic order.

    If there are none, those of the nearest par that has some: at least `SHALLOWEST`, the lower one on a tie. With the
    capacities of the schedule this never happens.
    """
    by_par: dict[int, list[Amounts]] = {}
    for amounts, par in distances(capacities).items():
        if par >= SHALLOWEST and any(0 < held < full for held, full in zip(amounts, capacities, strict=True)):
            by_par.setdefault(par, []).append(amounts)
    wanted = [par for par in by_par if par in pars]
    if not wanted:
        wanted = [min(by_par, key=lambda par: (max(pars.start - par, par - pars.stop + 1), par))]
    return tuple(sorted(targets for par in wanted for targets in by_par[par]))


@lru_cache(maxsize=4096)
def garden(number: int, targets: Amounts) -> Garden | None:
    """The garden with this number and these targets, or None where the schedule never draws it."""
    if number == FIRST.number:
        return FIRST if targets == FIRST.targets else None
    capacities, pars = schedule(number)
    if targets not in pool(capacities, pars):
        return None
    return Garden(number, capacities, targets, distances(capacities)[targets])


def following(last: Garden, cursor: int) -> tuple[int, Garden]:
    """The cursor after one draw, and the garden that it picks to come after another.

    The last garden's target does not come twice in a row in the same vessels, unless there is no other.
    """
    capacities, pars = schedule(last.number + 1)
    targets = pool(capacities, pars)
    if capacities == last.capacities:
        targets = tuple(other for other in targets if other != last.targets) or targets
    cursor, drawn = below(cursor, len(targets))
    chosen = targets[drawn]
    return cursor, Garden(last.number + 1, capacities, chosen, distances(capacities)[chosen])
