"""Dewspout: measure exact amounts in three vessels at once, garden after garden.

The rules are those of the game's original document; docstrings name the section that a rule comes from.
"""

from engines.dewspout import observation, rules, wire
from engines.dewspout.actions import GRAMMAR, Action
from engines.dewspout.state import State
from engines.kit.game import Game, Info, text

GAME: Game[State, Action] = Game(
    info=Info(
        slug="dewspout",
        name="Dewspout",
        genre="Measuring puzzle",
        description="Fill, drain and pour three vessels until each holds an exact amount, all at the same time.",
        goal=text(__name__, "goal"),
        scoring=text(__name__, "scoring"),
        rules=text(__name__, "rules"),
    ),
    version=1,
    carried_as="stateToken",
    grammar=GRAMMAR,
    begin=rules.begin,
    legal=rules.legal,
    refusal=rules.refusal,
    apply=rules.apply,
    report=wire.report,
    score=rules.score,
    over=rules.over,
    view=wire.view,
    observation=observation.observation,
    save=wire.save,
    load=wire.load,
    state_schema=wire.STATE_SCHEMA,
    report_schema=wire.REPORT_SCHEMA,
)
