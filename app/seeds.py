"""Seeds from the outside: exactly one spelling each, so that a misspelt one never plays another run in silence."""

import re
from secrets import randbelow
from urllib.parse import parse_qsl

from app.errors import ApiError
from engines.kit.json import Json, JsonObject, described, integer, quoted

LARGEST = 2**32 - 1

_DIGITS = re.compile(r"0|[1-9][0-9]{0,9}")


def from_query(query: bytes) -> int:
    """The seed in a query string, or a random one where there is none. Raises a 400 for anything else."""
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    for key, _ in pairs:
        if key != "seed":
            raise _bad_seed(f"init takes one query key, seed, in small letters; {quoted(key)} is another")
    if not pairs:
        return _random()
    if len(pairs) > 1:
        raise _bad_seed(f"seed was given {len(pairs)} times")
    text = pairs[0][1]
    if not _DIGITS.fullmatch(text) or int(text) > LARGEST:
        raise _bad_seed(f"seed was {quoted(text)}")
    return int(text)


def from_json(value: Json) -> int:
    """The seed in a body, where it is a JSON integer (7.0 is 7). Raises a 400 for anything else."""
    seed = integer(value)
    if seed is None or not 0 <= seed <= LARGEST:
        raise ApiError(
            "bad_seed", f'"seed" was {described(value)}. A seed in a body is a JSON integer from 0 to {LARGEST}.'
        )
    return seed


def from_item(item: JsonObject) -> int:
    """The seed of a run that a body asks for, or a random one where it names none. Raises a 400 for a misspelt key."""
    for key in item:
        if key != "seed" and key.casefold() == "seed":
            raise _bad_seed(f"the key is seed, in small letters; {quoted(key)} is another")
    return from_json(item["seed"]) if "seed" in item else _random()


def _random() -> int:
    return randbelow(LARGEST + 1)


def _bad_seed(what: str) -> ApiError:
    return ApiError(
        "bad_seed",
        f"{what}. A seed is a whole number from 0 to {LARGEST} in plain digits without leading zeros, as in ?seed=7; "
        "leave it out for a random one.",
    )
