"""The commands that an administrator must run after the files are written."""

from __future__ import annotations

from operations.connections import SPARE, USUAL_LIMIT
from operations.deployment.answers import LOCAL_POSTGRES, LOCAL_REDIS, Answers
from operations.deployment.env_text import NAME

Step = tuple[str, tuple[str, ...]]


def steps(a: Answers) -> list[Step]:
    """Return the steps in order, each with its purpose and commands. Each step can be repeated."""
    before = _service_before(a)
    found = [_packages(a), *_account(a), *_database(a)]
    if a.proxy == "none":  # the two services would use the same port
        found += before
    found.append(_services(a))
    if a.is_remote:
        return [
            *found,
            *before,
            _proxy_of_first_host(a),
            ("Check the server.", (_manage(a, "doctor"),)),
        ]
    if a.is_https and a.proxy != "none":
        found += _certificate(a)
    if a.proxy != "none":
        found += _nginx(a) if a.proxy == "nginx" else _caddy(a)
        found += before
    found.append(("Create your administrator account.", (_manage(a, "createsuperuser"),)))
    found.append(("Check the server.", (_manage(a, "doctor"),)))
    return found


def _manage(a: Answers, command: str) -> str:
    """Return the command line that runs a management command as the account of the server."""
    file = "" if a.env_file == a.base / NAME else f"PARLOUR_ENV={a.env_file} "
    # A checkout is its own data folder unless --data names another.
    data = f" --data {a.base}" if a.base != a.code and (a.code / "manage.py").exists() else ""
    return f"cd {a.base} && sudo -u {a.user} {file}{a.command}{data} {command}"


def _proxy_of_first_host(a: Answers) -> Step:
    return (
        "On the first host, add these processes to the proxy. Then run the commands for the proxy.",
        (f"make deploy ARGS='--others {','.join(a.upstreams)}'",),
    )


def _packages(a: Answers) -> Step:
    wanted = [] if a.proxy in ("none", "remote") else [a.proxy]
    if a.database == LOCAL_POSTGRES:
        wanted.append("postgresql")
    elif a.is_postgres:
        wanted.append("postgresql-client")
    if a.redis == LOCAL_REDIS:
        wanted.append("redis-server")
    if a.is_https and a.proxy == "nginx" and a.gets_certificate:
        wanted.append("certbot")
    install = f"sudo apt install {' '.join(wanted)}" if wanted else "true  # none"
    return "Install the required packages.", (install,)


def _account(a: Answers) -> list[Step]:
    if a.is_ours:
        return []
    return [
        (
            f"Create the account {a.user}, and give it the files that the server uses.",
            (
                f"id {a.user} || sudo useradd --system --home-dir {a.base} {a.user}",
                f"sudo chown -R {a.user}: {a.base}/var {a.env_file}",
            ),
        )
    ]


def _database(a: Answers) -> list[Step]:
    found: list[Step] = []
    if a.database == LOCAL_POSTGRES:
        make = f"sudo -u postgres createdb --owner={a.user} parlour"
        why = f"Create the database. {a.user} logs in by system account, without a password."
        found.append((why, (f"sudo -u postgres createuser {a.user}", make)))
    # A host that joins knows only its own processes.
    if a.is_postgres and not a.is_remote and a.needed_connections > USUAL_LIMIT:
        most = a.needed_connections + SPARE
        where = "" if a.database == LOCAL_POSTGRES else " Run this on its host."
        why = f"Let PostgreSQL accept the {a.needed_connections} connections of all processes."
        why += where
        alter = f"sudo -u postgres psql -c 'ALTER SYSTEM SET max_connections = {most}'"
        found.append((why, (alter, "sudo systemctl restart postgresql")))
    return found


UNITS = (
    "parlour.target parlour@.service parlour@.socket parlour-restart.service"
    " parlour-backup.service parlour-backup.timer"
)


def _services(a: Answers) -> Step:
    processes = " ".join(f"parlour@{port}" for port in a.ports)
    backup = "" if a.is_remote else " parlour-backup.timer"  # the first host takes backups
    also = "" if a.is_remote else ", and the nightly backup"
    return (
        f"Start the server, now and at every boot{also}.",
        (
            f"cd {a.folder} && sudo cp {UNITS} /etc/systemd/system/",
            "sudo systemctl daemon-reload",
            f"sudo systemctl start {processes}",
            f"sudo systemctl enable --now parlour.target{backup}",
        ),
    )


def _service_before(a: Answers) -> list[Step]:
    """Return the step that removes an older version's service, if there is one in this folder."""
    if not a.replaces_service:
        return []
    return [
        (
            "Remove the service of the previous version (docs/operate.md tells how to go back).",
            (
                "sudo systemctl disable --now parlour.socket parlour.service",
                "sudo rm -f /etc/systemd/system/parlour.socket /etc/systemd/system/parlour.service",
                f"sudo rm {a.folder}/parlour.socket {a.folder}/parlour.service",
            ),
        )
    ]


def _certificate(a: Answers) -> list[Step]:
    if a.proxy == "caddy" and a.gets_certificate:
        return []  # Caddy gets the certificate itself
    if a.gets_certificate:
        command = (
            f"sudo certbot certonly --webroot -w /var/www/html -d {a.host}"
            " --deploy-hook 'systemctl reload nginx'"
        )
        return [("Get a certificate; it renews itself.", (command,))]
    if not a.needs_own_certificate:
        return []
    make = (
        f"sudo openssl req -x509 -newkey rsa:3072 -nodes -days 825 -subj /CN={a.host}"
        f" -addext subjectAltName={_alternative(a.host)} -keyout {a.key} -out {a.certificate}"
    )
    folder = a.certificate.rpartition("/")[0]
    why = f"No authority signs for {a.host}. Create a certificate. Browsers will warn about it."
    return [(why, (f"sudo mkdir -p {folder}", make))]


def _alternative(host: str) -> str:
    return f"IP:{host}" if host.replace(".", "").isdigit() or ":" in host else f"DNS:{host}"


def _nginx(a: Answers) -> list[Step]:
    return [
        (
            "Set up nginx.",
            (
                f"sudo cp {a.folder}/nginx.conf /etc/nginx/sites-available/parlour",
                "sudo ln -sf ../sites-available/parlour /etc/nginx/sites-enabled/parlour",
                "sudo nginx -t && sudo systemctl reload nginx",
            ),
        )
    ]


def _caddy(a: Answers) -> list[Step]:
    return [
        (
            "Set up Caddy. (This replaces Debian's example. If you have your own file, add to it.)",
            (
                f"sudo cp {a.folder}/Caddyfile /etc/caddy/Caddyfile",
                "sudo systemctl reload caddy",
            ),
        )
    ]
