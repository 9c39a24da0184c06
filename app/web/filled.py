"""A form whose fields follow from what is shown, such as an experiment's parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

LONGEST = 100  # characters of a field that are read


@dataclass(frozen=True, slots=True)
class Filled:
    """The form as filled in: {field: text}."""

    fields: Mapping[str, str]

    def get(self, name: str) -> str:
        """What stands in this field; empty where there is none."""
        return self.fields.get(name, "")

    @property
    def key(self) -> str | None:
        """What makes pressing Start twice one run; None where it is not of our making."""
        key = self.get("key")
        return key if len(key) == 32 and set(key) <= set("0123456789abcdef") else None


async def _filled(request: Request) -> Filled:
    sent = (await request.form()).items()
    return Filled({name: text[:LONGEST] for name, text in sent if isinstance(text, str)})


FilledForm = Annotated[Filled, Depends(_filled)]
