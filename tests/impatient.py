"""``python -m tests.impatient``: the server, but it looks at its connections every 0.4 seconds."""

import app.connection
from app.__main__ import main

if __name__ == "__main__":
    app.connection.PATIENCE = 0.4
    main()
