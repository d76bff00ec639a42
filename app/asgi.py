"""The ASGI application, for any ASGI server: ``app.asgi:app``.

``python -m app`` is the way to run it: there all workers share one secret even where none is configured, and the
connection is the one of `app.connection`.
"""

import gc
import sys

from app.main import create_app
from app.settings import from_environment

# Seconds that the loop waits for the interpreter at most, where slow work runs in a thread beside it (see `app.line`).
# Every cheap request would feel Python's own five milliseconds.
sys.setswitchinterval(0.0005)

app = create_app(from_environment())

# What the start made stays for good, so the collector need not look at it again and again; and a request that reads
# thousands of objects makes no cycles, so it need not look after every 700 new ones.
gc.collect()
gc.freeze()
gc.set_threshold(20_000)
