// GETs by Node's fetch: fetch.mjs URL COUNT INFLIGHT; prints one line of JSON, as the other programs.
const [url, count, inFlight] = [process.argv[2], ...process.argv.slice(3, 5).map(Number)];

async function run(count) {
    let left = count, moved = 0, errors = 0;
    const work = async () => {
        while (left > 0) {
            left -= 1;
            const response = await fetch(url);
            moved += (await response.arrayBuffer()).byteLength;
            if (response.status !== 200) errors += 1;
        }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    return { moved, errors };
}

await run(Math.max(inFlight, Math.min(Math.floor(count / 10), 2000)));
const start = performance.now(), cpu = process.cpuUsage();
const { moved, errors } = await run(count);
const seconds = (performance.now() - start) / 1000, used = process.cpuUsage(cpu);
console.log(JSON.stringify({
    name: "node", requests: count, seconds, requests_per_second: count / seconds,
    cpu_microseconds_per_request: (used.user + used.system) / count, bytes: moved,
    peak_rss_kb: process.resourceUsage().maxRSS, errors,
}));
