"""Echoes messages over one WebSocket: client.py PORT COUNT SIZE; prints messages per second."""
import asyncio
import sys
import time

from websockets.asyncio.client import connect


async def main(port, count, size):
    async with connect(f"ws://127.0.0.1:{port}/", compression=None, max_size=None) as socket:
        message = b"x" * size
        start = time.perf_counter()
        for _ in range(count):
            await socket.send(message)
            await socket.recv()
        print(count / (time.perf_counter() - start))


asyncio.run(main(*map(int, sys.argv[1:4])))
