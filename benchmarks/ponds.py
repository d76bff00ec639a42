"""``python -m benchmarks.ponds``: how fast the exact search of Baskmere is, and what memory it takes.

Time: a whole search beside a literal one in the same run, a queue over explicit moves; opening ponds; a MOVE with the
table at hand and without. Memory: the table of a pond, what is precomputed for all ponds, and the process after many.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter

from engines.baskmere import GAME, rules
from engines.baskmere.distances import search, search_small, search_words
from engines.baskmere.pond import CREEK, FEATURES, GRANDSHELL, LILY_PAD, PAD_HOLDS, SHY_SHELLS, Pond, Position
from engines.baskmere.ponds import draw, opening

SHELLS = (0, 1, 2, 1, 0, 2, 1, 2, 0)
PLANS: dict[int, Position] = {
    3: (2, 0, 2, 2, 0, 2, 0, 2, 2),
    4: (3, 0, 3, 2, 3, 0, 3, 2, 3),
    5: (4, 4, 4, 4, 0, 4, 4, 2, 4),
}
LILY_PAD_ROCK = 1
ROCK = [bytes([rock]) for rock in range(5)]

PONDS: list[tuple[int, int, tuple[str, ...]]] = [
    (3, 5, ()),
    (3, 9, ()),
    (3, 9, (CREEK, GRANDSHELL)),
    (4, 5, ()),
    (4, 6, FEATURES[:2]),
    (4, 9, ()),
    (4, 9, (SHY_SHELLS, CREEK, GRANDSHELL)),
    (4, 9, FEATURES),
    (5, 5, ()),
    (5, 9, ()),
    (5, 9, (LILY_PAD, SHY_SHELLS)),
    (5, 9, FEATURES),
]


def pond(rocks: int, turtles: int, features: tuple[str, ...]) -> Pond:
    lily_pad = LILY_PAD_ROCK if LILY_PAD in features else None
    return Pond(60, rocks, SHELLS[:turtles], lily_pad, features, PLANS[rocks][:turtles])


def milliseconds(call: Callable[[], object], runs: int) -> float:
    """The median time of a call."""
    times = []
    for _ in range(runs):
        began = perf_counter()
        call()
        times.append(perf_counter() - began)
    return 1000 * median(times)


def literal_moves(pond: Pond, position: bytes, lanes: list[tuple[int, int]]) -> Iterator[tuple[int, bytes]]:
    """Every move to a legal position along these lanes: the turtle, and where it leads."""
    piles: list[list[int]] = [[] for _ in range(pond.rocks)]
    for turtle, rock in enumerate(position):
        piles[rock].append(turtle)  # from the top down
    shy = SHY_SHELLS in pond.features
    for start, end in lanes:
        source, target = piles[start], piles[end]
        if not source or (target and target[0] < source[0]):
            continue
        turtle = source[0]
        if shy and target and pond.shells[target[0]] == pond.shells[turtle]:
            continue
        if end == pond.lily_pad and len(target) == PAD_HOLDS:
            continue
        yield turtle, position[:turtle] + ROCK[end] + position[turtle + 1 :]


def literal_search(pond: Pond) -> dict[bytes, int]:
    """The distances of a pond by a queue over explicit moves, walked backwards."""
    rocks = range(pond.rocks)
    lanes = [(start, end) for start in rocks for end in rocks if pond.lane(end, start)]
    costs = [pond.cost(turtle) for turtle in range(pond.turtles)]
    found: dict[bytes, int] = {}
    levels: list[list[bytes]] = [[bytes(pond.plan)], [], []]
    distance = 0
    while any(levels):
        for position in levels[0]:
            if position in found:
                continue
            found[position] = distance
            for turtle, before in literal_moves(pond, position, lanes):
                if before not in found:
                    levels[costs[turtle]].append(before)
        levels = [*levels[1:], []]
        distance += 1
    return found


def times() -> None:
    """Searches beside literal ones, which must agree."""
    print(
        "rocks × turtles, features                         median ms  literal ms  ratio  deepest  table bytes  `of` µs"
    )
    for rocks, turtles, features in PONDS:
        drawn = pond(rocks, turtles, features)
        taken = milliseconds(lambda drawn=drawn: search(drawn), 15)  # type: ignore[misc]
        began = perf_counter()
        wanted = literal_search(drawn)
        literal = 1000 * (perf_counter() - began)
        found = search(drawn)
        chosen = Random(1).sample(list(wanted), min(len(wanted), 5000))
        positions = [tuple(position) for position in chosen]
        if [found.of(position) for position in positions] != [wanted[position] for position in chosen]:
            raise AssertionError(drawn)
        look_up = milliseconds(lambda found=found, positions=positions: [*map(found.of, positions)], 15)  # type: ignore[misc]
        name = f"{rocks} × {turtles} {' '.join(features)}"
        print(
            f"{name:<48}{taken:>11.2f}{literal:>12.1f}{literal / taken:>7.1f}{found.deepest:>9}{found.nbytes:>13,}"
            f"{1000 * look_up / len(positions):>9.2f}"
        )


def engines() -> None:
    """Both engines around the size where `search` changes from one to the other."""
    print("rocks × turtles   positions   plain Python ms   words ms")
    for rocks, turtles in ((3, 5), (3, 7), (3, 9), (4, 4), (4, 5), (4, 6), (5, 4), (5, 5)):
        drawn = pond(rocks, turtles, (CREEK,))
        small = milliseconds(lambda drawn=drawn: search_small(drawn), 5)  # type: ignore[misc]
        words = milliseconds(lambda drawn=drawn: search_words(drawn), 5)  # type: ignore[misc]
        print(f"{rocks} × {turtles}{rocks**turtles:>24}{small:>18.2f}{words:>11.2f}")


def precomputed() -> None:
    """What all sizes and lanes together leave behind."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for rocks in PLANS:
        for turtles in range(4, 10):
            for features in ((), (CREEK,)):
                search(pond(rocks, turtles, features)).closed()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"precomputed for all sizes: {after - before:,} bytes")


def play() -> None:
    """Opening ponds of a number, and a MOVE in the largest of them: with the table at hand and without."""
    print("pond   median open ms   worst open ms   largest   cold MOVE ms   MOVE µs")
    for number in (1, 8, 15, 25, 40, 55, 60, 100):
        opened = [(timed(draw, number, cursor), draw(number, cursor)) for cursor in range(40)]
        largest = max((each for _, each in opened), key=lambda each: each.pond.rocks**each.pond.turtles)
        run = replace(rules.begin(7), pond=largest.pond, par=largest.par, position=largest.start, daylight=99)
        move = GAME.grammar.write(GAME.legal(run)[0])
        # A pond with a number of its own is one whose distances nobody has asked for.
        cold = [timed(GAME.play, replace(run, pond=replace(run.pond, number=10**6 + pond)), move) for pond in range(9)]
        GAME.play(run, move)
        warm = [timed(GAME.play, run, move) for _ in range(2000)]
        opens = [taken for taken, _ in opened]
        size = f"{largest.pond.rocks} × {largest.pond.turtles}"
        print(
            f"{number:>4}{median(opens):>17.1f}{max(opens):>16.1f}{size:>10}{median(cold):>15.1f}"
            f"{1000 * median(warm):>10.1f}"
        )


def timed(call: Callable[..., object], *arguments: object) -> float:
    """The milliseconds that one call takes."""
    began = perf_counter()
    call(*arguments)
    return 1000 * (perf_counter() - began)


def resident() -> None:
    """The most memory that the process ever had, after more and more deep ponds were opened."""
    for ponds in range(501):
        if ponds in (0, 10, 50, 100, 200, 300, 400, 500):
            print(f"after {ponds:>3} deep ponds: at most {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.1f} MiB resident")
        opening(60 + ponds, ponds)


if __name__ == "__main__":
    precomputed()
    resident()
    print()
    play()
    print()
    engines()
    print()
    times()
