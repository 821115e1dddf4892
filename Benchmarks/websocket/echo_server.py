"""A WebSocket echo server for script/bench; prints its port."""
import asyncio
import sys

from websockets.asyncio.server import serve


async def echo(socket):
    async for message in socket:
        await socket.send(message)


async def main():
    async with serve(echo, "127.0.0.1", 0, compression=None, max_size=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()


asyncio.run(main())
