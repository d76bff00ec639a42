"""The ASGI application, for any ASGI server: ``app.asgi:app``.

``python -m app`` is the way to run it: there all workers share one secret even where none is configured, and the
connection is the one of `app.connection`.
"""

from app.main import create_app
from app.settings import from_environment

app = create_app(from_environment())
