"""A request's body: counted while it streams, then read as strict JSON whatever its Content-Type says."""

from math import isfinite

from jiter import from_json
from starlette.requests import ClientDisconnect, Request

from app.errors import ApiError
from engines.kit.json import Json, JsonObject, described

LIMIT = 65_536
"""Bytes that the body of one action may have."""

LARGE = 1 << 20
"""Bytes that the body of many may have."""

_SHAPE = bytes(ord("0" if chr(byte).isdigit() else "e" if chr(byte) in "eE" else " ") for byte in range(128)).ljust(256)
"""Makes of a text its shape: every digit a 0, every E an e, and all else a space."""

_OVERFLOWING = (b"0e", b"0" * 300)
"""What the shape of a number that overflows has at least: an exponent, or some three hundred digits."""


async def read(request: Request, limit: int = LIMIT) -> bytes:
    """The bytes of the body. Raises a 413 as soon as more than `limit` are declared or have come."""
    for name, value in request.scope["headers"]:
        if name == b"content-length" and value.isdigit():
            digits = value.lstrip(b"0")
            if len(digits) > 18 or int(digits or b"0") > limit:
                raise _too_large(limit)
    body = bytearray()
    more = True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limit:
            raise _too_large(limit)
    return bytes(body)


async def left(request: Request) -> None:
    """Ends when the client is gone. What it still sends of a body is not kept."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def parse(body: bytes) -> JsonObject:
    """The JSON object in a body. Raises a 400 for whatever strict JSON does not allow.

    The reader itself refuses duplicate keys, NaN, lone surrogates, other encodings than UTF-8, over 200 levels of
    nesting and integers over 4,300 digits.
    """
    if not body:
        raise _bad_json("The body is empty.")
    try:
        value: Json = from_json(body, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
    except ValueError as error:
        raise _bad_json(f"The body is not strict JSON in UTF-8: {str(error)[:120]}.") from None
    if not isinstance(value, dict):
        raise _bad_json(f"The body must be a JSON object; it is {described(value)}.")
    shape = body.translate(_SHAPE)
    if any(part in shape for part in _OVERFLOWING) and not _all_finite(value):
        raise _bad_json("A number in the body is too large: it overflows to infinity.")
    return value


def _all_finite(value: Json) -> bool:
    """Whether no number overflowed: ``1e400`` is valid JSON but reads as infinity."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, dict):
        return all(map(_all_finite, value.values()))
    if isinstance(value, list):
        return all(map(_all_finite, value))
    return True


def _bad_json(reason: str) -> ApiError:
    return ApiError(
        "bad_json", f'{reason} Send a JSON object such as {{"stateToken": "…", "action": {{"type": "…"}}}}.'
    )


def _too_large(limit: int) -> ApiError:
    return ApiError("too_large", f"The body has more than {limit} bytes, which is the most that is read here.")
