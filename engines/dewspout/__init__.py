"""Dewspout: measure exact amounts in three vessels at once, garden after garden."""

from engines.dewspout import observation, rules, wire
from engines.dewspout.actions import GRAMMAR, Action
from engines.dewspout.state import State
from engines.kit.game import Game, Info, text

GAME: Game[State, Action] = Game(
    info=Info(
        slug="dewspout",
        name="Dewspout",
        genre="Measuring puzzle",
        description="Three vessels without marks, and an exact amount wanted in each of them at the same time.",
        goal=text(__name__, "goal"),
        scoring=text(__name__, "scoring"),
        rules=text(__name__, "rules"),
    ),
    version=1,
    carried_as="stateToken",
    grammar=GRAMMAR,
    begin=rules.begin,
    candidates=rules.candidates,
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
