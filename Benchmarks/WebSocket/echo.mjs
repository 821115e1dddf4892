// Echoes messages over one WebSocket with Node's built-in client: echo.mjs PORT COUNT SIZE; prints messages per second.
const [port, count, size] = process.argv.slice(2).map(Number);
if (typeof WebSocket === "undefined") {
    console.log("none");
    process.exit(0);
}
const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
const message = new Uint8Array(size).fill(120);
let left = count, start;
socket.binaryType = "arraybuffer";
socket.onopen = () => { start = performance.now(); socket.send(message); };
socket.onmessage = () => {
    if (--left > 0) return socket.send(message);
    console.log(count / ((performance.now() - start) / 1000));
    socket.close();
};
