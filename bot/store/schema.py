"""The tables. Attempts are the truth; marks and totals are worked out from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeDecorator

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(instant: datetime) -> int:
    """An instant as its column holds it."""
    return (instant - _EPOCH) // _MICROSECOND


class Instant(TypeDecorator[datetime]):
    """An aware instant, kept as microseconds since 1970: exact, sortable, the same everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> int | None:
        return None if value is None else microseconds(value)

    def process_result_value(self, value: int | None, dialect: Any) -> datetime | None:
        return None if value is None else _EPOCH + timedelta(microseconds=value)


def _id() -> Column[int]:
    # SQLite gives its fast row ids to INTEGER alone; PostgreSQL wants eight bytes.
    return Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


def _refers(name: str, target: str, *, null: bool = False, **more: Any) -> Column[int]:
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column(name, kind, ForeignKey(target), nullable=null, **more)


communities = Table(
    "communities",
    metadata,
    _id(),
    Column("platform", Text, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("name", Text, nullable=False, server_default=""),
    Column("personal", Boolean, nullable=False),
    Column("zone", Text),  # null: the instance's
    Column("language", Text),  # of public posts; null: what the platform reports
    Column("names", Text, nullable=False, server_default="shown"),  # shown | hidden: only "We"
    Column("organisers", Text, nullable=False, server_default="[]"),  # JSON: persons or groups
    Column("starters", Text, nullable=False, server_default="everyone"),  # everyone | organisers
    Column("start_places", Text, nullable=False, server_default="[]"),  # JSON: ids; none: anywhere
    Column("threads", Boolean, nullable=False, server_default=text("false")),
    # Whether who made a place, or brought the bot there, organises what happens in it.
    Column("leaders", Boolean, nullable=False, server_default=text("true")),
    Column("organisers_place", Text),  # where organisers are told things
    # JSON: the dates on which organisers let a season begin, in order; none: calendar quarters.
    Column("seasons", Text, nullable=False, server_default="[]"),
    Column("welcomed_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("removed_at", Instant),
    UniqueConstraint("platform", "external_id"),
)

places = Table(
    "places",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    Column("external_id", Text, nullable=False),
    Column("name", Text, nullable=False, server_default=""),
    Column("kind", Text, nullable=False),  # channel | thread | direct
    Column("brought_by", Text),  # the platform's id of who brought the bot there
    UniqueConstraint("community_id", "external_id"),
)

persons = Table(
    "persons",
    metadata,
    _id(),
    Column("platform", Text, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("language", Text),  # null: never chosen
    Column("locale", Text),  # as the platform said last, where it does not say it with each action
    Column("hidden", Boolean, nullable=False, server_default=text("false")),
    Column("introduced_at", Instant),  # told who sees what
    # The row of the one person whom the platform calls by this id too; null: it is their own.
    # No foreign key: SQLite would have to make the table anew to get one.
    Column("same_as", BigInteger().with_variant(Integer, "sqlite")),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("platform", "external_id"),
)
# By which other ids somebody is called: few, so that it costs nothing where there are none.
Index(
    "ix_persons_same",
    persons.c.same_as,
    sqlite_where=text("same_as IS NOT NULL"),
    postgresql_where=text("same_as IS NOT NULL"),
)

players = Table(
    "players",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    _refers("person_id", "persons.id", null=True),  # null: made nameless
    # The newest date that a freeze stood in for and that they were told of.
    Column("freeze_told", Text),
    Column("created_at", Instant, nullable=False),
    # The person first: a batch of answers looks its people up with their players at once.
    UniqueConstraint("person_id", "community_id"),
)

banks = Table(
    "banks",
    metadata,
    _id(),
    Column("owner", Text, nullable=False, server_default=""),  # "": shipped; else a community
    Column("bank_id", Text, nullable=False),
    UniqueConstraint("owner", "bank_id"),
)

questions = Table(
    "questions",
    metadata,
    _id(),
    _refers("bank", "banks.id"),
    Column("question_id", Text, nullable=False),
    # The version whose key holds today; set right after the version is stored.
    Column("current_version", BigInteger().with_variant(Integer, "sqlite")),
    UniqueConstraint("bank", "question_id"),
)

question_versions = Table(
    "question_versions",
    metadata,
    _id(),
    _refers("question", "questions.id"),
    Column("fingerprint", Text, nullable=False),  # SHA-256 of the content
    Column("content", Text, nullable=False),  # JSON of bot.content.Question
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("question", "fingerprint"),
)

rounds = Table(
    "rounds",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    _refers("place_id", "places.id"),
    Column("mode", Text, nullable=False),  # live | open | solo
    Column("state", Text, nullable=False),  # waiting | asking | reading | paused | ended
    _refers("starter_id", "persons.id", null=True),
    Column("topic", Text, nullable=False),  # JSON: what was asked for, to ask for it again
    Column("title", Text, nullable=False),  # JSON: language -> title
    Column("language", Text, nullable=False),  # of the public posts; solo: asked for, or ""
    Column("seconds", Integer),  # null: by the length of each question; 0: until Next
    Column("speed", Boolean, nullable=False, server_default=text("false")),
    Column("thread", Boolean, nullable=False, server_default=text("false")),
    Column("window_opens_at", Instant),  # open mode
    Column("window_closes_at", Instant),
    Column("quiet_from", Integer, nullable=False, server_default="1"),  # pauses count from here
    Column("started_at", Instant, nullable=False),
    Column("paused_at", Instant),
    Column("ended_at", Instant),
    # By which call it was begun, by the platform's id: delivered again, that begins no other.
    Column("call_id", Text),
    # Why it could not go on: refused | gone | failed; null: it came to its end, or was stopped.
    Column("ended_why", Text),
    Column("ended_lacking", Text, nullable=False, server_default="[]"),  # JSON: permissions
    Column("ended_told_at", Instant),  # when who began it was told why
    sqlite_autoincrement=True,  # old buttons hold its id, which must never be given out again
)
Index(
    "one_live_round_in_a_place",
    rounds.c.place_id,
    unique=True,
    sqlite_where=text("mode = 'live' AND ended_at IS NULL"),
    postgresql_where=text("mode = 'live' AND ended_at IS NULL"),
)
# The dailies that can be answered now, among all the practice that nobody ended. With the mode in
# it, SQLite prefers it to ix_rounds_community.
Index(
    "ix_rounds_open",
    rounds.c.community_id,
    rounds.c.mode,
    sqlite_where=text("mode = 'open' AND ended_at IS NULL"),
    postgresql_where=text("mode = 'open' AND ended_at IS NULL"),
)
Index("one_round_of_a_call", rounds.c.community_id, rounds.c.call_id, unique=True)
Index("ix_rounds_starter", rounds.c.starter_id, rounds.c.mode, rounds.c.ended_at)
Index("ix_rounds_place", rounds.c.place_id, rounds.c.id)
# What a community was asked in a period: the rounds that had not ended when it began.
Index("ix_rounds_community", rounds.c.community_id, rounds.c.ended_at)

round_banks = Table(
    "round_banks",
    metadata,
    _refers("round_id", "rounds.id", primary_key=True),
    _refers("bank", "banks.id", primary_key=True),
)

steps = Table(
    "steps",
    metadata,
    _id(),
    _refers("round_id", "rounds.id"),
    Column("position", Integer, nullable=False),  # from 1; below it what was left out
    _refers("version_id", "question_versions.id"),
    _refers("question_id", "questions.id"),
    Column("option_order", Text, nullable=False),  # JSON list of option keys, as shown
    Column("seconds", Integer),  # null: no cut-off
    # The local date that its attempts carry; null until it opens (in solo always: the press's).
    Column("date", Text),
    Column("opened_at", Instant),  # the platform's instant of the message; null: not posted yet
    Column("opened_host_at", Instant),  # the host's, for its timers
    Column("cutoff_at", Instant),  # on the platform's clock
    Column("more_time", Boolean, nullable=False, server_default=text("false")),
    Column("closed_at", Instant),
    UniqueConstraint("round_id", "position"),
    sqlite_autoincrement=True,  # as for rounds
)

attempts = Table(
    "attempts",
    metadata,
    _refers("step_id", "steps.id", primary_key=True),
    _refers("player_id", "players.id", primary_key=True),
    _refers("question_id", "questions.id"),
    Column("answer", Text, nullable=False),  # JSON: {"options": […]}, {"text": …}, {"number": …}
    Column("language", Text, nullable=False),  # in which it was shown
    Column("pressed_at", Instant, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("date", Text, nullable=False),  # ISO date
    # The occurrence or ISO week it counts for: "day:DATE" | "2026-W49"; "also:DATE:SCHEDULE" and
    # "too:DATE:SCHEDULE" for what was answered by answering another daily.
    Column("counts", Text),
    Column("practice", Text),  # why it does not count: solo | again | late
    sqlite_with_rowid=False,
)
# One counting attempt a (player, question, occurrence or week); and one's own are read by it.
Index(
    "one_that_counts",
    attempts.c.player_id,
    attempts.c.question_id,
    attempts.c.counts,
    unique=True,
)

marks = Table(
    "marks",
    metadata,
    _refers("step_id", "steps.id", primary_key=True),
    _refers("player_id", "players.id", primary_key=True),
    _refers("version_id", "question_versions.id"),  # whose key it was marked by
    Column("is_right", Boolean, nullable=False),
    Column("points", Integer, nullable=False),
    sqlite_with_rowid=False,
)

boards = Table(
    "boards",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    # 0: the whole community. No foreign key, since a null would not be unique.
    Column("place_id", BigInteger().with_variant(Integer, "sqlite"), nullable=False),
    Column("topic", Text, nullable=False, server_default=""),  # "": all; else the key of a bank
    Column("period", Text, nullable=False),  # today | week | month | season | all
    Column("starts", Text, nullable=False),  # ISO date of its first day; "" for all
    # The "12" of "answered 9 of 12": each question once an occasion, from the rows of those.
    Column("asked", Integer, nullable=False, server_default="0"),
    UniqueConstraint("community_id", "place_id", "topic", "period", "starts"),
)
# The topics of one period.
Index(
    "ix_boards_period", boards.c.community_id, boards.c.place_id, boards.c.period, boards.c.starts
)

# What was asked for points, where and on which date.
occasions = Table(
    "occasions",
    metadata,
    _refers("community_id", "communities.id", primary_key=True),
    _refers("question_id", "questions.id", primary_key=True),
    Column("occasion", Text, primary_key=True),  # "day:DATE" | "2026-W49", as attempts.counts
    _refers("place_id", "places.id", primary_key=True),
    Column("date", Text, primary_key=True),
    sqlite_with_rowid=False,
)

totals = Table(
    "totals",
    metadata,
    _refers("board_id", "boards.id", primary_key=True),
    _refers("player_id", "players.id", primary_key=True),
    Column("points", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("right", Integer, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_totals_ranking", totals.c.board_id, totals.c.points.desc(), totals.c.player_id)

timers = Table(
    "timers",
    metadata,
    _id(),
    Column("kind", Text, nullable=False),  # close | early | next | give-up | window
    _refers("round_id", "rounds.id"),
    _refers("step_id", "steps.id", null=True),
    Column("due_at", Instant, nullable=False),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("done_at", Instant),
)
Index(
    "ix_timers_due",
    timers.c.due_at,
    sqlite_where=text("done_at IS NULL"),
    postgresql_where=text("done_at IS NULL"),
)
Index("ix_timers_round", timers.c.round_id)

outbox = Table(
    "outbox",
    metadata,
    _id(),
    Column("op", Text, nullable=False),  # post | edit
    Column("kind", Text, nullable=False),  # question | result | board | …: how it is composed
    Column("platform", Text, nullable=False),
    _refers("community_id", "communities.id"),
    _refers("place_id", "places.id"),
    _refers("person_id", "persons.id", null=True),  # a private delivery
    _refers("round_id", "rounds.id", null=True),
    _refers("step_id", "steps.id", null=True),
    _refers("edits", "outbox.id", null=True),  # op edit: the post that it changes
    Column("args", Text, nullable=False, server_default="{}"),  # JSON, by kind
    Column("silent", Boolean, nullable=False, server_default=text("true")),
    Column("due_at", Instant, nullable=False),
    Column("state", Text, nullable=False),  # due | claimed | sent | unknown | refused | dropped
    Column("claimed_by", Text),
    Column("claimed_at", Instant),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("nonce", Text, nullable=False),
    Column("message_id", Text),  # the platform's
    Column("posted_at", Instant),  # on the platform's clock
    Column("reason", Text),  # why it was refused
)
Index(
    "ix_outbox_due",
    outbox.c.due_at,
    sqlite_where=text("state IN ('due', 'claimed')"),
    postgresql_where=text("state IN ('due', 'claimed')"),
)
Index("ix_outbox_place", outbox.c.place_id, outbox.c.id)
Index("ix_outbox_edits", outbox.c.edits)
Index("ix_outbox_step", outbox.c.step_id)
Index("ix_outbox_round", outbox.c.round_id)

schedules = Table(
    "schedules",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    _refers("place_id", "places.id"),
    _refers("set_by", "persons.id", null=True),
    Column("at", Text, nullable=False),  # HH:MM on the wall clock of the zone
    Column("zone", Text, nullable=False),
    Column("weekdays", Text, nullable=False),  # JSON: 1 is Monday
    Column("days_off", Text),  # country, or country-region, whose public holidays are left out
    Column("topics", Text, nullable=False, server_default="[]"),  # JSON: banks or tags; none: all
    Column("shuffled", Boolean, nullable=False),
    Column("seed", Text, nullable=False),  # of the shuffled order
    Column("count", Integer, nullable=False),
    Column("languages", Text, nullable=False, server_default="[]"),  # JSON: of the post
    Column("open_minutes", Integer),  # null: until the next
    Column("mention", Text),  # the platform's id of a role or group
    Column("paused_at", Instant),
    Column("paused_until", Text),  # the date from which it asks again; null: when it is resumed
    Column("refusals", Integer, nullable=False, server_default="0"),  # one after the other
    Column("next_date", Text),  # null, as next_at: nothing is to come
    Column("next_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("removed_at", Instant),
)
Index(
    "ix_schedules_due",
    schedules.c.next_at,
    sqlite_where=text("next_at IS NOT NULL"),
    postgresql_where=text("next_at IS NOT NULL"),
)
Index("ix_schedules_community", schedules.c.community_id)

schedule_skips = Table(
    "schedule_skips",
    metadata,
    _refers("schedule_id", "schedules.id", primary_key=True),
    Column("date", Text, primary_key=True),
)

occurrences = Table(
    "occurrences",
    metadata,
    _id(),
    _refers("schedule_id", "schedules.id"),
    Column("date", Text, nullable=False),
    _refers("round_id", "rounds.id", null=True),
    Column("state", Text, nullable=False),  # asked | missed | refused | unknown | empty
    Column("again", Text, nullable=False, server_default="[]"),  # JSON: positions asked before
    Column("posts_at", Instant, nullable=False),
    Column("closes_at", Instant),
    Column("extended_at", Instant),  # when it was given more time after time away
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("schedule_id", "date"),
    UniqueConstraint("round_id"),
)

# What organisers are told, once a matter.
notices = Table(
    "notices",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    Column("kind", Text, nullable=False),
    Column("matter", Text, nullable=False),
    Column("args", Text, nullable=False, server_default="{}"),  # JSON, by kind
    _refers("outbox_id", "outbox.id", null=True),
    Column("created_at", Instant, nullable=False),
    Column("told_at", Instant),  # null: it is on its way, or waits for somebody to tell it to
    UniqueConstraint("community_id", "kind", "matter"),
)

# The one message of a place that is kept up to date.
standing_boards = Table(
    "standing_boards",
    metadata,
    _refers("place_id", "places.id", primary_key=True, autoincrement=False),
    _refers("community_id", "communities.id"),
    Column("scope", Text, nullable=False),  # place | community
    Column("period", Text, nullable=False),
    Column("topic", Text, nullable=False, server_default=""),
    Column("language", Text),  # null: that of public posts
    _refers("outbox_id", "outbox.id", null=True),  # its post
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("dirty_at", Instant),  # since when it shows less than there is
    Column("edited_at", Instant),
)
Index("ix_standing_boards_community", standing_boards.c.community_id)

# Between these dates, both included, nothing that a player leaves out breaks a streak.
away = Table(
    "away",
    metadata,
    _refers("player_id", "players.id", primary_key=True, autoincrement=False),
    Column("starts", Text, primary_key=True),
    Column("ends", Text, nullable=False),
)

# A daily quiz that somebody is setting, until it is saved.
proposals = Table(
    "proposals",
    metadata,
    _id(),
    _refers("community_id", "communities.id"),
    _refers("person_id", "persons.id"),
    _refers("place_id", "places.id"),  # in which it was begun
    _refers("schedule_id", "schedules.id", null=True),  # which it changes; null: a new one
    Column("entered", Text, nullable=False),  # JSON: what was typed, by field
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("community_id", "person_id"),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Instant, nullable=False),
)

# Where an app that workspaces install for themselves is installed, and with what it speaks there.
installations = Table(
    "installations",
    metadata,
    _id(),
    Column("platform", Text, nullable=False),
    # "" where there is none, since a null would not be unique.
    Column("enterprise_id", Text, nullable=False, server_default=""),
    Column("team_id", Text, nullable=False, server_default=""),
    Column("user_id", Text, nullable=False, server_default=""),  # who installed it
    Column("is_enterprise_install", Boolean, nullable=False, server_default=text("false")),
    Column("data", Text, nullable=False),  # encrypted: tokens among it
    Column("installed_at", Instant, nullable=False),
    Column("bot_token_expires_at", Instant),  # null: never
    Column("refresh_by", Text),  # the process that gets a new token, so that no other does
    Column("refresh_until", Instant),  # when that is taken to have died
    Column("revoked_at", Instant),
    # The bot's is found by the first three, one person's by all.
    UniqueConstraint("platform", "enterprise_id", "team_id", "user_id"),
)

# Used no more, and dropped by a later version: processes of the one before still fill it.
oauth_states = Table(
    "oauth_states",
    metadata,
    Column("state", Text, primary_key=True),
    Column("expires_at", Instant, nullable=False),
)
