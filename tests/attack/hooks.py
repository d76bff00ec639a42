"""What schemathesis is told of this server: a check of how it refuses, and links that lead deep into a run."""

from typing import Any

import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.checks import CheckContext

from engines.registry import GAMES

ACTION = "/api/games/{slug}/action"


@schemathesis.hook
def before_load_schema(_: HookContext, raw_schema: dict[str, Any]) -> None:
    """Let the links that play a run on play any legal action; those of the document name the first, as an example."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for link in operation["responses"]["200"].get("links", {}).values():
                if "action" in link["requestBody"]:
                    link["requestBody"]["action"] = "$response.body#/legalActions/*"
                    # A star is any of them in links that are marked as inferred; they replace the body as a whole.
                    link["x-schemathesis"] = {"is_inferred": True, "merge_body": False}


@schemathesis.check
def refused_in_its_own_way(_: CheckContext, response: Response, case: Case[Any]) -> None:
    """What is wrong in form is refused even where that is a 200; what is right in form never is no JSON."""
    if case.meta is None or response.status_code not in (200, 400) or case.operation.method != "post":
        return
    if response.request.headers.get("Content-Type") != "application/json":  # the body is read as JSON all the same
        return
    answer = response.json()
    if case.meta.generation.mode.is_positive:
        assert answer.get("code") in (None, "bad_request", "bad_token", "bad_state"), "a good body was called bad"
    elif response.status_code == 200 and case.operation.path == "/api/batch":
        assert not all(result["ok"] for result in answer["results"]), "a bad item was answered like a good one"
    elif response.status_code == 200:
        assert not answer["ok"], "a bad action was played"


@schemathesis.check
class EveryGameIsPlayed:
    """The links must lead somewhere: actions of each game are accepted."""

    def __init__(self) -> None:
        self._sent: set[str] = set()
        self._played: set[str] = set()

    def after_response(self, _: CheckContext, response: Response, case: Case[Any]) -> None:
        if case.operation.path == ACTION:
            slug = str(case.path_parameters.get("slug"))
            self._sent.add(slug)
            if response.status_code == 200 and response.json()["ok"]:
                self._played.add(slug)

    def after_run(self, _: CheckContext) -> None:
        slugs = {game.info.slug for game in GAMES}
        missed = ", ".join(sorted(slugs - self._played))
        assert not self._sent or not missed, f"no action was accepted of {missed}: too short a time, or a broken link"
