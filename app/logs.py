"""Messages on standard error, ours and uvicorn's, as text or as lines of JSON; requests are lines of `app.lines`.

No token, state or secret may get there. So an exception is told by its kind and its place, never by its words, and
what other libraries say by its place: both may quote what was sent.
"""

import logging.config
import os
import traceback
from copy import copy
from typing import Any

import uvicorn.config
from uvicorn.logging import DefaultFormatter

from app.lines import Lines
from app.settings import variable

FRAMES = 12
"""Places of a traceback at most, the innermost ones."""

_LONGEST = 3000
"""Characters of a traceback on a line of JSON at most, so that the line fits into a pipe as a whole."""


def configure() -> None:
    """Configure `logging` as the environment wants it: before the settings are read, which may say something."""
    logging.config.dictConfig(config(os.environ.get(variable("log"))))


def config(mode: str | None) -> dict[str, Any]:
    """The configuration of `logging`, for this process and for uvicorn's workers; ``json``, or plain text."""
    handler = (
        {"class": "app.logs.JsonHandler"}
        if mode == "json"
        else {"class": "logging.StreamHandler", "formatter": "default", "stream": "ext://sys.stderr"}
    )
    return {
        **uvicorn.config.LOGGING_CONFIG,
        "formatters": {"default": {"()": "app.logs.PlainFormatter", "fmt": "%(levelprefix)s %(message)s"}},
        "handlers": {"default": handler},
        "loggers": {"uvicorn": {"handlers": ["default"], "level": "INFO", "propagate": False}},
        "root": {"handlers": ["default"], "level": "WARNING"},
    }


def traced(error: BaseException, told: frozenset[int] = frozenset()) -> str:
    """Where an exception comes from, and of what kind it is and what led to it."""
    told |= {id(error)}
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = "" if cause is None or id(cause) in told else f"{traced(cause, told)}\nwhich led to:\n\n"
    frames = "".join(traceback.format_tb(error.__traceback__, limit=-FRAMES))
    within = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    parts = "".join(f"\nin it:\n\n{traced(part, told)}" for part in within if id(part) not in told)
    kind = type(error)
    return f"{before}Traceback (most recent call last):\n{frames}{kind.__module__}.{kind.__qualname__}\n{parts}"


def _utf8(text: str) -> str:
    """A text that JSON can hold: names of files and variables may be any bytes."""
    return text.encode(errors="backslashreplace").decode()


def _wordless(record: logging.LogRecord) -> logging.LogRecord:
    """A message as it may be told: ours and uvicorn's quote nothing, of any other only the place is told."""
    told = copy(record)
    told.exc_text = None  # which another formatter may have left
    if record.name.partition(".")[0] != "uvicorn":
        told.msg = (
            f"A message of {record.name} ({record.filename}, line {record.lineno}), which may quote what was sent."
        )
        told.args = None
    return told


class PlainFormatter(DefaultFormatter):
    """uvicorn's formatter, without the words of exceptions."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(_wordless(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return traced(ei[1])


class JsonHandler(logging.Handler):
    """Writes every other message as a line of the same kind."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = Lines()

    def emit(self, record: logging.LogRecord) -> None:
        fields = {"message": _utf8(_wordless(record).getMessage().strip())}
        if record.exc_info and record.exc_info[1] is not None:
            fields["traceback"] = _utf8(traced(record.exc_info[1])[-_LONGEST:])
        self._lines.write(record.created, record.levelname.lower(), fields)
