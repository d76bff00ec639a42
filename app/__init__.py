"""The HTTP server: it knows what a game is, never which."""

__version__ = "0.1.0"
