"""A bot for as many workspaces as install it, put together."""

from __future__ import annotations

from adapters.slack.app import Account, SlackBot
from adapters.slack.client import Client
from adapters.slack.greeting import Greeting
from adapters.slack.installations import Installations, States
from adapters.slack.installed import InstalledWorkspaces
from adapters.slack.oauth import App, Flow, doors
from adapters.slack.people import People
from adapters.slack.renewing import Renewing
from adapters.slack.sealing import Seal
from bot.app import QuizApp
from bot.ports import Clock
from bot.store.store import Store


def new_bot(app: QuizApp, store: Store, clock: Clock, account: Account, known_as: App) -> SlackBot:
    """It finds its tokens in the store, where its doors put them."""
    client = Client(clock)
    seal = Seal(known_as.secret_key)
    installations = Installations(store, seal, known_as.client_id, clock)
    renewing = Renewing(client, installations, known_as.client_id, known_as.client_secret, clock)
    workspaces = InstalledWorkspaces(client, installations, renewing, clock, app.left)
    greeting = Greeting(app, client, People(client, clock), workspaces)
    states = States(store, seal, clock)
    flow = Flow(client, known_as, installations, states, clock, greeting.greet)
    return SlackBot(app, clock, account, client=client, workspaces=workspaces, doors=doors(flow))
