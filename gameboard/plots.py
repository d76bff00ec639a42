"""Pictures of evaluations. Needs the extra ``plot``."""

from pathlib import Path

from gameboard.evaluate import Result


def scores(results: list[Result], path: Path) -> None:
    """Every run's score by its seed, a row for each game and a colour for each agent, beside the optimal agent's."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(result.game for result in results))
    figure = Figure(figsize=(9, 3 * len(games)), layout="constrained")
    for row, game in enumerate(games, start=1):
        axes = figure.add_subplot(len(games), 1, row, title=game, xlabel="seed", ylabel="score")
        here = [result for result in results if result.game == game]
        for agent in dict.fromkeys(result.agent for result in here):
            runs = [result for result in here if result.agent == agent]
            axes.plot([run.seed for run in runs], [run.score for run in runs], "o", markersize=4, label=agent)
        optima = {run.seed: run.optimal for run in here if run.optimal is not None}
        axes.plot(sorted(optima), [optima[seed] for seed in sorted(optima)], "_k", markersize=8, label="optimal score")
        axes.legend(fontsize="small")
    figure.savefig(path)
