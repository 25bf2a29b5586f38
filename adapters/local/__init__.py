"""The local surfaces: a room in the browser, and the terminal."""
