// Serves one file over HTTP/2 only, and on /unsized/COUNT its first bytes without their number. Arguments: port, file, and for TLS
// a certificate and its key.
import { readFileSync } from "node:fs";
import { createSecureServer, createServer } from "node:http2";

const [port, file, certificate, key] = process.argv.slice(2);
const content = readFileSync(file);
const answer = (stream, fields) => {
    stream.on("error", () => {});
    const count = fields[":path"].match(/^\/unsized\/(\d+)$/)?.[1];
    if (count) {
        stream.respond({ ":status": 200 });
        stream.end(content.subarray(0, Number(count)));
        return;
    }
    stream.respond({ ":status": 200, "content-length": content.length });
    stream.end(content);
};
// By default, a connection with more than 10 MB of answers that wait refuses others.
const settings = { maxSessionMemory: 1000 };
const server = certificate
    ? createSecureServer({ ...settings, cert: readFileSync(certificate), key: readFileSync(key) })
    : createServer(settings);
server.on("sessionError", () => {});
server.on("stream", answer).listen(Number(port), "127.0.0.1");
