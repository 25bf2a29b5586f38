"""slack-bolt and nothing else: every press gets the next of some replies that are made already.

    python tests/bench/bench_bare_slack.py API     (replies.json in its folder)

A plain listener, which acknowledges and then posts to the reply's address through one session:
the fastest that bolt's own means do. Each reply is one that quizbot gave.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import aiohttp
from child import serve
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

REPLIES = "replies.json"


async def main(api: str, replies: list[dict[str, Any]]) -> None:
    following = itertools.cycle(replies)
    # Without the limit of a hundred connections, as quizbot's.
    connector = aiohttp.TCPConnector(limit=0, limit_per_host=100)
    async with aiohttp.ClientSession(connector=connector) as session:
        client = AsyncWebClient(os.environ["SLACK_BOT_TOKEN"], base_url=api, session=session)
        app = AsyncApp(client=client)

        @app.action(re.compile(""))
        async def reply(ack: AsyncAck, body: dict[str, Any]) -> None:
            await ack()
            async with session.post(body["response_url"], json=next(following)) as response:
                await response.text()

        handler = AsyncSocketModeHandler(app, os.environ["SLACK_APP_TOKEN"])
        await handler.connect_async()
        await serve()
        await handler.close_async()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(Path(REPLIES).read_text(encoding="utf-8"))))
