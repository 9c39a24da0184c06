"""What is wrong with a setting, in words that say what to do; None where nothing is."""

from urllib.parse import unquote, urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

SHORTEST_SECRET = 32
"""Characters, as long as the key of an HMAC ought to be (RFC 7518, 3.2: 256 bits)."""
FEWEST_DIFFERENT = 5
"""Characters of a secret that differ; Django asks for as many."""

DATABASES = ("sqlite:", "postgresql+psycopg:")


def of_secret(secret: str) -> str | None:
    """Whoever guesses it can sign any learner's cookie; none at all means that one is made."""
    if not secret:
        return None
    if len(secret) >= SHORTEST_SECRET and len(set(secret)) >= FEWEST_DIFFERENT:
        return None
    return (
        f"RIDGEPOINT_SECRET can be guessed: set {SHORTEST_SECRET} or more random characters, as "
        "`openssl rand -hex 32` prints them (with a new secret everyone begins as a new learner)"
    )


def of_database(url: str) -> str | None:
    """Each process opens the database for itself, so it has to be of a kind that all can."""
    if url and not url.startswith(DATABASES):
        kinds = " or ".join(f"{kind}//" for kind in DATABASES)
        return f"RIDGEPOINT_DATABASE_URL must begin with {kinds}"
    if url.startswith("sqlite:") and _names_no_file(url):
        return "RIDGEPOINT_DATABASE_URL names no file, and each process needs one"
    return None


def of_judge(url: str, model: str) -> str | None:
    """A judge is an address and a model, and no key stands in the address."""
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "RIDGEPOINT_JUDGE_URL must begin with http:// or https:// and a host"
    if parts.username or parts.password or parts.query or parts.fragment:
        return "RIDGEPOINT_JUDGE_URL holds an address only: put a key in _JUDGE_KEY"
    if not model:
        return "RIDGEPOINT_JUDGE_URL is set: name a model in RIDGEPOINT_JUDGE_MODEL"
    return None


def _names_no_file(url: str) -> bool:
    """Whether SQLite would keep this database in the memory of the process that opens it.

    With `uri` in it SQLite reads the name as an address: https://www.sqlite.org/uri.html.
    """
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):  # no address at all: who opens it says so
        return False
    name, options = parts.database or "", parts.query
    if "uri" in options:
        name = unquote(name.removeprefix("file:"))
        if options.get("mode") == "memory" or options.get("vfs") == "memdb":
            return True
    return name in ("", ":memory:")
