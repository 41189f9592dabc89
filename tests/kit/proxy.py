"""Real proxies, configured by `deploy`."""

from __future__ import annotations

import socket
import ssl
import subprocess
from pathlib import Path

from tests.installed import find_program
from tests.kit.served import free_port
from tests.kit.services import Service

FRAME = """\
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def make_certificate(folder: Path, host: str = "localhost") -> tuple[Path, Path]:
    """Create a self-signed certificate as described in docs/operate.md. Return it with its key."""
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    name = f"DNS:{host},IP:127.0.0.1"
    command = [find_program("openssl"), "req", "-x509", "-newkey", "ec"]
    command += ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command += ["-subj", f"/CN={host}", "-addext", f"subjectAltName={name}"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


class _Proxy(Service):
    """A proxy on a port of this machine."""

    def is_ready(self) -> bool:
        """Return whether it accepts connections."""
        try:
            socket.create_connection(("127.0.0.1", self.port), 5).close()
        except OSError:
            return False
        return True


class Nginx(_Proxy):
    """nginx on free ports instead of 80 and 443, with a site file written by `deploy`."""

    def __init__(self) -> None:
        super().__init__()
        self.plain_port = free_port()
        self.certificate, self.key = make_certificate(self.folder)
        self.url = f"https://localhost:{self.port}"

    def use(self, site: str) -> None:
        """Serve with this configuration, on loopback only."""
        moved = site.replace("listen 80;", f"listen 127.0.0.1:{self.plain_port};")
        moved = moved.replace(f"listen {self.port}", f"listen 127.0.0.1:{self.port}")
        lines = [line for line in moved.splitlines() if "listen [::]" not in line]
        (self.folder / "site.conf").write_text("\n".join(lines) + "\n")
        (self.folder / "nginx.conf").write_text(FRAME.format(folder=self.folder))

    def command(self) -> list[str]:
        """Return the command line that runs nginx in the foreground."""
        return [find_program("nginx"), "-p", str(self.folder), "-c", "nginx.conf", "-e", "log"]

    def complaints(self) -> str:
        """Return what `nginx -t` reports about the configuration, or ""."""
        done = subprocess.run([*self.command(), "-t"], capture_output=True, text=True)
        said = done.stdout + done.stderr
        return "" if done.returncode == 0 and "warn" not in said else said

    def trust(self) -> ssl.SSLContext:
        """Return an SSL context that trusts the certificate."""
        return ssl.create_default_context(cafile=str(self.certificate))


class Caddy(_Proxy):
    """Caddy with a site file written by `deploy` for plain http."""

    def use(self, site: str) -> None:
        """Serve with this configuration."""
        (self.folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + site)

    def command(self) -> list[str]:
        """Return the command line that runs Caddy in the foreground. Its data is in its folder."""
        folders = [f"{name}={self.folder}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")]
        run = [find_program("caddy"), "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
        return [find_program("env"), *folders, *run]
