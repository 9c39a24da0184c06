"""Markdown as card files use it: cut at headings, rendered once, sanitised.

An author's HTML is not rendered (it is shown as typed), and what comes out is
cleaned all the same, so that no card can put a script into a page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.domain.card import Prose

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_HEADING_ID = re.compile(r"\s*\{#(?P<id>[a-z0-9-]+)\}\s*$")
_TAGS = {
    "p", "em", "strong", "code", "pre", "ul", "ol", "li", "a", "br", "hr", "blockquote",
    "table", "thead", "tbody", "tr", "th", "td", "h3", "h4",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Block:
    """What stands under one heading, up to the next of the same or a higher level."""

    heading: str
    id: str | None
    line: int
    token_line: int
    tokens: tuple[Token, ...]

    @property
    def prose(self) -> Prose:
        """The block as plain text and as safe HTML."""
        return Prose(text=_plain(self.tokens), html=_html(self.tokens))

    def fenced(self) -> tuple[str, int]:
        """The text of the block's first fence and the line it begins on; empty if there is none."""
        for token in self.tokens:
            if token.type == "fence" and token.map:
                return token.content, self.line - self.token_line + token.map[0] + 1
        return "", self.line


def parse(source: str) -> list[Token]:
    """The Markdown's tokens; a token's `map` counts lines from 0."""
    return _MARKDOWN.parse(source)


def blocks(tokens: Sequence[Token], level: int, first_line: int) -> Iterator[Block]:
    """Cut at the headings of `level`; what stands before the first one is not in any block.

    `first_line` is the number, in its file, of the line that the tokens call 0.
    """
    tag = f"h{level}"
    starts = [
        i for i, token in enumerate(tokens) if token.type == "heading_open" and token.tag == tag
    ]
    for start, end in pairwise([*starts, len(tokens)]):
        opening, inline = tokens[start], tokens[start + 1]
        found = _HEADING_ID.search(inline.content)
        yield Block(
            heading=_HEADING_ID.sub("", inline.content),
            id=found["id"] if found else None,
            line=first_line + (opening.map or [0])[0],
            token_line=(opening.map or [0])[0],
            tokens=tuple(tokens[start + 3 : end]),
        )


def strays(tokens: Sequence[Token], level: int) -> bool:
    """Whether something stands before the first heading of `level`, where no block has it."""
    return bool(tokens) and not (tokens[0].type == "heading_open" and tokens[0].tag == f"h{level}")


def list_items(block: Block) -> tuple[str, ...]:
    """The items of the block's list, as plain text."""
    return tuple(line for line in block.prose.text.split("\n") if line)


def _html(tokens: Sequence[Token]) -> str:
    rendered = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return nh3.clean(
        rendered,
        tags=_TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"https"},
        link_rel="noopener noreferrer",
    )


def _plain(tokens: Sequence[Token]) -> str:
    return "\n".join(_words(token) for token in tokens if token.type == "inline")


def _words(inline: Token) -> str:
    parts = (
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in inline.children or ()
    )
    return "".join(parts).strip()
