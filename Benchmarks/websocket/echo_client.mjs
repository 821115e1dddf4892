// Echoes messages over one WebSocket with Node's built-in client: echo_client.mjs URL COUNT SIZE; prints one line of
// JSON, as the other programs.
const [url, count, size] = [process.argv[2], ...process.argv.slice(3).map(Number)];
if (typeof WebSocket === "undefined") {
    console.error("this Node has no WebSocket; version 22 does");
    process.exit(1);
}
const socket = new WebSocket(url);
const message = new Uint8Array(size).fill(120);
let left = count, start, cpu;
socket.binaryType = "arraybuffer";
socket.onerror = () => { console.error("the connection failed"); process.exit(1); };
socket.onopen = () => {
    start = performance.now();
    cpu = process.cpuUsage();
    socket.send(message);
};
socket.onmessage = () => {
    left -= 1;
    if (left > 0) return socket.send(message);
    const seconds = (performance.now() - start) / 1000, used = process.cpuUsage(cpu);
    console.log(JSON.stringify({
        name: "node", requests: count, seconds, requests_per_second: count / seconds,
        cpu_microseconds_per_request: (used.user + used.system) / count, bytes: count * size,
        peak_rss_kb: process.resourceUsage().maxRSS, errors: 0,
    }));
    socket.close();
};
