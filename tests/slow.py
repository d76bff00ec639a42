"""A dial that takes long, for as long as a test wants."""

from dataclasses import replace
from threading import Event

from engines.kit.game import Game
from tests.toy import Dial, Twist, dial


def slow_dial(go_on: Event) -> Game[Dial, Twist]:
    """A game, `slow`, that begins and plays only once it may go on, and says before that it takes long."""
    toy = dial("slow", "state")

    def begin(seed: int) -> Dial:
        assert go_on.wait(20)
        return toy.begin(seed)

    def apply(state: Dial, action: Twist) -> Dial:
        assert go_on.wait(20)
        return toy.apply(state, action)

    return replace(toy, begin=begin, apply=apply, slow_begin=lambda _: True, slow_play=lambda _: True)
