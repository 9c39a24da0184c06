"""Read a card file: YAML front matter, then Markdown under fixed headings.

    ---
    slug, title, topic, tiers, key_points, pitfalls, claims
    ---
    # Prompt / # Five lines / # Basics / # Solid / # Picture
    # Deep          with ## Junior, ## Mid, ## Senior, ## Staff
    # Explanation   with ## Some heading {#some-id}
    # Follow-ups    with ## Some question? {#some-id}
    # Checking      with one ```yaml block (may be left out)

Everything wrong with a file is found in one reading, each fault with its line.
"""

import hashlib
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from app.domain.card import Card, Topic
from app.store import markdown, yaml_lines
from app.store.card_faults import CardFileError, Fault, faults_in
from app.store.card_parts import CardSource, card_from
from app.store.front_matter import Checking, FrontMatter, Topics
from app.store.yaml_lines import Written

TOPICS = "topics.yaml"
HEADINGS = (
    "Prompt", "Five lines", "Basics", "Solid", "Deep", "Explanation", "Follow-ups", "Picture",
)  # fmt: skip
_FRONT = re.compile(r"\A---\n(?P<yaml>.*?\n)---\n(?P<body>.*)\Z", re.DOTALL)


def read_card(path: Path, *, topics: Mapping[str, Topic], experiments: Collection[str]) -> Card:
    """The card in the file at `path`.

    Raises CardFileError with every fault that was found: what is malformed,
    empty, given twice or refers to what is not there. `topics` and
    `experiments` are the ids that a card may name.
    """
    source, content_hash = read_source(path)
    faults = faults_in(path, source, HEADINGS, topics=topics, experiments=experiments)
    if faults:
        raise CardFileError(faults)
    return card_from(source, topics, content_hash)


def read_source(path: Path) -> tuple[CardSource, str]:
    """The pieces of the file at `path`, and the hash of its text.

    Raises CardFileError where it can't even be cut into pieces.
    """
    text = _text(path)
    return _cut(path, text), hashlib.sha256(text.encode()).hexdigest()


def read_topics(path: Path) -> dict[str, Topic]:
    """The topics by id, in the order in which the home page shows them."""
    topics = yaml_lines.read(Topics, _text(path), first_line=1)
    if topics.value is None:
        raise CardFileError([Fault(path, *problem) for problem in topics.problems])
    titles = topics.value.root.items()
    return {key: Topic(key, title, position) for position, (key, title) in enumerate(titles)}


def _cut(path: Path, text: str) -> CardSource:
    found = _FRONT.match(text)
    if not found:
        raise CardFileError([Fault(path, 1, "begin the file with front matter between --- lines")])
    body_line = 3 + found["yaml"].count("\n")
    blocks = tuple(markdown.blocks(markdown.parse(found["body"]), 1, body_line))
    return CardSource(
        matter=yaml_lines.read(FrontMatter, found["yaml"], first_line=2),
        checking=_checking(blocks),
        blocks=blocks,
        body_line=body_line,
    )


def _checking(blocks: tuple[markdown.Block, ...]) -> Written[Checking]:
    for block in blocks:
        if block.heading == "Checking":
            source, line = block.fenced()
            return yaml_lines.read(Checking, source, line)
    return yaml_lines.read(Checking, "", 1)


def _text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError as fault:
        raise CardFileError([Fault(path, 1, f"save the file as UTF-8: {fault.reason}")]) from fault
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise CardFileError([Fault(path, line, "take out the NUL character")])
    return text
