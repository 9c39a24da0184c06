"""One log for everything in a process, to standard error: lines for a person, or JSON.

What a learner wrote never gets in. Of an error only the kind, the first line
of its message and the frames are kept: databases and validators append to a
message the values that they were given.
"""

import logging
import sys
import traceback
from typing import TextIO

import structlog
from structlog.processors import JSONRenderer
from structlog.typing import EventDict, Processor, WrappedLogger

from app.settings import Settings


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Send our own and the libraries' log lines to `stream` (standard error if None)."""
    out = stream or sys.stderr
    ending: list[Processor] = [JSONRenderer() if settings.log_json else line_for_a_person]
    structlog.configure(
        processors=[*_common(), *ending],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(_for_libraries(ending))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for talkative in ("alembic.runtime", "dbos"):  # each tells every step of every migration
        logging.getLogger(talkative).setLevel(logging.WARNING)


def plain_error(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by `error`: kinds, first lines of messages, and frames without values."""
    error = _error(event.pop("exc_info", None))
    if error is not None:
        event["error"] = "\n".join(_told(error))
    return event


def one_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Take the line ends off what is told: uvicorn ends some of it with one."""
    event["event"] = " ".join(str(event["event"]).split())
    return event


def _error(exc_info: object) -> BaseException | None:
    """The error meant by `exc_info` in any of its forms: the error, a triple, or True for now's."""
    if isinstance(exc_info, BaseException):
        return exc_info
    return sys.exc_info()[1] if exc_info else None


def _told(error: BaseException) -> list[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [*_told(cause), "which led to:"] if cause is not None else []
    frames = "".join(traceback.format_tb(error.__traceback__)).splitlines()
    first_line = str(error).partition("\n")[0]
    return [*before, *frames, f"{type(error).__qualname__}: {first_line}"]


def _common() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        plain_error,
        one_line,
    ]


def line_for_a_person(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    """`18:09:03 info    request method='GET' …`; an error's frames follow on lines of their own.

    Values are quoted, so that nothing sent to us can look like a line of its own.
    """
    error = event.pop("error", None)
    time, level, told = event.pop("timestamp")[11:19], event.pop("level"), event.pop("event")
    values = " ".join(f"{name}={value!r}" for name, value in event.items())
    line = f"{time} {level:<8} {told} {values}".rstrip()
    return f"{line}\n{error}" if error else line


def _for_libraries(ending: list[Processor]) -> structlog.stdlib.ProcessorFormatter:
    remove_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    name = structlog.stdlib.add_logger_name
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[name, *_common()], processors=[remove_meta, *ending]
    )
