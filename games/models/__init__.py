"""Database models of tables and matches. A room outlives its matches."""

from games.models.announcements import Announcement
from games.models.decks import Deck, OctetLength
from games.models.heartbeat import Heartbeat
from games.models.league import (
    Counter,
    PlayerStat,
    Pool,
    Rating,
    RatingChange,
    Recount,
    SideRating,
)
from games.models.long_jobs import LongJob
from games.models.matches import Act, Look, Match, Player, StatePart
from games.models.programs import Program, ProgramVersion
from games.models.rooms import (
    Invitation,
    Invitations,
    Member,
    Room,
    new_code,
    new_secret,
    opened_by_people,
)
from games.models.seeks import Seek
from games.models.udp import UdpName, UdpRound

__all__ = [
    "Act",
    "Announcement",
    "Counter",
    "Deck",
    "Heartbeat",
    "Invitation",
    "Invitations",
    "LongJob",
    "Look",
    "Match",
    "Member",
    "OctetLength",
    "Player",
    "PlayerStat",
    "Pool",
    "Program",
    "ProgramVersion",
    "Rating",
    "RatingChange",
    "Recount",
    "Room",
    "Seek",
    "SideRating",
    "StatePart",
    "UdpName",
    "UdpRound",
    "new_code",
    "new_secret",
    "opened_by_people",
]
