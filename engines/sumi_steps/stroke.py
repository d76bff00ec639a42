"""A random stroke through every plot of a rectangle: a Hamiltonian path, drawn by backbite moves.

A move takes one end of the path and a neighbour of it inside the path, joins the two, and cuts the path open again
beside that neighbour, on the side of the end: what lay between is turned around, and the path has a new end.

    end o--1--2--3--4      neighbour 3:     o  1--2          the end is joined to 3, the link 2-3 is cut,
                                            |     |          and 2 is the new end
                                            3--4  …

Every move can be undone by another that is just as likely, so in the long run all paths are equally likely; ten moves
a plot are enough to forget the snake that it starts from (`python -m benchmarks.gardens` shows it).
"""

from collections.abc import Sequence

from engines.kit.mulberry32 import below
from engines.sumi_steps.state import NOWHERE, Plot

MOVES_PER_PLOT = 12


def ways(rows: int, cols: int) -> list[tuple[Plot, Plot, Plot, Plot]]:
    """For each plot of an unfenced rectangle the plots above, below, left and right of it, or `NOWHERE`."""
    return [
        (
            plot - cols if plot >= cols else NOWHERE,
            plot + cols if plot < (rows - 1) * cols else NOWHERE,
            plot - 1 if plot % cols else NOWHERE,
            plot + 1 if plot % cols < cols - 1 else NOWHERE,
        )
        for plot in range(rows * cols)
    ]


def snake(rows: int, cols: int) -> list[Plot]:
    """The stroke that goes to and fro, row by row."""
    lines = [range(row * cols, (row + 1) * cols) for row in range(rows)]
    return [plot for row, line in enumerate(lines) for plot in (line if row % 2 == 0 else reversed(line))]


def random_stroke(rows: int, cols: int, cursor: int, moves_per_plot: int = MOVES_PER_PLOT) -> tuple[int, list[Plot]]:
    """The cursor after the draws, and a stroke that visits every plot once. One draw a move."""
    path = snake(rows, cols)
    around: Sequence[tuple[Plot, ...]] = ways(rows, cols)
    for _ in range(moves_per_plot * len(path)):
        cursor, drawn = below(cursor, 8)
        if drawn < 4:
            neighbour = around[path[-1]][drawn]
            if neighbour != NOWHERE:
                place = path.index(neighbour)
                path[place + 1 :] = path[:place:-1]
        else:
            neighbour = around[path[0]][drawn - 4]
            if neighbour != NOWHERE:
                place = path.index(neighbour)
                path[:place] = path[:place][::-1]
    return cursor, path
