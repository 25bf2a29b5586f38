"""`python -m adapters.is_healthy`: exit code 0 while the quizbot beside it is alive.

For a container, which has no other way to ask. It looks at host and port alone: whoever runs it
shares the network of the one it asks about.
"""

from __future__ import annotations

import os
import sys
from http.client import HTTPConnection, HTTPException

_LONGEST = 4.0
"""Seconds; the engine gives up after five, and then nobody reads why."""

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""What is listened on and is no address to ask at, and one that is."""


def main() -> int:
    port = os.environ.get("QUIZBOT_PORT") or "8080"
    host = os.environ.get("QUIZBOT_HOST") or "127.0.0.1"
    host = _EVERYWHERE.get(host, host)
    # Not through urllib, which would ask a proxy for it where one is set.
    connection = HTTPConnection(host, int(port), timeout=_LONGEST)
    try:
        connection.request("GET", "/healthz")
        response = connection.getresponse()
        said = response.read().decode()
    except (OSError, HTTPException) as error:
        sys.stdout.write(f"no answer at {host}:{port}: {error}\n")
        return 1
    finally:
        connection.close()
    sys.stdout.write(f"{said}\n")
    return 0 if response.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
