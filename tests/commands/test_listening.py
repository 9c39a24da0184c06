"""What `serve` listens on."""

import asyncio
import resource
import socket

from app.commands.serve import MOST_FILES, _allow_many_files, _listen


def test_answers_leave_at_once_on_every_connection() -> None:
    """asyncio sets TCP_NODELAY only on connections whose listener names its protocol."""
    nodelay: list[int] = []

    async def accept(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted: socket.socket = writer.get_extra_info("socket")
        nodelay.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def connect_once() -> None:
        listener = _listen("127.0.0.1", 0)
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
        _allow_many_files()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert hard == before[1]
    assert soft == (MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES))
