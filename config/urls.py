"""URLs of the site."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path, re_path

from accounts import languages, preferences, profile, push, themes
from accounts.faces import VERSION as FACES
from accounts.views import admin_login
from config import web_app, wellknown
from games.registry import GAMES
from lobby import (
    delete_account,
    friends,
    handoff,
    history,
    invitations,
    joining,
    ladder,
    league,
    match_files,
    people,
    programs,
    progress,
    reference,
    replay,
    screens,
    seeking,
    style,
    views,
)
from moderation.views import report_deck
from operations.admin_page import operations_page
from operations.doctor.echo import echo

urlpatterns = [
    path("", views.front, name="front"),
    path("play/", views.play_now, name="play-now"),
    path("seek/", views.seek, name="seek"),
    path("waiting/", seeking.waiting, name="waiting"),
    path("waiting/stop/", seeking.stop, name="stop-seeking"),
    path("waiting/bots/", seeking.with_bots, name="seek-bots"),
    path("watch/", views.watch_bots, name="watch-bots"),
    path("learn/", views.learn, name="learn"),
    path("invite/", views.invite_friends, name="invite-friends"),
    path("code/", views.by_code, name="by-code"),
    path("new/<slug:slug>/", views.new_table, name="new-table"),
    path("t/<str:code>/", views.table, name="table"),
    path("t/<str:code>/people/<int:member>/", views.person_sheet, name="person-sheet"),
    path("t/<str:code>/screen/", screens.screen, name="screen"),
    path("t/<str:code>/leave/", joining.leave, name="leave-table"),
    path("t/<str:code>/new-game/", joining.new_game, name="new-game"),
    path("t/<str:code>/accept/", invitations.accept, name="accept-invitation"),
    path("t/<str:code>/decline/", invitations.decline, name="decline-invitation"),
    path("t/<str:code>/invite/", friends.invite, name="invite-friend"),
    path("follow/", friends.follow, name="follow"),
    path("unfollow/", friends.unfollow, name="unfollow"),
    path("style/", style.style, name="style"),
    path("colours-<slug:version>.css", style.game_colours, name="game-colours"),
    path("tables/", invitations.tables, name="tables"),
    path("rules/<slug:slug>/", views.game_rules, name="rules"),
    path("league/", league.leagues, name="leagues"),
    path("league/<slug:slug>.json", league.league_file, name="league-file"),
    path("league/<slug:slug>/", league.league, name="league"),
    path("ladder/", ladder.ladders, name="ladders"),
    path("ladder/<slug:slug>.json", ladder.ladder_file, name="ladder-file"),
    path("ladder/<slug:slug>/", ladder.ladder, name="ladder"),
    path("programs/", programs.programs, name="programs"),
    path("programs/new/", programs.make_program, name="make-program"),
    path("programs/<int:number>/about/", programs.describe, name="describe-program"),
    path("programs/<int:number>/delete/", programs.delete_program, name="delete-program"),
    path("programs/<int:number>/versions/", programs.make_version, name="make-version"),
    path("programs/versions/<int:number>/token/", programs.new_token, name="new-token"),
    path("programs/versions/<int:number>/retire/", programs.retire, name="retire-version"),
    path("programs/versions/<int:number>/wake/", programs.wake, name="wake-version"),
    path("api/", reference.reference, name="reference"),
    path("api/schema.json", reference.schema_document, name="schema-document"),
    path("api/asyncapi.json", reference.asyncapi_document, name="asyncapi-document"),
    path("api/tables.ndjson", match_files.tables, name="tables-file"),
    path("api/matches.ndjson", match_files.matches, name="matches-file"),
    path("api/matches/<int:number>.ndjson", match_files.match, name="match-file"),
    path("api/<slug:slug>/", reference.game_reference, name="game-reference"),
    path("manifest.webmanifest", web_app.manifest, name="manifest"),
    path("offline/", web_app.offline, name="offline"),
    path("service-worker.js", web_app.service_worker, name="service-worker"),
    path("robots.txt", wellknown.robots, name="robots"),
    path(".well-known/security.txt", wellknown.security, name="security-txt"),
    path("doctor/", echo, name="doctor"),
    path("forget-me/", views.forget_me, name="forget-me"),
    path("matches/<int:number>/", history.match, name="match"),
    path("matches/<int:number>/luck.json", match_files.luck, name="luck-record"),
    path("matches/<int:number>/<int:version>/", replay.moment, name="replay"),
    path("face/", people.face_of, name="face-of"),
    path("people/", people.people, name="people"),
    path("people/<path:username>/", people.person, name="person"),
    re_path(
        rf"^face/{FACES}/(?P<number>[0-9]{{2}})-(?P<colour>[a-z]+)\.svg$",
        people.face,
        name="face",
    ),
    path("you/", profile.you, name="you"),
    path("you/face/", people.choose_face, name="choose-face"),
    path("you/device/", handoff.offer, name="offer-handoff"),
    path("device/", handoff.type_code, name="type-handoff"),
    path("device/<str:code>/", handoff.go_on, name="handoff"),
    path("you/name/", profile.rename, name="rename"),
    path("you/user-name/", profile.change_user_name, name="change-user-name"),
    path("you/tokens/", profile.make_token, name="make-token"),
    path("you/tokens/<int:number>/revoke/", profile.revoke_token, name="revoke-token"),
    path("you/meet/<int:number>/", profile.meet_again, name="meet-again"),
    path("you/read/<int:number>/", profile.have_read, name="have-read"),
    path("you/preferences/", preferences.prefer, name="prefer"),
    path("you/data/", delete_account.download, name="download-me"),
    path("you/delete/", delete_account.delete_account, name="delete-account"),
    path("deleting/<str:signed>/", progress.deleting, name="progress"),
    path("you/merging/", progress.merging, name="merging"),
    path("you/calls/", push.subscribe, name="push-subscribe"),
    path("you/calls/end/", push.unsubscribe, name="push-unsubscribe"),
    path("theme/", themes.set_theme, name="set-theme"),
    path("language/", languages.set_language, name="set-language"),
    path("you/habit/", preferences.keep_habit, name="keep-habit"),
    path("account/", include("accounts.urls")),
    path("decks/<slug:slug>/report/", report_deck, name="report-deck"),
    path("admin/login/", admin_login, name="admin-login"),
    path("admin/operations/", admin.site.admin_view(operations_page), name="operations"),
    path("admin/", admin.site.urls),
]

handler400 = "lobby.errors.bad_request"
handler403 = "lobby.errors.not_yours"
handler404 = "lobby.errors.not_found"
handler429 = "lobby.errors.too_often"
handler500 = "lobby.errors.server_error"

for slug in GAMES:
    if find_spec(f"games.{slug}.urls"):  # pages of a single game, for example decks
        urlpatterns.append(path("", include(f"games.{slug}.urls")))
