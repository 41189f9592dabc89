"""What a member of a room can do, a method for each packet; and the names of what is sent.

Written by `manage.py wire_schema --write` out of Parlour's table of commands: change it there.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

PLATFORM = frozenset(
    {
        "Welcome",
        "GameCreated",
        "GameJoined",
        "GameRejoined",
        "PlayerJoinRejected",
        "Invited",
        "PlayerJoined",
        "PlayerChanged",
        "PlayerLeft",
        "PlayerConnection",
        "HostSet",
        "OptionsSet",
        "GameSet",
        "RoomSet",
        "GameStarted",
        "NewGameOpened",
        "GameDataSync",
        "GameDataChanged",
        "TurnStart",
        "TurnEnd",
        "Nudged",
        "Paused",
        "Resumed",
        "SkipAsked",
        "VoteCalled",
        "VoteCast",
        "VoteChanged",
        "VoteEnded",
        "Reacted",
        "ActionFailed",
        "ShowAlert",
        "NewChatMessageSent",
        "GameEnd",
        "Log",
        "Done",
    }
)
"""What is sent besides events: every other packet is an event of a game."""


class Commands:
    """Each method raises Refused with the server's code and sentence, and as `request` does."""

    async def request(self, packet_type: str, /, **fields: Any) -> Json:
        """Send a packet and return its one answer."""
        raise NotImplementedError

    async def set_options(self, **options: Any) -> None:
        """Changes options for the next match; those not named keep their values.

        Who may: host, while no match runs.
        """
        await self.request("SetOptions", options=options)

    async def set_game(self, game: str, options: Json, instead: str | None = None) -> None:
        """Chooses the game that is played next at this table. People, bots, chat and password
        stay; programs that do not play it watch, and so does everybody for whom it has no seat.

        Who may: host, while no match runs.
        """
        await self.request("SetGame", game=game, options=options, instead=instead)

    async def set_room(self, visibility: str | None = None, password: str | None = None) -> None:
        """Changes who can find the room and come in; what is not named stays.

        Who may: host.
        """
        await self.request("SetRoom", visibility=visibility, password=password)

    async def invite(self, username: str) -> None:
        """Invites a registered person, who is sent `Invited` and asked for no password.

        Who may: host.
        """
        await self.request("Invite", username=username)

    async def set_host(self, username: str) -> None:
        """Hands the room over to another person in it.

        Who may: host.
        """
        await self.request("SetHost", username=username)

    async def spectate(self, spectating: bool = True) -> None:
        """Watches the next match, or plays it after all.

        Who may: member, while no match runs.
        """
        await self.request("SetSpectating", spectating=spectating)

    async def kick(self, username: str) -> None:
        """Sends somebody away, who cannot come back; during play, anyone who is away or idle.

        Who may: host.
        """
        await self.request("KickPlayer", username=username)

    async def add_bot(self, level: str | None = None) -> None:
        """Seats one of the built-in bots.

        Who may: host, while no match runs.
        """
        await self.request("AddBot", level=level)

    async def start(self) -> None:
        """Starts a match of everybody who does not only watch, in order of joining.

        Who may: host, while no match runs.
        """
        await self.request("StartGame")

    async def play_again(self) -> None:
        """`StartGame` by another name.

        Who may: host, while no match runs.
        """
        await self.request("PlayAgain")

    async def nudge(self) -> None:
        """Gives a question that has no clock sixty seconds.

        Who may: host, or who plays, while a match runs, if it has no clock and, but for the
        host, the question has stood for 2 minutes.
        """
        await self.request("Nudge")

    async def pause(self) -> None:
        """Lets the match stand still: nobody moves, and no time passes until it goes on.

        Who may: host, while a match runs.
        """
        await self.request("Pause")

    async def resume(self) -> None:
        """Lets a paused match go on, every clock where it stood.

        Who may: host, while the match is paused.
        """
        await self.request("Resume")

    async def skip_ahead(self) -> None:
        """Asks that bots, who play among themselves by now, take no time any more: the match ends
        within a moment. Done when the host asks, or more than half of the people who are here.

        Who may: member, while a match runs, if nobody but bots is still in.
        """
        await self.request("SkipAhead")

    async def restart(self) -> None:
        """Ends the match without a result and starts another of those who are here, as `PlayAgain`
        does after its end.

        Who may: host, while a match runs, paused or not, if nobody but bots is still in.
        """
        await self.request("Restart")

    async def call_vote(
        self, about: str, username: str | None = None, game: str | None = None
    ) -> None:
        """Puts something to the vote of those who play, for twenty seconds. More than half of
        those who are still there carry it, at once. You are for it. After a vote that failed,
        neither the same question nor the same person is next for two minutes (`vote_again`).

        Who may: member, if you play, or would play the next match.
        """
        await self.request("CallVote", about=about, username=username, game=game)

    async def cast_vote(self, yes: bool = True) -> None:
        """Agrees or disagrees with what is put to the vote; the last answer counts.

        Who may: member, if you played when it began.
        """
        await self.request("CastVote", yes=yes)

    async def set_nonce(self, nonce: str) -> None:
        """Your own part in the luck of the next match alone; after it a new one is needed.

        Without one, yours follows from the committed `serverSeed`. It keeps anyone who does not
        know that seed from choosing the luck; an operator who plays along and sends the last
        nonce is not bound.

        Who may: member, while no match runs.
        """
        await self.request("SetNonce", nonce=nonce)

    async def chat(self, message: str, claim: Json | None = None) -> None:
        """Says something to those at the table; who watches is read by who watches.

        Who may: member, if not muted.
        """
        await self.request("SendNewChatMessage", message=message, claim=claim)

    async def react(self, reaction: str) -> None:
        """Shows everybody what you think, for a moment; who is out or watches, to those alone.

        Who may: member, if not muted, and the chat is open.
        """
        await self.request("React", reaction=reaction)
