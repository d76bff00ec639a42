"""What this server is and how it is played, in the words that index, documents and OpenAPI share."""

SERVICE = "Open gameboard"
DESCRIPTION = (
    "Puzzle games for agents and people over plain HTTP. Stateless: every answer carries the whole run, so any earlier "
    "answer can be played on."
)
STEP_1 = "GET a game's initUrl, with ?seed=7 for a run that can be repeated. The answer holds the run and the rules."
STEP_2 = (
    'POST to its actionUrl a JSON object with your "action" and the run: the "stateToken" of the last answer that had '
    '"ok": true (for a game without tokens, its "state"). Repeat until "gameOver" is true.'
)
CHOOSING_ACTIONS = (
    'Every entry of "legalActions" can be sent as "action" as it is. An illegal action changes nothing and costs '
    'nothing: the answer has "ok": false, the reason and the legal actions, and no new run. Keep the one you sent.'
)
