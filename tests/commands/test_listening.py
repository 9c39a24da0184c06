"""What `serve` listens on."""

import asyncio
import resource
import socket

import pytest

from app.cli import main
from app.commands.listening import MOST_FILES, allow_many_files, listen


def test_answers_leave_at_once_on_every_connection() -> None:
    """asyncio sets TCP_NODELAY only on connections whose listener names its protocol."""
    nodelay: list[int] = []

    async def accept(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted: socket.socket = writer.get_extra_info("socket")
        nodelay.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def connect_once() -> None:
        listener = listen("127.0.0.1", 0)
        port = listener.getsockname()[1]
        async with await asyncio.start_server(accept, sock=listener):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await reader.read()
            writer.close()
            await writer.wait_closed()

    asyncio.run(connect_once())

    assert nodelay and all(nodelay)


def test_a_low_limit_of_open_files_is_raised_to_what_the_system_grants() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        allow_many_files()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert hard == before[1]
    assert soft == (MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES))


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--port", "99999", "--port: Input should be less than or equal to 65535"),
        ("--port", "-1", "--port: Input should be greater than or equal to 0"),
        ("--host", "\udcff", "--host holds bytes that are no UTF-8"),
    ],
)
def test_an_option_that_does_not_fit_is_called_as_it_was_given(
    capsys: pytest.CaptureFixture[str], option: str, value: str, told: str
):
    assert main(["serve", option, value]) == 1
    said = capsys.readouterr().err
    assert told in said and "RIDGEPOINT_" not in said


def test_a_setting_that_does_not_fit_keeps_its_name_beside_an_options(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RIDGEPOINT_PORT", "nonsense")
    monkeypatch.setenv("RIDGEPOINT_RUN_DEADLINE", "-1")
    assert main(["serve", "--port", "99999"]) == 1
    both = capsys.readouterr().err
    assert "--port: " in both and "RIDGEPOINT_RUN_DEADLINE: " in both
    monkeypatch.delenv("RIDGEPOINT_RUN_DEADLINE")
    assert main(["serve"]) == 1
    assert "RIDGEPOINT_PORT: " in capsys.readouterr().err
