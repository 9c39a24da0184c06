"""What can be wrong with a card file's Markdown: its headings and their parts."""

from collections.abc import Iterator, Sequence
from typing import get_args

from app.domain.card import LevelId
from app.store import markdown
from app.store.card_parts import CardSource
from app.store.markdown import Block
from app.store.problems import Problem, twice

PARTED = ("Deep", "Explanation", "Follow-ups")


def in_body(source: CardSource, headings: Sequence[str]) -> Iterator[Problem]:
    """The headings that lack, are strange or empty, and what is wrong with their parts."""
    yield from _in_headings(source, headings)
    yield from _in_parts(source)


def _in_headings(source: CardSource, headings: Sequence[str]) -> Iterator[Problem]:
    known = {*headings, "Checking"}
    for name in headings:
        if source.block(name) is None:
            yield source.body_line, f"there is no '# {name}'"
    for block in source.blocks:
        if block.heading not in known:
            yield block.line, f"'# {block.heading}' is none of {', '.join(sorted(known))}"
        elif not block.tokens:
            yield block.line, f"'# {block.heading}' is empty"
    yield from twice("heading", ((block.heading, block.line) for block in source.blocks))


def _in_parts(source: CardSource) -> Iterator[Problem]:
    for name in PARTED:
        parts, whole = source.parts(name), source.block(name)
        if whole and markdown.strays(whole.tokens, 2):
            yield whole.line, f"'# {name}' has text before its first ## part: move it into one"
        yield from (
            (part.line, f"'## {part.heading}' is empty") for part in parts if not part.tokens
        )
        if name == "Deep":
            yield from _in_levels(source, parts)
        else:
            yield from (
                (part.line, f"'## {part.heading}' needs an id of its own: add {{#some-id}}")
                for part in parts
                if part.id is None
            )
            yield from twice("id", ((part.id, part.line) for part in parts if part.id))


def _in_levels(source: CardSource, parts: Sequence[Block]) -> Iterator[Problem]:
    wanted = list(get_args(LevelId))
    if (block := source.block("Deep")) and [part.heading.lower() for part in parts] != wanted:
        yield block.line, f"'# Deep' needs these ## parts, in this order: {', '.join(wanted)}"
