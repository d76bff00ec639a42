"""What this server is and how it is played, in the words that index, documents and OpenAPI share."""

SERVICE = "Open gameboard"
DESCRIPTION = (
    "Puzzle games for agents and people over plain HTTP. Stateless: every answer carries the whole run, so any earlier "
    "answer can be played on."
)
STEP_1 = "GET a game's initUrl, with ?seed=7 for a run that can be repeated. The answer holds the run and the rules."
STEP_2 = (
    'POST to its actionUrl a JSON object with the "stateToken" of the last answer (for a game without tokens its '
    '"state") and your "action". Go on with each new answer until "gameOver" is true.'
)
CHOOSING_ACTIONS = (
    'Every entry of "legalActions" can be sent as "action" as it stands. A refused action changes nothing: the answer '
    'has "ok": false, the reason and the legal actions, and what you sent stays good.'
)
