"""The ASGI application, for any ASGI server: ``app.asgi:app``.

``python -m app`` is the way to run it: there all workers share one secret even where none is configured, and the
connection is the one of `app.connection`.
"""

import sys

from app.main import create_app
from app.settings import from_environment

# Slow work runs in a thread beside the loop (see `app.line`), which waits this long for the interpreter at most. Python's
# own five milliseconds would be felt by every cheap request.
sys.setswitchinterval(0.0005)

app = create_app(from_environment())
