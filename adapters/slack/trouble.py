"""Why quizbot is not on Slack, in a sentence each."""

from __future__ import annotations


class WrongSlackToken(Exception):
    """Slack does not take a token; `setting` is the one that holds it."""

    def __init__(self, setting: str, why: str) -> None:
        super().__init__(
            f"Slack does not take {setting} ({why}): copy it anew from your app's page at "
            "https://api.slack.com/apps."
        )


class SlackUnavailable(Exception):
    """Slack cannot be reached."""

    def __init__(self, reason: object) -> None:
        why = f" ({reason})" if str(reason) else ""
        super().__init__(
            f"Slack cannot be reached{why}: check the network and https://slack-status.com, "
            "and try again."
        )
