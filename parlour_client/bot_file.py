"""Import a bot from a Python file, with errors that its author understands."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from typing import cast

from parlour_client.errors import Misused
from parlour_client.faults import Bot


def bot_in(path: str) -> Bot:
    """Import the file as a module and return its function `bot`. Raise Misused."""
    file = Path(path).resolve()
    if not file.is_file():
        raise Misused(f"There is no file {path}.")
    spec = importlib.util.spec_from_file_location(str(file), file)
    if spec is None or spec.loader is None:
        raise Misused(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))  # it may import files beside it, even later
    sys.modules[str(file)] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        line = (error.text or "").strip()
        where = f"line {error.lineno}" if error.filename == str(file) else error.filename
        raise Misused(f"{path}, {where}: {error.msg}:\n    {line}") from None
    except (Exception, SystemExit) as error:
        said = own_traceback(error, str(file))
        raise Misused(f"{path} cannot be imported:\n{said}") from None
    bot = getattr(module, "bot", None)
    if not callable(bot):
        raise Misused(f"{path} has no function bot(decision).")
    return cast(Bot, bot)


def own_traceback(error: BaseException, path: str) -> str:
    """Return the traceback of an exception, from the program's own file on."""
    found = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in found.stack if frame.filename != __file__]
    first = next((at for at, frame in enumerate(frames) if frame.filename == path), 0)
    found.stack = traceback.StackSummary.from_list(frames[first:])
    return "".join(found.format()).rstrip()
