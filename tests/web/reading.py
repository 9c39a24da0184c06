"""A page as a person reads it."""

import re
from html import unescape


def plain(html: str) -> str:
    """A page's text, its spaces squeezed."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
