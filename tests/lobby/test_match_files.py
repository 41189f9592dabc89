"""Finished matches as files: who finds which, what the lines contain, and what is refused."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from games import rooms
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine.snapshots import cache, snapshot_of
from games.history import counting, erasure
from games.history.match_history import viewer_at
from games.models import Act, Match, Member, Player, Room
from parlour_client import verify
from tests.kit import moderation_helpers
from tests.kit.acting import act, on_turn, play_out
from tests.kit.corpus import play_on
from tests.kit.costs import statements
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match
from tests.kit.people import as_user
from tests.kit.quick import quick

pytestmark = pytest.mark.django_db(transaction=True)

Json = dict[str, Any]
LIST = "/api/matches.ndjson"
MOST_STATEMENTS = 6


@pytest.fixture(autouse=True)
def _unlimited(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": None}


def table(*people: User, visibility: str = "public") -> Room:
    room = open_table(*people, lives=1)
    rooms.set_room(room.pk, room.host_id, visibility).result()
    return Room.objects.get(pk=room.pk)


def played(*people: User, visibility: str = "public", old: bool = False) -> Match:
    """Play a match and count it. An old one is from before seats could be looked through."""
    match = play_out(table(*people, visibility=visibility))
    if old:
        Match.objects.filter(pk=match.pk).update(revealed=False)
    counting.run()
    match.refresh_from_db()
    return match


def browser(who: User | None) -> Client:
    return as_user(who) if who else Client()


def read(path: str, who: User | None = None, **asked: Any) -> list[Json]:
    answer = browser(who).get(path, {name.rstrip("_"): value for name, value in asked.items()})
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.content.decode().splitlines()]


def found(who: User | None = None, **asked: Any) -> list[int]:
    return [line["id"] for line in read(LIST, who, **asked) if line["type"] == "Match"]


def file(match: Match) -> str:
    return f"/api/matches/{match.pk}.ndjson"


class TestList:
    def test_public_matches_are_found_by_all_and_others_by_their_players(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        public, closed = played(ann, bob), played(ann, bob, visibility="unlisted")
        assert found() == [public.pk]
        assert found(PersonFactory()) == [public.pk]
        assert found(ann) == [closed.pk, public.pk]
        assert found(ann, order="asc") == [public.pk, closed.pk]

    def test_portions_follow_each_other_in_both_orders(self) -> None:
        ann = PersonFactory()
        made = [
            played(ann, PersonFactory(), visibility=("public", "unlisted")[n % 2]).pk
            for n in range(5)
        ]
        for order, expected in (("asc", made), ("desc", made[::-1])):
            pages, after = [], None
            while after != "Last":
                asked = {} if after is None else {"after": after}
                *lines, end = read(LIST, ann, order=order, limit=2, **asked)
                pages.append([line["id"] for line in lines])
                after = "Last" if end["type"] == "Last" else end["after"]
            assert [len(page) for page in pages] == [2, 2, 1]
            assert [pk for page in pages for pk in page] == expected

    def test_empty_portion_ends_where_it_was_asked_to_begin(self) -> None:
        assert read(LIST) == [{"type": "Last", "after": 0}]
        assert read(LIST, order="asc", after=7) == [{"type": "Last", "after": 7}]

    def test_game_selects_matches(self) -> None:
        match = played(PersonFactory(), PersonFactory())
        assert found(game="mia") == [match.pk]
        assert found(game="coup") == []

    def test_matches_of_a_user_are_found_by_name_only_if_the_user_lists_them(self) -> None:
        ann, bob, eve = (AccountFactory(username=name) for name in ("ann", "bob", "eve"))
        public = played(ann, bob)
        closed = played(ann, bob, visibility="unlisted")
        played(bob, eve)
        assert found(user="ann") == found(bob, user="ann") == found(user="nobody") == []
        assert found(ann, user="ANN") == [closed.pk, public.pk]
        User.objects.filter(pk=ann.pk).update(lists_matches=True)
        assert found(user="ann") == found(eve, user="ann") == [public.pk]
        assert found(bob, user="ann") == [closed.pk, public.pk]
        moderation_helpers.lock_out(ann.pk).result()
        assert found(bob, user="ann") == []

    def test_rated_matches_are_found_by_the_names_of_all_their_players(self) -> None:
        ann, bob = (AccountFactory(username=name) for name in ("ann", "bob"))
        fun, rated = played(ann, bob), played(ann, bob)
        hidden = played(ann, bob, visibility="unlisted")
        Match.objects.filter(pk__in=[rated.pk, hidden.pk]).update(rated="yes")
        assert found(user="ann") == found(user="ann", rated="yes") == [rated.pk]
        assert found(user="ann", rated="no") == []
        assert found(ann, user="ann", rated="yes") == [hidden.pk, rated.pk]
        assert found(ann, user="ann", rated="no") == found(rated="no") == [fun.pk]
        assert found(rated="yes") == [rated.pk]
        rows = {line["id"]: line["rated"] for line in read(LIST) if line["type"] == "Match"}
        assert rows == {fun.pk: "off", rated.pk: "yes"}

    def test_uncounted_and_running_matches_and_udp_rounds_are_not_listed(self) -> None:
        ann = PersonFactory()
        udp = play_out(table(ann, PersonFactory()))
        Room.objects.filter(pk=udp.room_id).update(udp_round=1)
        start_match(table(ann, PersonFactory()))
        play_out(table(ann, PersonFactory()))
        counted = counting.uncounted().exclude(pk=udp.pk).values_list("pk", flat=True)
        assert found(ann) == []
        (pk,) = counted
        counting.run()
        assert found(ann) == found() == [pk]

    def test_changed_match_is_not_listed_until_it_is_counted_again(self) -> None:
        ann, bob, eve = PersonFactory(), AccountFactory(username="bob"), PersonFactory()
        changed = played(ann, bob, visibility="unlisted")
        other = played(bob, eve, visibility="unlisted")
        erasure.erase(ann.pk)
        assert found(bob) == found(bob, user="bob") == [other.pk]
        counting.run()
        assert found(bob) == found(bob, user="bob") == [changed.pk, other.pk]

    def test_full_list_contains_the_acts_as_the_gallery_saw_them(self) -> None:
        one, two = (played(PersonFactory(), PersonFactory()) for _ in range(2))
        lines = read(LIST, full="gallery", order="asc")
        assert lines[-1]["type"] == "Last"
        assert lines[:-1] == read(file(one)) + read(file(two))

    @pytest.mark.parametrize("query", quick(["", "?user=ann", "?rated=no"], "?user=ann"))
    @pytest.mark.parametrize("kind", ["nobody", "cookie", "token"])
    def test_portion_costs_few_statements(
        self, kind: str, query: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ann = AccountFactory(username="ann", lists_matches=True)
        for _ in range(3):
            played(ann, AccountFactory(), visibility="unlisted")
            played(ann, AccountFactory())
        client = browser(ann if kind == "cookie" else None)
        headers = {"Authorization": f"Bearer {tokens.make(ann)}"} if kind == "token" else {}
        client.get(LIST + query, headers=headers)
        with statements(monkeypatch) as made:
            lines = client.get(LIST + query, headers=headers).content.splitlines()
        assert len(lines) == (4 if kind == "nobody" else 7)
        assert len(made) <= MOST_STATEMENTS, made

    @pytest.mark.parametrize("order", ["asc", "desc"])
    def test_public_matches_and_ones_own_are_merged_in_portions(self, order: str) -> None:
        ann, bob = AccountFactory(), AccountFactory()
        kinds = ("unlisted", "public", "unlisted", "unlisted", "public", "public", "unlisted")
        mine = [played(ann, bob, visibility=kind).pk for kind in kinds]
        listed: list[int] = []
        after: dict[str, Any] = {}
        while True:
            *matches, end = read(LIST, ann, limit=2, order=order, **after)
            listed += [match["id"] for match in matches]
            after = {"after": end["after"]}
            if end["type"] == "Last":
                break
        assert listed == (mine if order == "asc" else mine[::-1])


class TestLines:
    def test_match_line_says_who_sat_where(self) -> None:
        ann, guest = AccountFactory(username="ann", name="Ann"), PersonFactory(name="Gil")
        room = table(ann, guest)
        Member.objects.filter(user=guest).update(at_page=True)
        match = play_out(room)
        counting.run()
        first, *acts, end = read(file(match))
        assert list(first) == [
            *("type", "id", "no", "revision", "game", "gameVersion", "options"),
            *("rated", "lesson", "pruned", "started", "ended", "seats"),
        ]
        assert (first["type"], first["id"], first["no"]) == ("Match", match.pk, 1)
        assert first["options"]["lives"] == 1
        seats = {seat["name"]: seat for seat in first["seats"]}
        assert (seats["Ann"]["user"], seats["Ann"]["kind"]) == ("ann", "program")
        assert (seats["Gil"]["user"], seats["Gil"]["kind"]) == (None, "person")
        assert [one["version"] for one in acts] == list(range(1, match.version + 1))
        assert not {"Ann", "Gil"} & set(json.dumps([*acts, end]).split('"'))
        places = {p.seat: p.place for p in match.players.all()}
        assert end["places"] == [[seat] for seat in sorted(places, key=lambda at: places[at] or 9)]
        assert end["fairness"]["serverSeed"] == match.secret

    def test_stopped_match_has_no_outcome(self) -> None:
        room = table(PersonFactory(), PersonFactory())
        match = start_match(room)
        moderation_helpers.end_match(room.pk).result()
        counting.run()
        end = read(file(match))[-1]
        assert (end["outcome"], end["places"]) == (None, [])

    def test_name_of_an_erased_account_is_nowhere(self) -> None:
        ann = AccountFactory(username="annabel", name="Annabel")
        match = played(ann, PersonFactory(name="Bob"))
        before = read(LIST)[0]
        erasure.erase(ann.pk)
        counting.run()
        text = Client().get(LIST, {"full": "gallery"}).content.decode()
        assert "nnabel" not in text
        after = read(LIST, order="asc", after=before["no"])[0]
        assert after["id"] == match.pk
        assert after["revision"] > before["revision"]
        assert {seat["kind"] for seat in after["seats"]} == {"former", "program"}


class TestWhoSeesWhat:
    def test_private_events_are_for_their_seat_and_for_all(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        room = table(ann, bob)
        match = start_match(room)
        roller = on_turn(match)
        act(match, roller, "Roll")
        moderation_helpers.end_match(room.pk).result()
        other = 1 - roller.seat
        texts = {
            asked: [one for one in read(file(match), ann, as_=asked) if one["type"] == "Act"]
            for asked in ("gallery", str(roller.seat), str(other), "all")
        }
        told = Act.objects.get(match=match, move__type="Roll").told
        private = [one["event"] for one in told if one["to"] is not None]
        assert private

        def has(asked: str) -> bool:
            return any(event in one["events"] for one in texts[asked] for event in private)

        assert {asked for asked in texts if has(asked)} == {str(roller.seat), "all"}
        with_moves = {asked for asked, acts in texts.items() if any("move" in a for a in acts)}
        assert with_moves == {str(roller.seat), "all"}
        for asked, acts in texts.items():
            for name in ("to", "draws"):
                assert all((name in one) is (asked == "all") for one in acts)

    def test_others_seats_are_only_in_matches_that_are_revealed(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        new, old = played(ann, bob), played(ann, bob, old=True)
        mine = Player.objects.get(match=old, user=ann).seat
        for match, who, asked, status in (
            *((new, who, asked, 200) for who in (None, ann) for asked in ("all", "0", "1")),
            (old, ann, str(mine), 200),
            (old, ann, "gallery", 200),
            (old, None, "gallery", 200),
            (old, ann, str(1 - mine), 404),
            (old, ann, "all", 404),
            (old, None, str(mine), 404),
        ):
            assert browser(who).get(file(match), {"as": asked}).status_code == status

    def test_seat_that_was_given_up_is_in_files_as_in_replays(self) -> None:
        people = [PersonFactory() for _ in range(3)]
        room = open_table(*people, onLeave="substitute", lives=1)
        match = start_match(room)
        player = on_turn(match)
        act(match, player, "Roll")
        rooms.leave(room.pk, player.user_id).result()
        play_on(match.pk, Luck(b"without them", 0))
        gone_at = Player.objects.get(pk=player.pk).gone_at
        assert gone_at is not None
        user, seat = User.objects.get(pk=player.user_id), Seat(player.seat)
        moves = match.acts.filter(seat=seat, kind=Act.Kind.MOVE)
        for revealed in (True, False):
            Match.objects.filter(pk=match.pk).update(revealed=revealed)
            cache.evict(match.pk)
            snapshot = snapshot_of(Match.objects.get(pk=match.pk))
            acts = read(file(match), user, as_=str(seat))[1:-1]
            own = [one["version"] for one in acts if "move" in one]
            assert own == [
                one.number for one in moves if viewer_at(snapshot, seat, one.number) is not None
            ]
            assert any(version > gone_at for version in own) is revealed

    def test_file_is_there_for_those_who_may_view_the_match(self) -> None:
        ann, watcher = PersonFactory(), PersonFactory()
        room = table(ann, PersonFactory(), visibility="unlisted")
        rooms.join(room.code, watcher.pk, str(watcher), spectate=True).result()
        match = play_out(room)
        running = start_match(table(ann, PersonFactory()))
        missing = Client().get("/api/matches/99999.ndjson")
        for who, one, status in (
            (ann, match, 200),
            (watcher, match, 200),
            (None, match, 404),
            (PersonFactory(), match, 404),
            (ann, running, 404),
        ):
            answer = browser(who).get(file(one))
            assert answer.status_code == status
            if status == 404:
                assert answer.content == missing.content

    def test_token_identifies_its_owner(self) -> None:
        ann = AccountFactory()
        match = played(ann, PersonFactory(), visibility="unlisted")
        token = tokens.make(ann)

        def status(header: str, address: str = file(match)) -> int:
            return int(Client().get(address, headers={"Authorization": header}).status_code)

        assert status(f"Bearer {token}", f"/matches/{match.pk}/luck.json") == 200
        assert status(f"Bearer {token}") == status(f"bearer {token}") == 200
        assert status("Bearer wrong") == status("Bearer ") == 401
        assert status("Basic YTpi") == 404
        for page in ("/you/", f"/matches/{match.pk}/"):
            answer = Client().get(page, headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code != 200, "a token opens pages"

    def test_locked_out_owner_of_a_token_gets_nothing(self) -> None:
        ann = AccountFactory()
        played(ann, PersonFactory())
        headers = {"Authorization": f"Bearer {tokens.make(ann)}"}
        moderation_helpers.lock_out(ann.pk).result()
        assert Client().get(LIST, headers=headers).status_code in (401, 403)

    def test_server_without_guests_asks_programs_for_a_token(self, settings: Any) -> None:
        settings.GUESTS = False
        assert Client().get(LIST).status_code == 401
        headers = {"Authorization": f"Bearer {tokens.make(AccountFactory())}"}
        assert Client().get(LIST, headers=headers).status_code == 200


class TestRefusals:
    @pytest.mark.parametrize(
        ("asked", "field"),
        [
            ("colour=red", "colour"),
            ("limit=0", "limit"),
            ("limit=501", "limit"),
            ("limit=1&limit=2", "limit"),
            ("limit=", "limit"),
            ("limit=x", "limit"),
            ("limit=21&full=gallery", "limit"),
            ("full=all", "full"),
            ("order=up", "order"),
            ("after=-1", "after"),
            ("after=%D9%A1", "after"),
            (f"after={'9' * 40}", "after"),
            ("game=chess", "game"),
            ("user=", "user"),
            ("rated=maybe", "rated"),
        ],
    )
    def test_bad_parameter_of_the_list_is_named(self, asked: str, field: str) -> None:
        answer = Client().get(f"{LIST}?{asked}")
        assert answer.status_code == 400
        assert answer.json()["code"] == "bad_request"
        assert answer.json()["field"] == field
        assert answer.json()["reason"]

    @pytest.mark.parametrize("asked", ["as=9", "as=", "as=x", "as=-1", "as=0&as=1", "seat=0"])
    def test_bad_parameter_of_a_match_is_named(self, asked: str) -> None:
        match = played(PersonFactory(), PersonFactory())
        answer = Client().get(f"{file(match)}?{asked}")
        assert answer.status_code == 400
        assert answer.json()["field"] == asked.partition("=")[0]

    @pytest.mark.parametrize("name", ["%00", "x" * 5000, "<b>'\"", "%F0%9F%98%80"])
    def test_any_name_may_be_asked_for(self, name: str) -> None:
        assert Client().get(f"{LIST}?user={name}").status_code == 200

    def test_frequent_requests_are_told_when_to_come_again(self, settings: Any) -> None:
        settings.LIMITS = {**settings.LIMITS, "matches": (2, 3600)}
        client = as_user(PersonFactory())
        answers = [client.get(LIST) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1].json() == {"code": "too_often"}
        assert 0 < int(answers[-1]["Retry-After"]) <= 3600

    def test_only_reading_is_allowed(self) -> None:
        assert Client().post(LIST).status_code == 405

    def test_file_is_compressed_and_not_cached(self) -> None:
        played(PersonFactory(), PersonFactory())
        answer = Client().get(LIST, headers={"Accept-Encoding": "br, gzip"})
        assert answer["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.content) == Client().get(LIST).content
        assert "no-store" in answer["Cache-Control"]
        assert {"Authorization", "Cookie"} <= {v.strip() for v in answer["Vary"].split(",")}


# The list of public tables


def test_programs_find_public_tables_as_the_front_page_lists_them() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    shown, hidden = table(ann, bob), table(bob, visibility="unlisted")
    (found,) = read("/api/tables.ndjson")
    assert found == {
        "type": "Table",
        "room": shown.code,
        "game": shown.game,
        "players": 2,
        "seats": 8,
        "host": str(ann),
        "playing": False,
        "locked": False,
    }
    assert hidden.code not in str(found)
    assert Client().get("/api/tables.ndjson?limit=1").status_code == 400


class TestLuck:
    """`/matches/ID/luck.json`."""

    def record(self, match: Match, who: User | None = None) -> Json:
        answer = browser(who).get(f"/matches/{match.pk}/luck.json")
        assert answer.status_code == 200, answer.content
        assert answer["Content-Type"] == "application/json"
        found: Json = answer.json()
        return found

    def test_record_of_a_match_is_verified_without_the_server(self) -> None:
        match = played(PersonFactory(), PersonFactory())
        record = self.record(match)
        draws = [drawn for act in match.acts.order_by("number") for drawn in act.draws]
        assert [drawn[1:] for drawn in record["draws"]] == [
            [drawn["label"], drawn["size"], drawn["value"]] for drawn in draws
        ]
        assert len(draws) > 2
        assert list(verify.differences(verify.read(json.dumps(record)))) == []
        Act.objects.filter(match=match, number=1).update(draws=[{**draws[0], "value": [1, 1]}])
        (wrong,) = verify.differences(verify.read(json.dumps(self.record(match))))
        assert "not [1, 1]" in wrong

    def test_only_viewers_of_a_finished_match_get_its_record(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        closed = played(ann, bob, visibility="unlisted")
        assert self.record(closed, ann)["match"] == closed.pk
        running = start_match(table(ann, bob))
        old = played(ann, bob, old=True)
        for match, who in ((closed, eve), (closed, None), (running, ann), (old, ann)):
            answer = browser(who).get(f"/matches/{match.pk}/luck.json")
            assert (answer.status_code, answer.json()) == (404, {"code": "not_found"})

    def test_unknown_parameter_is_refused(self) -> None:
        match = played(PersonFactory(), PersonFactory())
        answer = browser(None).get(f"/matches/{match.pk}/luck.json?act=1")
        assert (answer.status_code, answer.json()["field"]) == (400, "act")
