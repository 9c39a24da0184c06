"""What `serve` listens on."""

import asyncio
import socket

from app.commands.serve import _listen


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
