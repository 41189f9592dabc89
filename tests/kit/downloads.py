"""Download the file with all data about a user, as a browser does."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import AsyncClient, Client


def download(client: Client, address: str = "/you/data/") -> HttpResponse:
    """Return the response to this browser with the whole file as its content."""

    async def read() -> HttpResponse:
        browser = AsyncClient()
        browser.cookies = client.cookies
        answer: HttpResponseBase = await browser.get(address)
        if isinstance(answer, StreamingHttpResponse):
            content = b"".join([piece async for piece in answer])
        else:
            assert isinstance(answer, HttpResponse)
            content = answer.content
        return HttpResponse(content, status=answer.status_code, headers=answer.headers)

    return async_to_sync(read)()
