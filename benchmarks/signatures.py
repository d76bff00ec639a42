"""``python -m benchmarks.signatures``: whether the time to refuse a token tells how much of its signature is right.

Signatures that agree with the right one in their first 0, 8, 16 and 31 bytes are checked in turns, in an order drawn
anew in each round: as the server checks them, and beside it by a comparison that stops at the first difference. For
each pair with the first column Welch's t is told: beyond ±4.5 the two times are held to differ.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from random import Random
from statistics import mean, median, variance
from time import perf_counter_ns

from itsdangerous import Signer
from itsdangerous.encoding import base64_decode, base64_encode

from app.tokens import BadToken, Tokens
from engines.kit.game import Saved

AGREE = (0, 8, 16, 31)
"""Bytes in which a wrong signature agrees with the right one."""

ROUNDS = 20_000
REPEATED = 4
"""Checks that are timed together."""

TRIMMED = 0.1
"""The share of the longest times that is left out: those in which something else ran."""

SECRET = "a-secret-for-measuring-of-40-characters-"


def wrong(signature: bytes, agree: int) -> bytes:
    """A signature that agrees with another in so many bytes, and in no bit of the next."""
    return signature[:agree] + bytes(byte ^ 0xFF for byte in signature[agree:])


def nanoseconds(checks: Sequence[Callable[[], object]]) -> list[list[int]]:
    """The times of each check, taken in turns."""
    times: list[list[int]] = [[] for _ in checks]
    order, choose = list(range(len(checks))), Random(7)
    for _ in range(ROUNDS):
        choose.shuffle(order)
        for which in order:
            check = checks[which]
            began = perf_counter_ns()
            for _ in range(REPEATED):
                check()
            times[which].append((perf_counter_ns() - began) // REPEATED)
    return [sorted(each)[: round(len(each) * (1 - TRIMMED))] for each in times]


def welch(one: Sequence[int], two: Sequence[int]) -> float:
    spread = sqrt(variance(one) / len(one) + variance(two) / len(two))
    return (mean(one) - mean(two)) / spread if spread else 0.0


def servers(token: str) -> list[Callable[[], object]]:
    """The server's own check of a token with each wrong signature."""
    tokens = Tokens([SECRET], "dewspout", 1)
    value, _, signature = token.rpartition(".")

    def check(text: str) -> None:
        try:
            tokens.open(text)
        except BadToken:
            return
        raise AssertionError("a wrong signature was taken")

    texts = [f"{value}.{base64_encode(wrong(base64_decode(signature), agree)).decode()}" for agree in AGREE]
    return [partial(check, text) for text in texts]


def naive(token: str) -> list[Callable[[], object]]:
    """What must not be: byte after byte up to the first difference."""
    value, _, signature = token.rpartition(".")
    signer = Signer(SECRET, salt=b"gameboard.token.dewspout", digest_method=hashlib.sha256)

    def check(text: bytes) -> bool:
        right = base64_decode(signer.get_signature(value))
        return all(one == two for one, two in zip(right, text, strict=True))

    return [partial(check, wrong(base64_decode(signature), agree)) for agree in AGREE]


def main() -> None:
    token = Tokens([SECRET], "dewspout", 1).write(Saved(["playing", 1, [0, 0, 5], [0, 0, 0], 0, 0, 0, 0], bytes(4)))
    print(f"{'':<22}" + "".join(f"{f'{agree} bytes agree':>18}" for agree in AGREE))
    for name, checks in (("the server's", servers(token)), ("byte after byte", naive(token))):
        times = nanoseconds(checks)
        print(f"{name:<16}median" + "".join(f"{median(each):>15.0f} ns" for each in times))
        print(f"{'':<16}t     " + "".join(f"{welch(each, times[0]):>18.1f}" for each in times))


if __name__ == "__main__":
    main()
