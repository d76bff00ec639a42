"""The targets of the fuzzers, with what is right and with some changes to it: `make fuzz` does it for long."""

from random import Random

import pytest

from tests.fuzz.targets import TARGETS

CHANGED = 600


@pytest.mark.parametrize("name", TARGETS)
def test_no_target_finds_a_mistake(name: str) -> None:
    target, choose = TARGETS[name], Random(name)
    seeds = list(target.seeds())
    for data in seeds[::5]:
        target.run(data)
    for _ in range(CHANGED):
        target.run(target.mutate(choose.choice(seeds), choose))
