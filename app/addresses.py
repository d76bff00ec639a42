"""What an address of this server may look like, wherever one comes from."""

import re

_HOST = r"(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
_PREFIX = r"(?:/[A-Za-z0-9._~-]+)*"

HOST = re.compile(_HOST)
"""A name or an IP address, with or without a port."""

PREFIX = re.compile(_PREFIX)
"""A path without a slash at the end; the empty one too."""

PUBLIC_URL = re.compile(rf"(https?://{_HOST}{_PREFIX})/?")
"""Scheme, host and prefix, of which group 1 has no slash at the end."""
