"""The system's Chromium, driven by Playwright, without its looking for its maker's servers."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

# Playwright gives some of them already; which ones changes between its versions.
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def launched(chromium: str) -> AsyncIterator[Browser]:
    # Chromium's sandbox does not work for root.
    as_root = sys.platform != "win32" and os.geteuid() == 0
    async with (
        async_playwright() as playwright,
        await playwright.chromium.launch(
            executable_path=chromium, args=_FLAGS, chromium_sandbox=not as_root
        ) as browser,
    ):
        yield browser
