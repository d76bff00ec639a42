"""The ASGI application, for any ASGI server: ``app.asgi:app``.

``python -m app`` is the way to run it: there all workers share one secret even where none is configured, and the
connection is the one of `app.connection`.
"""

import sys

from app.main import create_app
from app.settings import from_environment

# Seconds that the loop waits for the interpreter at most, where slow work runs in a thread beside it (see `app.line`).
# Every cheap request would feel Python's own five milliseconds.
sys.setswitchinterval(0.0005)

app = create_app(from_environment())
