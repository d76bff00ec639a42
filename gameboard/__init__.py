"""A client for gameboard servers: runs to play, one or many at a time, over HTTP or in this process."""

from gameboard.aio import AsyncGameboard, AsyncRun
from gameboard.calls import RequestFailed, Verdict
from gameboard.client import Gameboard, Run
from gameboard.runs import IllegalAction, Position

__all__ = [
    "AsyncGameboard",
    "AsyncRun",
    "Gameboard",
    "IllegalAction",
    "Position",
    "RequestFailed",
    "Run",
    "Verdict",
]
