"""The app, put together: settings and games in, an ASGI application out."""

from collections.abc import Sequence

from fastapi import FastAPI
from starlette.types import ASGIApp

from app import about, api, errors, mcp, openapi
from app.express import Express
from app.line import Line
from app.lines import Lines
from app.links import Links
from app.pages import routes as pages
from app.preflight import Preflight
from app.routes import DirectRoute
from app.seats import seats
from app.settings import Settings
from app.watch import Watch, Watcher
from engines.kit.game import AnyGame
from engines.registry import GAMES


def create_app(settings: Settings, games: Sequence[AnyGame] = GAMES) -> ASGIApp:
    """An app that serves these games. The settings must hold a secret (see `app.settings.with_secret`)."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.router.route_class = DirectRoute
    watchers: list[Watcher] = []
    app.add_middleware(Preflight)
    links = Links(settings.public_url, settings.trusted_proxies)
    errors.install(app, links.base)
    line = Line(settings.line)
    table = seats(games, [secret.get_secret_value() for secret in settings.secret], line)
    if settings.metrics:
        from app.metrics import Metrics  # costs time, and counts in the way that the environment says when imported

        metrics = Metrics(table, line)
        metrics.install(app)
        table = metrics.counting(table)
        watchers.append(metrics.watch)
    if settings.log == "json":
        watchers.append(Lines().watch)
    express = Express(app, api.install(app, table, line, links))
    if mcp.installed():
        mcp.install(app, table)
    pages.install(app, table, links, openapi.document(app, table, about.SERVICE, about.DESCRIPTION))
    return Watch(express, app.routes, table, watchers) if watchers else express
