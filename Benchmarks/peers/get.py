"""GETs by a Python client: get.py (aiohttp | httpx) URL COUNT INFLIGHT; prints one line of JSON."""

import asyncio
import json
import resource
import sys
import time


async def with_aiohttp(in_flight, body):
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=in_flight)) as session:
        async def get(url):
            async with session.get(url) as response:
                response.raise_for_status()
                return len(await response.read())

        await body(get)


async def with_httpx(in_flight, body):
    import httpx

    limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    async with httpx.AsyncClient(limits=limits) as client:
        async def get(url):
            return len((await client.get(url)).raise_for_status().content)

        await body(get)


async def run(get, url, count, in_flight):
    left, moved = count, 0

    async def work():
        nonlocal left, moved
        while left > 0:
            left -= 1
            moved += await get(url)

    await asyncio.gather(*[work() for _ in range(in_flight)])
    return moved


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def main():
    name, url, count, in_flight = sys.argv[1:]
    count, in_flight = int(count), int(in_flight)

    async def measure(get):
        await run(get, url, max(in_flight, min(count // 10, 2000)), in_flight)
        start, cpu = time.monotonic(), cpu_seconds()
        moved = await run(get, url, count, in_flight)
        seconds, cpu = time.monotonic() - start, cpu_seconds() - cpu
        print(json.dumps({
            "name": name, "requests": count, "seconds": seconds, "requests_per_second": count / seconds,
            "cpu_microseconds_per_request": cpu * 1e6 / count, "bytes": moved,
            "peak_rss_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "errors": 0,
        }))

    await {"aiohttp": with_aiohttp, "httpx": with_httpx}[name](in_flight, measure)


asyncio.run(main())
