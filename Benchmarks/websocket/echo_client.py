"""Echoes messages over one WebSocket: echo_client.py URL COUNT SIZE; prints one line of JSON, as the other programs."""
import asyncio
import json
import resource
import sys
import time

from websockets.asyncio.client import connect


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def main(url, count, size):
    async with connect(url, compression=None, max_size=None) as socket:
        message = b"x" * size
        start, cpu_start = time.perf_counter(), cpu()
        for _ in range(count):
            await socket.send(message)
            await socket.recv()
        seconds, cpu_seconds = time.perf_counter() - start, cpu() - cpu_start
    print(json.dumps({
        "name": "python", "requests": count, "seconds": seconds, "requests_per_second": count / seconds,
        "cpu_microseconds_per_request": cpu_seconds * 1e6 / count, "bytes": count * size,
        "peak_rss_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "errors": 0,
    }))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
