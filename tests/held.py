"""``python -m tests.held``: the server, with one more game, `slow`, that goes on only once the process got SIGUSR1."""

import signal
from threading import Event

import engines.registry
from app.__main__ import main
from tests.slow import slow_dial

if __name__ == "__main__":
    go_on = Event()
    signal.signal(signal.SIGUSR1, lambda *_: go_on.set())
    engines.registry.GAMES += (slow_dial(go_on),)
    main()
