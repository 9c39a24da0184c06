"""Where an answer says something on an axis, with its stance, and which mention counts."""

from dataclasses import dataclass

from app.domain.checking.stance import Stance


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where the answer says something on an axis.

    `stance` is the answer's stance to the pitfall (or, without one, to the key
    point); `first` and `last` are word indices.
    """

    stance: Stance
    first: int
    last: int
    hedged: bool


def last_word(mentions: tuple[Mention, ...]) -> Mention | None:
    """The mention that counts: the last that takes a side, else the last at all."""
    sided = [m for m in mentions if m.stance is not Stance.UNSURE]
    return max(sided or mentions, key=lambda m: (m.first, m.last), default=None)


def first_saying(mentions: tuple[Mention, ...]) -> Mention | None:
    """The first mention that makes the point."""
    said = [m for m in mentions if m.stance is Stance.SAYS]
    return min(said, key=lambda m: (m.first, m.last), default=None)


def turned(mention: Mention) -> Mention:
    """The same mention, seen from the other end of its axis: said is denied, denied is said."""
    opposite = {Stance.SAYS: Stance.DENIES, Stance.DENIES: Stance.SAYS}
    sign = opposite.get(mention.stance, mention.stance)
    return Mention(sign, mention.first, mention.last, mention.hedged)
