"""Seeds from the outside: exactly one spelling each, so that a misspelt one never plays another run in silence."""

import re
from secrets import randbelow
from urllib.parse import parse_qsl

from app.errors import ApiError
from engines.kit.json import quoted

LARGEST = 2**32 - 1

_DIGITS = re.compile(r"0|[1-9][0-9]{0,9}")


def from_query(query: bytes) -> int:
    """The seed in a query string, or a random one where there is none. Raises a 400 for anything else."""
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    for key, _ in pairs:
        if key != "seed":
            raise _bad_seed(f"init takes one query key, seed, in small letters; {quoted(key)} is another")
    if not pairs:
        return randbelow(LARGEST + 1)
    if len(pairs) > 1:
        raise _bad_seed(f"seed was given {len(pairs)} times")
    text = pairs[0][1]
    if not _DIGITS.fullmatch(text) or int(text) > LARGEST:
        raise _bad_seed(f"seed was {quoted(text)}")
    return int(text)


def _bad_seed(what: str) -> ApiError:
    return ApiError(
        "bad_seed",
        f"{what}. A seed is a whole number from 0 to {LARGEST} in plain digits without leading zeros, as in ?seed=7; "
        "leave it out for a random one.",
    )
