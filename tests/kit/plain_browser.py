"""A browser without rendering: real HTTP requests to a real server."""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


class Browser:
    """A client with cookies and forms, but without scripts."""

    def __init__(self, url: str) -> None:
        self.url = self.at = url
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        return self._open(urllib.request.Request(self.url + path))

    def post(self, form_at: str, path: str | None = None, **fields: str) -> str:
        page = self.get(form_at)
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert found
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": found[1], **fields}).encode()
        headers = {"Referer": self.url + form_at, "Origin": self.url}
        return self._open(urllib.request.Request(self.url + (path or form_at), data, headers))

    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)

    def _open(self, request: urllib.request.Request) -> str:
        try:
            with self.opener.open(request, timeout=60) as answer:
                self.at = answer.url
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return str(error.read().decode())
