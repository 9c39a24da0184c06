"""What is wrong with a setting, in words that say what to do; None where nothing is.

The words complete the setting's name.
"""

import re
import warnings
from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pydantic import AfterValidator, SecretStr
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

DATABASES = ("sqlite:", "postgresql+psycopg:")
IN_MEMORY = {("mode", "memory"), ("vfs", "memdb")}

_NO_UTF8 = re.compile("[\ud800-\udfff]")
"""What Python reads of a variable's bytes that are none."""

Fault = Callable[[Any], str | None]


def taken(given: Any, fault: Fault) -> Any:
    """What is given, if it has no such fault; ValueError with what is wrong else."""
    if (told := fault(given)) is not None:
        raise ValueError(told)
    return given


def without(fault: Fault) -> AfterValidator:
    """For a setting that is taken only without this fault."""
    return AfterValidator(lambda given: taken(given, fault))


def of_text(given: str) -> str | None:
    """Neither a database nor a header can hold what is no text, nor can it be printed."""
    return "holds bytes that are no UTF-8: set it anew" if _NO_UTF8.search(given) else None


def of_database(url: str) -> str | None:
    """Each process opens the database for itself, so it has to be of a kind that all can."""
    if url and not url.startswith(DATABASES):
        kinds = " or ".join(f"{kind}//" for kind in DATABASES)
        return f"must begin with {kinds}"
    if url.startswith("sqlite:") and _names_no_file(url):
        return "names no file, and each process needs one"
    return None


def of_judge(url: str) -> str | None:
    """An address without a key in it; none at all means that no judge is asked."""
    if not url:
        return None
    parts = _address(url)
    if not url.startswith(("http://", "https://")):
        return "must begin with http:// or https:// and a host"
    if parts is None or not parts.hostname:
        return "is no address that a request can be sent to: check its host and port"
    if parts.username or parts.password or parts.query or parts.fragment:
        return "holds an address only: put a key in RIDGEPOINT_JUDGE_KEY"
    return None


def of_key(key: SecretStr) -> str | None:
    """It is sent in a header, which holds no line's end and no letter beyond ASCII's."""
    told = key.get_secret_value()
    return None if told.isascii() and told.isprintable() else "is no key: copy it anew"


def _address(url: str) -> SplitResult | None:
    """The address's parts; None where no request can be sent to it."""
    try:
        parts = urlsplit(url)
        known = parts.port is None or parts.port > 0
        (parts.hostname or "").encode("idna")
    except ValueError:
        return None
    return parts if known and url.isprintable() else None


def _names_no_file(url: str) -> bool:
    """Whether SQLite would keep this database in the memory of the process that opens it."""
    try:
        parts = make_url(url)
        return not parts.database or _is_no_file(parts)
    except (ArgumentError, TypeError, ValueError):  # no address at all: who opens it says so
        return False


def _is_no_file(url: URL) -> bool:
    """The same of what the driver is given: a name, or an address where `uri` says so.

    How SQLite reads an address: https://www.sqlite.org/uri.html. No file's name has a zero byte.
    """
    with warnings.catch_warnings(action="ignore"):  # of options that the driver will pass over
        (name,), options = url.get_dialect()().create_connect_args(url)
    query = ""
    if options.get("uri") and name.startswith("file:"):
        parts = urlsplit(name)
        name, query = unquote(parts.path), parts.query
    in_memory = name in ("", ":memory:") or not IN_MEMORY.isdisjoint(parse_qsl(query))
    return in_memory or "\0" in name
