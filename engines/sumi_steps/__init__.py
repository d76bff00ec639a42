"""Sumi Steps: one ink stroke through every plot of a garden, past the stones in their order.

The rules are those of the game's original document; docstrings name the section that a rule comes from.
"""

from engines.kit.game import Game, Info, text
from engines.sumi_steps import observation, refusals, rules, validator, wire
from engines.sumi_steps.actions import GRAMMAR, Action
from engines.sumi_steps.state import State

GAME: Game[State, Action] = Game(
    info=Info(
        slug=wire.SLUG,
        name="Sumi Steps",
        genre="Path puzzle",
        description="Draw one ink stroke through every plot of nine Zen gardens, past the numbered stones in order.",
        goal=text(__name__, "goal"),
        scoring=text(__name__, "scoring"),
        rules=text(__name__, "rules"),
    ),
    version=wire.VERSION,
    carried_as="state",
    grammar=GRAMMAR,
    begin=rules.begin,
    legal=rules.legal,
    refusal=refusals.refusal,
    apply=rules.apply,
    report=wire.report,
    score=rules.score,
    over=rules.over,
    view=wire.view,
    observation=observation.observation,
    save=wire.save,
    load=validator.load,
    state_schema=wire.STATE_SCHEMA,
    report_schema=wire.REPORT_SCHEMA,
)
