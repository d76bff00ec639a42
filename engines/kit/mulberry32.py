"""Mulberry32, the one source of randomness: a pure function from a 32-bit cursor to the next one and a draw.

A run starts with its seed as cursor. The tests hold it against published vectors.
"""

_MASK = 0xFFFFFFFF


def draw(cursor: int) -> tuple[int, int]:
    """The cursor after one draw, and the draw: both from 0 to 2**32 - 1."""
    cursor = (cursor + 0x6D2B79F5) & _MASK
    mixed = (cursor ^ (cursor >> 15)) * (cursor | 1) & _MASK
    mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & _MASK)) & _MASK
    return cursor, mixed ^ (mixed >> 14)


def below(cursor: int, n: int) -> tuple[int, int]:
    """The cursor after one draw, and an integer from 0 to n - 1 (n from 1 to 2**32)."""
    cursor, drawn = draw(cursor)
    return cursor, drawn * n >> 32


def stream(seed: int, number: int) -> int:
    """The cursor of a seed's stream of draws with this number, for what must be drawn independently of the rest.

    For each number it is a different cursor for every seed: a chain of invertible steps (the finalizer of MurmurHash3).
    """
    mixed = seed ^ (number * 0x9E3779B9 & _MASK)
    mixed = (mixed ^ (mixed >> 16)) * 0x85EBCA6B & _MASK
    mixed = (mixed ^ (mixed >> 13)) * 0xC2B2AE35 & _MASK
    return mixed ^ (mixed >> 16)
