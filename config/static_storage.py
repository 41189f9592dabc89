"""Storage of static files, hashed and compressed.

Comments and indentation are removed from Parlour's own scripts and styles.
"""

from __future__ import annotations

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

COMMENT = re.compile(rb"[ \t]*/\*(?!!).*?\*/", re.DOTALL)
"""CSS comments, except licence comments, which start with `!`."""
COMMENT_LINE = re.compile(rb"^[ \t]*//.*\n", re.MULTILINE)
"""Comment lines of Parlour's own scripts, which contain no multi-line strings."""
INDENTATION = re.compile(rb"^[ \t\n]+", re.MULTILINE)


class UncommentedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Storage that removes what only readers of the source need: a fifth of a table's download."""

    def _save(self, name: str, content: Any) -> str:
        comments = COMMENT if name.endswith(".css") else COMMENT_LINE
        if name.endswith(".css") or (name.endswith(".js") and "/" not in name):
            source = comments.sub(b"", b"".join(content.chunks()))
            content = ContentFile(INDENTATION.sub(b"", source))
        saved: str = super()._save(name, content)
        return saved
