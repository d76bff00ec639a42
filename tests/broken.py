"""``python -m tests.broken``: the server, with one more game that fails at every action and says all that it knows."""

from dataclasses import replace

import engines.registry
from tests.toy import Dial, Twist, dial


def apply(state: Dial, action: Twist) -> Dial:
    try:
        raise ValueError(f"the mark was {state.mark}")
    except ValueError as cause:
        raise ExceptionGroup(f"{state} {action}", [RuntimeError(f"told: {state.mark}")]) from cause


BROKEN = replace(dial("broken", "stateToken"), apply=apply)

if __name__ in ("__main__", "__mp_main__"):  # where it was started, and in each worker
    engines.registry.GAMES += (BROKEN,)

if __name__ == "__main__":
    from app.__main__ import main

    main()
