"""What a client would read of what a game says."""

import json
from typing import Any

import orjson


def as_json(value: object) -> Any:
    """A value after its way over the wire."""
    return json.loads(orjson.dumps(value))
