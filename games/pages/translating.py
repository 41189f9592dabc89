"""A Jinja extension that translates templates when they are compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream


class Translating(Extension):
    """Replaces `_("…")` with the translation if the environment has a `catalogue`."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens of a template, with translated messages."""
        environment: Any = self.environment
        catalogue: Mapping[str, str] | None = environment.catalogue
        for token in stream:
            if (
                catalogue is not None
                and token.test("name:_")
                and stream.current.test("lparen")
                and stream.look().test("string")
            ):
                yield next(stream)
                message = next(stream)
                yield Token(message.lineno, "string", catalogue[message.value])
            else:
                yield token
