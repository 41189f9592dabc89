"""The settings, units and configurations of `manage.py deploy` are valid for their programs."""

from __future__ import annotations

import configparser
import io
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import environ
import pytest
import yaml
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError

from config.env_file import read_env_file
from operations.deployment import env_text
from operations.deployment.answers import new_secret_key
from tests.kit.deploying import deploy
from tests.kit.proxy import Nginx
from tests.kit.served import ROOT

UNITS = ("parlour.target", "parlour@.service", "parlour@.socket", "parlour-restart.service")
UNITS += ("parlour-backup.service", "parlour-backup.timer")


def settings_in(folder: Path) -> dict[str, str]:
    return env_text.read((folder / "parlour.env").read_text())


def test_deploy_writes_all_files_and_lists_the_remaining_commands(tmp_path: Path) -> None:
    said = deploy(tmp_path, database="postgres", user="parlour")
    names = {path.name for path in (tmp_path / "deploy").iterdir()}
    expected = {*UNITS, "nginx.conf", "Caddyfile", "compose.yaml", "Dockerfile", "postgres.env"}
    expected |= {"answers.env", "kubernetes.yaml"}
    assert names == expected
    for command in ("createuser parlour", "systemctl enable", "certbot", "nginx -t", "doctor"):
        assert command in said
    found = settings_in(tmp_path)
    assert found["PUBLIC_URL"] == "https://play.example.org"
    assert (found["WORKERS"], found["TRUSTED_PROXIES"]) == ("2", "1")
    assert len(found["SECRET_KEY"]) >= 50


def test_secret_files_are_private_and_secrets_are_not_printed(tmp_path: Path) -> None:
    database = "postgres://parlour:hidden@db.example.org/parlour"
    said = deploy(tmp_path, database=database)
    said += deploy(tmp_path, database=database.replace("hidden", "unseen"))
    for name in ("parlour.env", "deploy/postgres.env"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        for secret in env_text.read((tmp_path / name).read_text()).values():
            assert len(secret) < 20 or "://" in secret or secret not in said
    assert "hidden" not in said
    assert "unseen" not in said
    assert "+DATABASE_URL=postgres://parlour:…@db.example.org/parlour" in said


def test_secrets_are_masked_in_every_notation(tmp_path: Path) -> None:
    lines = (
        "export SECRET_KEY=hidden",
        "EMAIL_URL='smtp+tls://me:hidden!@mail.example.org:587'",
        "REDIS_URL=redis://:hid/hidden@redis.example.org",
        "DATABASE_URL=postgres://db.example.org/parlour?user=me&password=hidden",
        "#EMAIL_URL=smtp://me:hidden@mail.example.org",
        "EMAIL_HOST_PASSWORD=hidden",
    )
    for line in lines:
        (tmp_path / "parlour.env").write_text(f"{line}\n{lines[0]}\n{line}\n")
        said = deploy(tmp_path, dry_run=True, database="sqlite", redis="", mail="smtp://a:b$@c")
        assert "hidden" not in said, line
        assert "b$" not in said


def test_questions_do_not_show_secrets(tmp_path: Path, monkeypatch: Any) -> None:
    deploy(tmp_path, mail="smtp+tls://me:hidden@mail.example.org:587")
    asked: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "")
    deploy(tmp_path, url=None, yes=False)
    assert "hidden" not in " ".join(asked)
    assert settings_in(tmp_path)["EMAIL_URL"] == "smtp+tls://me:hidden@mail.example.org:587"


def test_existing_secret_key_is_kept_despite_special_characters(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    key = "$a#b(c)=d&e*f$"
    (tmp_path / "var" / "secret_key").write_text(key)
    assert new_secret_key(tmp_path) == key
    (tmp_path / "parlour.env").write_text(env_text.updated("", {"SECRET_KEY": key}))
    where = {"PARLOUR_DATA": str(tmp_path), "PARLOUR_ENV": str(tmp_path / "parlour.env")}
    told = "from django.conf import settings; print(settings.SECRET_KEY)"
    ours = {"DJANGO_SETTINGS_MODULE": "config.settings", "PATH": os.environ["PATH"], **where}
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, env=ours, capture_output=True, text=True
    )
    assert done.stdout.strip() == key, done.stderr


def test_unreadable_settings_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "parlour.env").mkdir()
    with pytest.raises(CommandError, match="cannot be read"):
        deploy(tmp_path)


def test_new_server_requires_a_second_factor_for_staff(tmp_path: Path) -> None:
    deploy(tmp_path)
    assert settings_in(tmp_path)["STAFF_SECOND_STEP"] == "required"


def test_second_factor_is_not_enforced_on_an_existing_server(tmp_path: Path) -> None:
    (tmp_path / "parlour.env").write_text("SITE_NAME=Club\n")
    deploy(tmp_path)
    assert "STAFF_SECOND_STEP" not in settings_in(tmp_path)


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    deploy(tmp_path, database="postgres", mail="smtp+tls://me:word@mail.example.org:587")
    before = {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    said = deploy(tmp_path)
    assert {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert " new " not in said
    assert " changed " not in said


def test_answers_given_as_flags_are_remembered(tmp_path: Path) -> None:
    paths = {"certificate": "/srv/tls/all.pem", "key": "/srv/tls/key.pem"}
    said = deploy(tmp_path, proxy="caddy", user="games", **paths)
    again = deploy(tmp_path, mail="smtp://mail.example.org:25")
    assert (
        again[again.index("Now run these commands") :]
        == said[said.index("Now run these commands") :]
    )
    assert "caddy" in again
    service = (tmp_path / "deploy" / "parlour@.service").read_text()
    assert "User=games\n" in service
    assert "/srv/tls/all.pem" in (tmp_path / "deploy" / "nginx.conf").read_text()


def test_remaining_commands_use_the_same_data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    assert f"manage.py --data {tmp_path} createsuperuser" in deploy(tmp_path)
    settings.DATA_DIR = ROOT
    assert "--data" not in deploy(tmp_path)


def test_changed_url_changes_the_certificate_path(tmp_path: Path) -> None:
    deploy(tmp_path)
    deploy(tmp_path, url="https://games.example.org")
    site = (tmp_path / "deploy" / "nginx.conf").read_text()
    assert "live/games.example.org/fullchain.pem" in site


def test_manual_additions_are_preserved(tmp_path: Path) -> None:
    deploy(tmp_path)
    path = tmp_path / "parlour.env"
    path.write_text(path.read_text() + "# ours\nSITE_NAME='The Club'\n")
    deploy(tmp_path, port="8123")
    assert "# ours\nSITE_NAME='The Club'\n" in path.read_text()
    assert settings_in(tmp_path)["PORT"] == "8123"


def test_dry_run_shows_everything_and_writes_nothing(tmp_path: Path) -> None:
    said = deploy(tmp_path, dry_run=True)
    assert "+PUBLIC_URL=https://play.example.org" in said
    assert "+ListenStream=127.0.0.1:%i" in said
    assert not list(tmp_path.iterdir())


def test_files_are_not_overwritten_without_confirmation(tmp_path: Path, monkeypatch: Any) -> None:
    deploy(tmp_path)
    site = tmp_path / "deploy" / "nginx.conf"
    site.write_text("my own work\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(CommandError, match="Nothing was written"):
        deploy(tmp_path, yes=False)
    assert site.read_text() == "my own work\n"
    assert "-my own work" in deploy(tmp_path)
    assert site.read_text() != "my own work\n"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"url": "play.example.org"}, "must be like https://"),
        ({"url": "https://example.org/games"}, "must not have a path"),
        ({"proxy": "apache"}, "nginx, caddy, none or remote"),
        ({"database": "mysql://x"}, "sqlite, postgres"),
        ({"workers": "4"}, "Use one with SQLite"),
        ({"database": "postgres", "workers": "many"}, "1 to 64"),
        ({"url": "https://our club.example.org"}, "letters, digits"),
        ({"url": "https://spiel.müller.example"}, "xn--"),
        ({"certificate": "/srv/a;b.pem"}, "break services and proxies"),
        ({"port": "99999"}, "1 to 65535"),
        ({"port": "²"}, "1 to 65535"),
        ({"mail": "mail.example.org"}, "an address like smtp"),
        ({"mail": "smtp+tls://me:w#rd@mail.example.org"}, "%23"),
        ({"user": "a b"}, "plain name"),
        ({"into": Path("/srv/our club")}, "break services and proxies"),
    ],
)
def test_invalid_answer_is_rejected(tmp_path: Path, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        deploy(tmp_path, **given)
    assert not list(tmp_path.iterdir())


def test_questions_are_asked_in_an_interactive_terminal(tmp_path: Path, monkeypatch: Any) -> None:
    answers = iter(["https://club.example.org", "", "postgres", ""])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    deploy(tmp_path, url=None, yes=False)
    found = settings_in(tmp_path)
    assert found["PUBLIC_URL"] == "https://club.example.org"
    assert found["DATABASE_URL"].startswith("postgres:")


def test_wrong_answers_are_asked_again(tmp_path: Path, monkeypatch: Any) -> None:
    wrong = ["", "club", "https://club.example.org", "apache", "caddy", "mysql", "", "x", ""]
    answers, asked = iter(wrong), list[str]()
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or next(answers))
    said = deploy(tmp_path, url=None, yes=False)
    assert [sum(word in question for question in asked) for word in ("address p", "proxy")] == [
        3,
        2,
    ]
    assert "must be like https://" in said
    assert "nginx, caddy, none or remote, not 'apache'" in said
    assert settings_in(tmp_path)["PUBLIC_URL"] == "https://club.example.org"


@pytest.mark.parametrize("yes", [True, False])
def test_flags_needed_without_a_terminal_are_named(
    tmp_path: Path, monkeypatch: Any, yes: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(CommandError, match=r"--url https://play\.example\.org"):
        deploy(tmp_path, url=None, yes=yes)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("given_up", [EOFError, KeyboardInterrupt])
def test_aborting_a_question_writes_nothing(
    tmp_path: Path, monkeypatch: Any, given_up: type[BaseException]
) -> None:
    def no_answer(_question: str) -> str:
        raise given_up

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", no_answer)
    with pytest.raises(CommandError, match="Nothing was written"):
        deploy(tmp_path, url=None, yes=False)
    assert not list(tmp_path.iterdir())


def test_systemd_units_are_valid(tmp_path: Path) -> None:
    deploy(tmp_path, database="postgres")
    for name in UNITS:
        parser = configparser.ConfigParser(strict=False, interpolation=None)
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read(tmp_path / "deploy" / name)
        assert parser.has_section("Unit")
    service = (tmp_path / "deploy" / "parlour@.service").read_text()
    for line in ("Restart=always", "NoNewPrivileges=yes", "LimitNOFILE=65536"):
        assert line in service
    assert f"Environment=PARLOUR_ENV={tmp_path}/parlour.env" in service
    if analyze := shutil.which("systemd-analyze"):
        names = [name.replace("@.", "@8001.") for name in UNITS]
        units = [str(tmp_path / "deploy" / name) for name in names]
        done = subprocess.run([analyze, "verify", *units], capture_output=True, text=True)
        said = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
        assert not said


def test_each_process_has_a_port_known_to_the_proxies(tmp_path: Path) -> None:
    said = deploy(tmp_path, database="postgres", workers="3", port="9000")
    assert "systemctl start parlour@9001 parlour@9002 parlour@9003\n" in said
    folder = tmp_path / "deploy"
    for port in ("9001", "9002", "9003"):
        assert f"server 127.0.0.1:{port} max_fails=0;" in (folder / "nginx.conf").read_text()
        assert f"127.0.0.1:{port}" in (folder / "Caddyfile").read_text()
        assert f"parlour@{port}.service" in (folder / "parlour.target").read_text()
        assert f"restart parlour@{port} " in (folder / "parlour-restart.service").read_text()
    assert "serve --port %i --workers 1\n" in (folder / "parlour@.service").read_text()


def test_postgresql_gets_enough_connections_for_all_processes(tmp_path: Path) -> None:
    assert "max_connections" not in deploy(tmp_path, database="postgres", workers="8")
    told = deploy(tmp_path, database="postgres", workers="16")
    assert "the 144 connections of all processes" in told
    assert "ALTER SYSTEM SET max_connections = 154" in told
    path = tmp_path / "parlour.env"
    path.write_text(path.read_text() + "DATABASE_CONNECTIONS=20\n")
    assert "max_connections = 330" in deploy(tmp_path)


SHARED = {"database": "postgres://parlour:w@10.0.0.1/parlour", "redis": "redis://10.0.0.1:6379/0"}


def test_first_host_also_counts_connections_of_other_hosts(tmp_path: Path) -> None:
    assert "max_connections" not in deploy(tmp_path, **SHARED, workers="4")
    others = ",".join(f"10.0.0.2:{port}" for port in range(8001, 8005))
    told = deploy(tmp_path, others=others)
    assert "the 192 connections of all processes. Run this on its host." in told
    assert "ALTER SYSTEM SET max_connections = 202" in told


def test_second_host_joins_with_the_settings_of_the_first(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    deploy(one, **SHARED, udp_port="9000", mail="smtp://mail.example.org:25")
    env = one / "parlour.env"
    env.write_text(env.read_text() + "SITE_NAME=Club\n")
    told = deploy(other, url=None, join=one / "parlour.env", listen="10.0.0.2", yes=False)
    first, second = settings_in(one), settings_in(other)
    different = {name for name in first if first[name] != second[name]}
    assert different == {"HOST", "MIA_UDP_PORT", "MIA_UDP_HOST"}
    assert second["HOST"] == "10.0.0.2"
    assert second["MIA_UDP_PORT"] == ""
    assert "--others 10.0.0.2:8001,10.0.0.2:8002" in told
    for unwanted in ("createsuperuser", "certbot", "nginx -t", "enable --now parlour-backup"):
        assert unwanted not in told
    assert "ListenStream=10.0.0.2:%i\nFreeBind=true\n" in (
        (other / "deploy" / "parlour@.socket").read_text()
    )
    again = deploy(other, url=None, yes=False)
    assert " changed " not in again
    assert again[again.index("Now") :] == told[told.index("Now") :]


def test_proxy_of_the_first_host_uses_the_processes_of_others(tmp_path: Path) -> None:
    deploy(tmp_path, **SHARED, others="10.0.0.2:8001, 10.0.0.2:8002")
    told = deploy(tmp_path, workers="4")
    site = (tmp_path / "deploy" / "nginx.conf").read_text()
    for process in ("10.0.0.2:8001", "10.0.0.2:8002"):
        assert f"server {process} max_fails=1 fail_timeout=10s;" in site
        assert process in (tmp_path / "deploy" / "Caddyfile").read_text()
    assert "10.0.0.2" not in (tmp_path / "deploy" / "parlour.target").read_text()
    assert "parlour@8004" in told


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({**SHARED, "listen": None}, "Pass --listen"),
        ({"listen": "10.0.0.2"}, "Only the first host can reach its database"),
        ({"listen": "10.0.0.2", "database": SHARED["database"]}, "reach its redis"),
        ({**SHARED, "listen": "the attic"}, "IPv4 address"),
        ({**SHARED, "listen": "10.0.0.2", "others": "10.0.0.3"}, "like 10.0.0.2:8001"),
    ],
)
def test_host_that_cannot_join_is_told_why(
    tmp_path: Path, given: dict[str, Any], sentence: str
) -> None:
    deploy(tmp_path / "one", database="postgres")
    with pytest.raises(CommandError, match=sentence):
        deploy(tmp_path / "two", url=None, join=tmp_path / "one" / "parlour.env", **given)
    assert not (tmp_path / "two").exists()


def test_host_with_other_settings_cannot_join(tmp_path: Path) -> None:
    deploy(tmp_path / "one", **SHARED)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "parlour.env").write_text("SECRET_KEY=another\n")
    cases = (
        ("two", "one/parlour.env", "belongs to another server"),
        ("three", "none", "not a copy"),
    )
    for where, file, sentence in cases:
        with pytest.raises(CommandError, match=sentence):
            deploy(tmp_path / where, join=tmp_path / file, listen="10.0.0.2")


def test_one_service_runs_all_workers_without_a_proxy(tmp_path: Path) -> None:
    said = deploy(tmp_path, database="postgres", workers="3", proxy="none")
    assert "systemctl start parlour@8000\n" in said
    assert "serve --port %i\n" in (tmp_path / "deploy" / "parlour@.service").read_text()


def commands_in(said: str) -> list[str]:
    """Return the commands that `deploy` tells the operator to run, in order."""
    return [line.strip() for line in said.splitlines() if line.startswith("   ")]


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_old_service_stops_after_the_new_ones_serve(tmp_path: Path, proxy: str) -> None:
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "parlour.socket").write_text("of the previous version\n")
    commands = commands_in(deploy(tmp_path, database="postgres", proxy=proxy))
    at = {what: _position(commands, what) for what in ("systemctl start", f"reload {proxy}")}
    stops = _position(commands, "disable --now parlour.socket parlour.service")
    assert at["systemctl start"] < at[f"reload {proxy}"] < stops
    assert commands[stops + 2].endswith("parlour.socket " + f"{tmp_path}/deploy/parlour.service")


def test_old_service_stops_first_without_a_proxy(tmp_path: Path) -> None:
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "parlour.socket").write_text("of the previous version\n")
    commands = commands_in(deploy(tmp_path, proxy="none"))
    stops = _position(commands, "disable --now parlour.socket parlour.service")
    assert stops < _position(commands, "systemctl start")


def test_new_server_has_no_old_service_to_stop(tmp_path: Path) -> None:
    assert "disable" not in deploy(tmp_path)


def _position(commands: list[str], what: str) -> int:
    return next(at for at, command in enumerate(commands) if what in command)


def test_container_files_are_well_formed(tmp_path: Path) -> None:
    """Without Docker, the files are parsed, but not built."""
    deploy(tmp_path, database="postgres", workers="3", udp_port="9000")
    services = yaml.safe_load((tmp_path / "deploy" / "compose.yaml").read_text())["services"]
    assert set(services) == {"web", "udp", "prepare", "proxy", "postgres", "redis"}
    assert services["web"]["read_only"]
    assert services["web"]["deploy"] == {"replicas": 3}
    assert "ports" not in services["web"], "replicas cannot share a port of the machine"
    assert services["udp"]["ports"] == ["9000:9000/udp"]
    assert (
        services["udp"]["environment"]["DATABASE_URL"]
        == (services["web"]["environment"]["DATABASE_URL"])
    )
    assert services["prepare"]["command"][-1] == "prepare"
    assert services["prepare"]["deploy"] == services["udp"]["deploy"] == {"replicas": 1}
    words = [line.split()[0] for line in _instructions(tmp_path / "deploy" / "Dockerfile")]
    assert words.count("FROM") == 2
    assert words.index("USER") < words.index("CMD")
    assert "HEALTHCHECK" in words


def test_kubernetes_manifests_are_well_formed(tmp_path: Path) -> None:
    """Without a cluster, the manifests are parsed, and their references are checked."""
    deploy(tmp_path, **SHARED, workers="3")
    text = (tmp_path / "deploy" / "kubernetes.yaml").read_text()
    found = {one["kind"]: one for one in yaml.safe_load_all(text)}
    pods = found["Deployment"]["spec"]["template"]
    for kind in ("Service", "PodDisruptionBudget"):
        selector = found[kind]["spec"]["selector"]
        assert pods["metadata"]["labels"] == selector.get("matchLabels", selector)
    assert found["Deployment"]["spec"]["replicas"] == 3
    (web,) = pods["spec"]["containers"]
    paths = [web[f"{name}Probe"]["httpGet"]["path"] for name in ("readiness", "liveness")]
    assert paths == ["/readyz", "/healthz"]
    assert web["lifecycle"]["preStop"]
    job = found["CronJob"]["spec"]["jobTemplate"]["spec"]["template"]
    for pod in (pods["spec"], job["spec"]):
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            assert {mount["name"] for mount in container["volumeMounts"]} == volumes
            assert container["envFrom"] == [{"secretRef": {"name": "parlour"}}]
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert {one["name"] for one in container.get("env", ())} <= settings.KNOWN
    claimed = job["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claimed == found["PersistentVolumeClaim"]["metadata"]["name"]
    rules = found["Ingress"]["spec"]["rules"][0]["http"]["paths"]
    assert rules[-1]["backend"]["service"]["name"] == found["Service"]["metadata"]["name"]


def _instructions(dockerfile: Path) -> list[str]:
    joined = dockerfile.read_text().replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.startswith("#")]


def test_caddyfile_is_valid(tmp_path: Path) -> None:
    deploy(tmp_path)
    path = tmp_path / "deploy" / "Caddyfile"
    assert path.read_text().count("{") == path.read_text().count("}")
    if caddy := shutil.which("caddy"):
        command = [caddy, "validate", "--config", str(path), "--adapter", "caddyfile"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_nginx_configuration_without_tls_is_valid(tmp_path: Path) -> None:
    nginx = Nginx()
    try:
        url = nginx.url.replace("https", "http")
        deploy(tmp_path, url=url, certificate=str(nginx.certificate), key=str(nginx.key))
        nginx.use((tmp_path / "deploy" / "nginx.conf").read_text())
        assert not nginx.complaints()
    finally:
        nginx.remove()


def test_ip_address_gets_a_self_signed_certificate(tmp_path: Path) -> None:
    said = deploy(tmp_path, url="https://192.168.0.7")
    assert "subjectAltName=IP:192.168.0.7" in said
    assert "certbot" not in said


@pytest.mark.parametrize("value", ["plain", "a b", "a#b", 'say "x"', "100%", "ä", "x=y&z"])
def test_settings_file_preserves_special_characters(
    tmp_path: Path, monkeypatch: Any, value: str
) -> None:
    path = tmp_path / "parlour.env"
    path.write_text(env_text.updated("", {"ODD_VALUE": value}))
    monkeypatch.setenv("PARLOUR_ENV", str(path))
    monkeypatch.setenv("ODD_VALUE", "")
    monkeypatch.delenv("ODD_VALUE")
    assert read_env_file(tmp_path) == path
    assert environ.Env().str("ODD_VALUE") == value == env_text.read(path.read_text())["ODD_VALUE"]


def test_env_file_beside_manage_py_is_read_by_default(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("PARLOUR_ENV", raising=False)
    assert read_env_file(tmp_path) is None
    (tmp_path / "parlour.env").write_text("")
    assert read_env_file(tmp_path) == tmp_path / "parlour.env"
    monkeypatch.setenv("PARLOUR_ENV", "")
    assert read_env_file(tmp_path) is None


def test_environment_takes_precedence_over_the_env_file(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "parlour.env").write_text("ODD_VALUE=file\n")
    monkeypatch.delenv("PARLOUR_ENV", raising=False)
    monkeypatch.setenv("ODD_VALUE", "environment")
    read_env_file(tmp_path)
    assert environ.Env().str("ODD_VALUE") == "environment"


def test_unreadable_env_file_is_an_error(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PARLOUR_ENV", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match="cannot be read"):
        read_env_file(tmp_path)
    monkeypatch.delenv("PARLOUR_ENV")
    (tmp_path / "parlour.env").write_text("")

    def refuse(*args: Any, **more: Any) -> str:
        raise PermissionError

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(ImproperlyConfigured, match="You may not read"):
        read_env_file(tmp_path)


def test_invalid_setting_is_reported_without_a_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "check"]
    env = {"PARLOUR_ENV": str(tmp_path / "none"), "PATH": ""}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Invalid settings: PARLOUR_ENV names")
