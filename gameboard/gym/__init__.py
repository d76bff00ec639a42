"""The games as Gymnasium environments, in this process or at a server.

``gymnasium.make("gameboard.gym:gameboard/Baskmere-v0")`` works anywhere; once this module is imported,
``gymnasium.make("gameboard/Baskmere-v0")`` does. `Environment` says what can be set and what comes back.
"""

from gymnasium.envs import registration

from gameboard.gym.env import Environment

__all__ = ["IDS", "Environment", "register"]

IDS = {
    "gameboard/Baskmere-v0": "baskmere",
    "gameboard/Dewspout-v0": "dewspout",
    "gameboard/SumiSteps-v0": "sumi-steps",
}
"""Each environment's id, and the game it is."""


def register() -> None:
    """Make the environments known to Gymnasium. What it knows already stays as it is."""
    for name, game in IDS.items():
        if name not in registration.registry:
            registration.register(name, entry_point="gameboard.gym.env:Environment", kwargs={"game": game})


register()
