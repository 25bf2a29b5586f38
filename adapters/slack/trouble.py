"""Why quizbot is not on Slack, in a sentence each."""

from __future__ import annotations

from adapters.findings import OutOfReach


class WrongSlackToken(Exception):
    """Slack does not take a token; `setting` is the one that holds it."""

    def __init__(self, setting: str, why: str) -> None:
        super().__init__(
            f"Slack does not take {setting} ({why}): copy it anew from your app's page at "
            "https://api.slack.com/apps."
        )


class WrongSecretKey(Exception):
    """What is stored cannot be read with the key of the settings."""

    def __init__(self, installations: int) -> None:
        them = "it was" if installations == 1 else "they were"
        super().__init__(
            f"QUIZBOT_SECRET_KEY reads none of the installations that are stored "
            f"({installations}): set it to the key that {them} stored with, also behind a new one "
            "and a comma."
        )


class SlackUnavailable(OutOfReach):
    """Slack cannot be reached."""

    def __init__(self, reason: object) -> None:
        why = f" ({reason})" if str(reason) else ""
        super().__init__(
            f"Slack cannot be reached{why}: check the network and https://slack-status.com, "
            "and try again."
        )
