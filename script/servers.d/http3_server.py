"""A server that speaks HTTP/3, HTTP/2 and HTTP/1.1 on one port of 127.0.0.1 (Hypercorn and aioquic).

Tests start it themselves. It prints its port, and ends with its standard input. QUIC's packets pass through a relay in this
process, which can lose them: a line on the standard input ("silent", "open") says how, and is answered by "ok".

Routes: /hello (the version, the number and priority of the request, the client's address and certificate), /echo, /bytes/N, /slow/SECONDS,
/status/NNN (also with a body), /alt-svc (POST: the body is the Alt-Svc field of all later responses).
"""

import argparse
import asyncio
import json
import os
import socket
import sys
import tempfile

from hypercorn.asyncio import serve
from hypercorn.config import Config

HOST = "127.0.0.1"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--udp", choices=["open", "silent", "closed"], default="open", help="what QUIC's port does")
    parser.add_argument("--udp-port", choices=["same", "other"], default="same")
    parser.add_argument("--alt-svc", choices=["yes", "no"], default="yes", help="whether responses announce HTTP/3")
    parser.add_argument("--client-certificates", action="store_true", help="a client needs a certificate over QUIC")
    return parser.parse_args()


class Relay(asyncio.DatagramProtocol):
    """Passes packets between clients and the QUIC server, unless it is silent."""

    def __init__(self, server, silent):
        self.server = server
        self.silent = silent
        self.links = {}

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, client):
        if self.silent:
            return
        link = self.links.get(client)
        if link is None:
            link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            link.setblocking(False)
            link.connect(self.server)
            self.links[client] = link
            asyncio.get_running_loop().add_reader(link, self.answer, link, client)
        link.send(data)

    def answer(self, link, client):
        while True:
            try:
                data = link.recv(65536)
            except OSError:
                return
            if not self.silent:
                self.transport.sendto(data, client)


class Plain(Config):
    """Adds no fields to responses, not even an Alt-Svc field with the port behind the relay."""

    def response_headers(self, protocol):
        return []


class Application:
    def __init__(self, alt_svc):
        self.count = 0
        self.alt_svc = alt_svc

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        self.count += 1
        path = scope["path"]
        number = self.count
        first, _, rest = path[1:].partition("/")
        fields, status = [(b"content-type", b"application/json")], 200
        body = b""
        if first != "slow":
            body = await self.read(receive)
        if first == "hello":
            client = scope.get("client") or ("", 0)
            priority = dict(scope["headers"]).get(b"priority", b"").decode("latin-1")
            body = json.dumps({"version": scope["http_version"], "count": number, "port": client[1],
                               "received": len(body), "priority": priority}).encode()
        elif first == "bytes":
            body = bytes(index % 251 for index in range(min(int(rest), 1 << 16))) * max(1, int(rest) >> 16)
        elif first == "slow":
            await asyncio.sleep(min(float(rest), 60))
        elif first == "status":
            status = int(rest)
        elif first == "alt-svc":
            self.alt_svc = body.decode()
            body = b""
        if self.alt_svc:
            fields.append((b"alt-svc", self.alt_svc.encode()))
        if status != 204:
            fields.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": body})

    async def read(self, receive):
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if message["type"] != "http.request" or not message.get("more_body"):
                return body


def bound(kind, port=0):
    made = socket.socket(socket.AF_INET, kind)
    made.bind((HOST, port))
    return made


def bound_pair():
    """A TCP and a UDP socket with the same port."""
    while True:
        stream = bound(socket.SOCK_STREAM)
        try:
            return stream, bound(socket.SOCK_DGRAM, stream.getsockname()[1])
        except OSError:
            stream.close()


def ask_for_client_certificates():
    """Makes aioquic's server require a client's certificate; it has no setting for that."""
    from aioquic import tls

    original, handle = tls.Context.__init__, tls.Context._server_handle_certificate

    class CertificateRequired(tls.Alert):
        description = tls.AlertDescription.certificate_required

    def handle_certificate(self, input_buf):
        start = input_buf.tell()
        certificate = tls.pull_certificate(input_buf)
        input_buf.seek(start)
        if not certificate.certificates:
            raise CertificateRequired("a certificate is required")
        handle(self, input_buf)

    def initialize(self, is_client, *positional, **named):
        original(self, is_client, *positional, **named)
        if not is_client:
            self._request_client_certificate = True

    tls.Context.__init__ = initialize
    tls.Context._server_handle_certificate = handle_certificate


async def control(relay, stop):
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().strip():
        if relay:
            relay.silent = line == "silent"
            if line == "closed":
                relay.transport.close()
        print("ok", flush=True)
    stop.set()


async def main():
    options = arguments()
    if options.client_certificates:
        ask_for_client_certificates()
    loop = asyncio.get_running_loop()
    stream, front = bound_pair()
    if options.udp_port == "other":
        front.close()
        front = bound(socket.SOCK_DGRAM)
    quic = bound(socket.SOCK_DGRAM)
    relay = None
    quic_port = front.getsockname()[1]
    if options.udp == "closed":
        front.close()
    else:
        front.setblocking(False)
        _, relay = await loop.create_datagram_endpoint(
            lambda: Relay(quic.getsockname(), options.udp == "silent"), sock=front)
    config = Plain()
    stream.listen(128)
    config.bind = [f"fd://{stream.fileno()}"]
    config.quic_bind = [f"fd://{quic.fileno()}"]
    config.certfile, config.keyfile = options.certificate, options.key
    config.errorlog = config.accesslog = None
    alt_svc = f'h3=":{quic_port}"; ma=3600' if options.alt_svc == "yes" else ""
    stop = asyncio.Event()
    task = asyncio.ensure_future(control(relay, stop))
    loop.call_later(0.05, lambda: print(stream.getsockname()[1], flush=True))
    await serve(Application(alt_svc), config, shutdown_trigger=stop.wait)
    task.cancel()


if __name__ == "__main__":
    asyncio.run(main())
    os._exit(0)
