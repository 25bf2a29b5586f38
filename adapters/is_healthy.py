"""`python -m adapters.is_healthy`: exit code 0 while the quizbot beside it is alive.

For a container, which has no other way to ask. It looks at the port alone: whoever runs it
shares the network of the one it asks about.
"""

from __future__ import annotations

import os
import sys
from http.client import HTTPConnection, HTTPException

_LONGEST = 4.0
"""Seconds; the engine gives up after five, and then nobody reads why."""


def main() -> int:
    port = os.environ.get("QUIZBOT_PORT") or "8080"
    # Not through urllib, which would ask a proxy for it where one is set.
    connection = HTTPConnection("127.0.0.1", int(port), timeout=_LONGEST)
    try:
        connection.request("GET", "/healthz")
        response = connection.getresponse()
        said = response.read().decode()
    except (OSError, HTTPException) as error:
        sys.stdout.write(f"no answer on port {port}: {error}\n")
        return 1
    finally:
        connection.close()
    sys.stdout.write(f"{said}\n")
    return 0 if response.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
