"""Following a run while it goes: one reader of the database for all who look at it.

The reader asks twice a second what has changed; each listener gets the newest
picture of the whole run. Nobody can miss an event, since every picture is
complete: a slow listener only sees fewer of them.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from app.runs.view import RunView

LOOK_SECONDS = 0.4

log = structlog.get_logger("ridgepoint.following")
Look = Callable[[str, str | None], RunView | None]
"""(run id, version known) -> the run if it is at another version, else None."""


@dataclass(eq=False, slots=True)
class _Channel:
    """One run's reader and those who wait for what it finds."""

    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    latest: RunView | None = None
    over: bool = False
    listeners: int = 0
    reader: "asyncio.Task[None] | None" = None


class Following:
    """The runs that somebody looks at in this process; belongs to one event loop."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._channels: dict[str, _Channel] = {}
        self._closed = False

    @property
    def runs(self) -> frozenset[str]:
        """The runs being read for somebody now."""
        return frozenset(self._channels)

    async def follow(self, run_id: str, version: str | None = None) -> AsyncGenerator[RunView]:
        """Each new picture of the run from now on, ending with the first that is final.

        One who has seen `version` already hears of it again only when it changes.
        Ends before that when this process stops: whoever still listens comes back.
        """
        channel = self._join(run_id)
        try:
            while (view := await _newer(channel, version)) is not None:
                version = view.version
                yield view
                if view.final:
                    return
        finally:
            self._leave(run_id, channel)

    def close(self) -> None:
        """End all following now. May be called from a signal's handler."""
        self._closed = True
        for channel in list(self._channels.values()):
            if channel.reader is not None:
                channel.reader.get_loop().call_soon_threadsafe(channel.reader.cancel)

    def _join(self, run_id: str) -> _Channel:
        channel = self._channels.setdefault(run_id, _Channel())
        channel.listeners += 1
        if channel.reader is None:
            channel.reader = asyncio.create_task(self._read(run_id, channel))
        return channel

    def _leave(self, run_id: str, channel: _Channel) -> None:
        channel.listeners -= 1
        if not channel.listeners and channel.reader is not None:
            channel.reader.cancel()
            self._channels.pop(run_id, None)

    async def _read(self, run_id: str, channel: _Channel) -> None:
        try:
            while not self._closed and (channel.latest is None or not channel.latest.final):
                known = channel.latest.version if channel.latest else None
                with suppress(_Away):
                    view = await _looked(self.look, run_id, known)
                    if view is not None:
                        await _tell(channel, view)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            await _tell_that_it_is_over(channel)


class _Away(Exception):
    """The database could not be asked; it will be asked again."""


async def _looked(look: Look, run_id: str, known: str | None) -> RunView | None:
    try:
        return await asyncio.to_thread(look, run_id, known)
    except Exception as error:  # whatever it is, listeners wait and the reader goes on
        log.warning("run could not be read", run=run_id, exc_info=error)
        raise _Away from error


async def _tell(channel: _Channel, view: RunView) -> None:
    async with channel.changed:
        channel.latest = view
        channel.changed.notify_all()


async def _tell_that_it_is_over(channel: _Channel) -> None:
    async with channel.changed:
        channel.over = True
        channel.changed.notify_all()


async def _newer(channel: _Channel, version: str | None) -> RunView | None:
    """The channel's picture once it is another than `version`, or None if none will come."""
    async with channel.changed:
        await channel.changed.wait_for(lambda: channel.over or _is_news(channel.latest, version))
        return channel.latest if _is_news(channel.latest, version) else None


def _is_news(view: RunView | None, version: str | None) -> bool:
    return view is not None and (view.final or view.version != version)
