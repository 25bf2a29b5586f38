"""The real parts that other tests stand on are there and answer."""

from __future__ import annotations

import psycopg
from playwright.async_api import Browser


def test_postgres_answers(postgres_url: str):
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_each_test_has_an_empty_database_of_its_own(postgres_url: str):
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute(tables).fetchone() == (0,)
        connection.execute("CREATE TABLE only_here (id integer)")


async def test_the_browser_runs_a_page(browser: Browser):
    page = await browser.new_page()
    await page.goto("data:text/html,<button onclick=\"this.textContent='pressed'\">press</button>")
    await page.get_by_role("button").click()
    assert await page.get_by_role("button").inner_text() == "pressed"
