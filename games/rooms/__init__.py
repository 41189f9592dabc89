"""Commands for rooms and their members: open, join, leave, kick, hand over, start, speak.

Functions decorated with `@command` or `@carries_out` run in the writer's thread (see
`games.engine.writer`). For the latter, `games.rooms.authorization` has already checked the caller
and the state of the room. They raise:

* Rejected if a user cannot join.
* Ignored if the caller may not send the command.
* Refused for any other reason.
"""

from games.rooms.bots import add_bot, fill, set_level
from games.rooms.choosing import set_game
from games.rooms.dealing import deal_is_over
from games.rooms.following import follow, follow_member, unfollow
from games.rooms.giving_seats import ask_for_seat
from games.rooms.hosting import (
    restart,
    set_host,
    set_nonce,
    set_options,
    set_room,
    set_spectating,
    set_watching,
    start,
    start_first,
)
from games.rooms.inviting import decline, invite, invite_again, withdraw
from games.rooms.joining import Joined, block, join, kick, leave, mute, open_room
from games.rooms.lessons import learn
from games.rooms.mixing import commit_luck, reveal_luck
from games.rooms.new_game import leave_for_new_game
from games.rooms.presence import gone_away, opened_page, seen
from games.rooms.screens import screen_gone, screen_seen
from games.rooms.seat_votes import give_seat
from games.rooms.skipping import skip_ahead
from games.rooms.talking import of_threads, say, thread
from games.rooms.waiting import more_time, nudge, time_is_up
from games.rooms.warm_seats import return_to_seat

__all__ = [
    "Joined",
    "add_bot",
    "ask_for_seat",
    "block",
    "commit_luck",
    "deal_is_over",
    "decline",
    "fill",
    "follow",
    "follow_member",
    "give_seat",
    "gone_away",
    "invite",
    "invite_again",
    "join",
    "kick",
    "learn",
    "leave",
    "leave_for_new_game",
    "more_time",
    "mute",
    "nudge",
    "of_threads",
    "open_room",
    "opened_page",
    "restart",
    "return_to_seat",
    "reveal_luck",
    "say",
    "screen_gone",
    "screen_seen",
    "seen",
    "set_game",
    "set_host",
    "set_level",
    "set_nonce",
    "set_options",
    "set_room",
    "set_spectating",
    "set_watching",
    "skip_ahead",
    "start",
    "start_first",
    "thread",
    "time_is_up",
    "unfollow",
    "withdraw",
]
