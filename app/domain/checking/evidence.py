"""What all signs found on one pitfall, side by side, before anything is concluded."""

from dataclasses import dataclass

from app.domain.checking.mentions import Mention, last_word
from app.domain.checking.sighting import UNREAD, Sighting, Verdict
from app.domain.checking.stance import Stance


@dataclass(frozen=True, slots=True)
class Evidence:
    """The grammar's mentions, the network's two sightings, and the verifier's verdict."""

    mentions: tuple[Mention, ...]
    says: Sighting
    denies: Sighting
    verdict: Verdict = UNREAD
    cued: bool = False  # whether a cue lies in the words that the network saw
    about: bool = False  # whether they, or words near, name the pitfall's subject
    disowned: bool = False  # whether they are quoted, struck out or refused, or lean on others
    beside: bool = False  # whether numbers, or the case that they are of, belie them

    @property
    def mention(self) -> Mention | None:
        """The mention by which the grammar concludes, if it found any."""
        return last_word(self.mentions)

    @property
    def stance(self) -> Stance | None:
        """The grammar's conclusion, if it has one."""
        return self.mention.stance if self.mention else None
