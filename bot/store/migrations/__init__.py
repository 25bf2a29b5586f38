"""The steps from one schema to the next, run by `bot.store.upgrades`."""
