"""Baskmere: sorting ponds with a Daylight budget and an exact minimum, without end.

The rules are those of the game's original document; docstrings name the section that a rule comes from.
"""

from engines.baskmere import observation, ponds, refusals, rules, wire
from engines.baskmere.actions import GRAMMAR, Action
from engines.baskmere.state import State
from engines.kit.game import Game, Info, text

GAME: Game[State, Action] = Game(
    info=Info(
        slug="baskmere",
        name="Baskmere",
        genre="Sorting puzzle",
        description="Move turtles from rock to rock until every pile matches the plan, before the Daylight is spent.",
        goal=text(__name__, "goal"),
        scoring=text(__name__, "scoring"),
        rules=text(__name__, "rules"),
    ),
    version=1,
    carried_as="stateToken",
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
    load=wire.load,
    state_schema=wire.STATE_SCHEMA,
    report_schema=wire.REPORT_SCHEMA,
    slow_begin=rules.slow_begin,
    slow_play=rules.slow_play,
    shelves=ponds.SHELVES,
    facts=wire.FACTS,
)
