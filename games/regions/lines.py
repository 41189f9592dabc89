"""The lists of a table page: what happened, what is shown of it, and what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chat.models import Message
from games.engine.told import ToldAct
from games.regions import beats_part, log_part
from games.regions.region import Region
from games.tables.serializers import message_data
from games.tables.table import Json, Table


def log_region(table: Table, acts: Sequence[ToldAct], user_id: int) -> Region:
    """Those of the acts that belong to the match shown, as this person was told them."""
    mine = [act for act in acts if act.match_id == table.match_id]
    return Region("log-lines", "log", log_part(table, mine, user_id))


def beats_region(table: Table, acts: Sequence[ToldAct], user_id: int) -> Region:
    """What these acts have to show, beat by beat, as this person is told it."""
    mine = [act for act in acts if act.match_id == table.match_id]
    return Region("beats", "beat", beats_part(table, mine, user_id))


def chat_region(table: Table, messages: Iterable[Message], user_id: int) -> Region:
    """These messages, all of which this person may read."""
    said = [_message(table, message, user_id) for message in messages]
    return Region("chat-lines", "chat", {"messages": said})


def _message(table: Table, message: Message, user_id: int) -> Json:
    data = message_data(table, message)
    del data["player"]
    mine = message.author_id == user_id
    return {**data, "id": message.pk, "name": message.name, "mine": mine}
