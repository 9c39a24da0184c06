"""One reader of the database serves all who look at a run, and nobody misses its end."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.runs import following as module
from app.runs.following import Following


@dataclass(frozen=True)
class Picture:
    """Stands for a RunView: following needs no more of it than this."""

    version: str
    final: bool = False


class Script:
    """A run whose state a test sets; counts how often it was looked at."""

    def __init__(self) -> None:
        self.now = Picture("a")
        self.looks = 0
        self.away = False

    def look(self, _run_id: str, known: str | None) -> Picture | None:
        self.looks += 1
        if self.away:
            raise ConnectionError("the database is away")
        return None if self.now.version == known else self.now


def play(scene: Callable[[Script, Following], Awaitable[None]], monkeypatch) -> Script:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    script = Script()

    async def on_stage() -> None:
        await asyncio.wait_for(scene(script, Following(script.look)), timeout=120)

    asyncio.run(on_stage())
    return script


async def listen(
    following: Following, version: str | None = None, heard: list[str] | None = None
) -> list[str]:
    """All that one who listens to the end hears; in `heard` at once."""
    heard = [] if heard is None else heard
    async for view in following.follow("r", version):
        heard.append(view.version)
    return heard


async def until(so: Callable[[], bool]) -> None:
    while not so():
        await asyncio.sleep(0.005)


def listening(
    following: Following, count: int
) -> tuple[list[asyncio.Task[list[str]]], list[list[str]]]:
    """So many who listen, and what each has heard so far."""
    heard: list[list[str]] = [[] for _ in range(count)]
    return [asyncio.create_task(listen(following, None, one)) for one in heard], heard


def test_a_listener_gets_each_new_picture_up_to_the_final_one(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        views = following.follow("r")
        assert (await anext(views)).version == "a"
        script.now = Picture("b")
        assert (await anext(views)).version == "b"
        script.now = Picture("c", final=True)
        assert [view.version async for view in views] == ["c"]
        assert following.runs == frozenset()

    play(scene, monkeypatch)


def test_many_listeners_cost_one_reader(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        listeners, heard = listening(following, 50)
        await until(lambda: all(heard))
        assert script.looks < 50
        script.now = Picture("b", final=True)
        assert set(map(tuple, await asyncio.gather(*listeners))) == {("a", "b")}

    play(scene, monkeypatch)


def test_one_who_has_seen_the_picture_already_hears_only_of_the_next(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        task = asyncio.create_task(listen(following, "a"))
        await asyncio.sleep(0.05)
        script.now = Picture("b", final=True)
        assert await task == ["b"]

    play(scene, monkeypatch)


def test_one_who_has_seen_the_end_already_is_told_at_once_that_it_is_the_end(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        script.now = Picture("z", final=True)
        assert await listen(following, "z") == ["z"]

    play(scene, monkeypatch)


def test_a_database_that_is_away_for_a_moment_ends_no_stream(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        script.away = True
        task = asyncio.create_task(listen(following))
        await until(lambda: script.looks > 1)
        script.away, script.now = False, Picture("b", final=True)
        assert await task == ["b"]

    play(scene, monkeypatch)


def test_when_the_last_listener_leaves_nothing_is_read_any_more(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        (task,), heard = listening(following, 1)
        await until(lambda: all(heard))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert following.runs == frozenset()
        looks = -1
        while script.looks != looks:  # one look may still be under way
            looks = script.looks
            await asyncio.sleep(0.1)

    play(scene, monkeypatch)


def test_closing_ends_every_stream_although_the_run_goes_on(monkeypatch):
    async def scene(script: Script, following: Following) -> None:
        listeners, heard = listening(following, 3)
        await until(lambda: all(heard))
        following.close()
        assert await asyncio.gather(*listeners) == [["a"]] * 3
        assert following.runs == frozenset()

    play(scene, monkeypatch)
