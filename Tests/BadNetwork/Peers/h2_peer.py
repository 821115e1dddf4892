"""An HTTP/2 server that misbehaves on purpose, over TLS (ALPN) and cleartext (prior knowledge).

The first line of its output is "PLAIN-PORT TLS-PORT" (0 without a certificate). The path of a request says what happens to
it; GET /count answers with what was processed so far, and GET /lives how often each `id` came in, as JSON. It ends when its standard input does.
"""

import argparse
import collections
import heapq
import itertools
import json
import os
import select
import socket
import ssl
import sys
import threading
import time
import urllib.parse

import h2.config
import h2.connection
import h2.events
import h2.exceptions
from h2.settings import SettingCodes
from hyperframe import frame as frames

NO_ERROR, REFUSED, CALM = 0, 7, 11


class Count:
    """What all connections processed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ids = collections.Counter()
        self.seen = collections.Counter()
        self.connections = 0
        self.received = self.written = 0

    def process(self, name):
        with self.lock:
            self.ids[name] += 1

    def receive(self, size):
        with self.lock:
            self.received += size

    def write(self, size):
        with self.lock:
            self.written += size

    def see(self, name):
        """Notes that a request came in; how often it has."""
        with self.lock:
            self.seen[name] += 1
            return self.seen[name]

    def report(self):
        with self.lock:
            return {
                "processed": sum(self.ids.values()),
                "distinct": len(self.ids),
                "twice": sum(1 for times in self.ids.values() if times > 1),
                "seen": sum(self.seen.values()),
                "connections": self.connections,
                "received": self.received,
                "written": self.written,
            }


class Connection:
    def __init__(self, sock, options, count):
        self.sock, self.options, self.count = sock, options, count
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.requests = 0
        self.open = {}
        self.lines = {}
        self.goaway = False
        self.timers = []
        self.order = itertools.count()
        self.over = False

    # The loop.

    def run(self):
        self.h2.initiate_connection()
        self.h2.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: self.options.window})
        self.flush()
        if self.options.streams:
            # By hand, as h2 itself would end the connection instead of refusing a stream.
            self.raw(frames.SettingsFrame(0, {SettingCodes.MAX_CONCURRENT_STREAMS: self.options.streams}))
        try:
            while not self.over:
                self.wait()
        except (OSError, ssl.SSLError, h2.exceptions.ProtocolError) as error:
            print("connection:", repr(error), file=sys.stderr)
        finally:
            try:
                self.sock.close()
            except OSError:
                pass

    def wait(self):
        pause = max(0, self.timers[0][0] - time.monotonic()) if self.timers else None
        pending = getattr(self.sock, "pending", lambda: 0)()
        ready = pending or select.select([self.sock], [], [], pause)[0]
        while self.timers and self.timers[0][0] <= time.monotonic():
            heapq.heappop(self.timers)[2]()
        if ready and not self.over:
            data = self.sock.recv(65536)
            if not data:
                self.over = True
                return
            for event in self.h2.receive_data(data):
                self.handle(event)
        self.flush()

    def after(self, seconds, action):
        heapq.heappush(self.timers, (time.monotonic() + seconds, next(self.order), action))

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.sock.sendall(data)

    def raw(self, frame):
        self.flush()
        self.sock.sendall(frame.serialize())

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.request(event)
        elif isinstance(event, h2.events.DataReceived):
            self.data(event)
        elif isinstance(event, h2.events.StreamEnded):
            self.ended(event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.open.pop(event.stream_id, None)
            self.lines.pop(event.stream_id, None)
        elif isinstance(event, h2.events.WindowUpdated):
            self.gush()

    # Requests.

    def request(self, event):
        fields = dict(event.headers)
        path = urllib.parse.urlsplit(fields[":path"])
        query = dict(urllib.parse.parse_qsl(path.query))
        stream = event.stream_id
        name = query.get("id", "")
        if path.path == "/count":
            return self.answer(stream, json.dumps(self.count.report()).encode())
        if path.path == "/lives":
            return self.answer(stream, json.dumps(self.count.seen).encode())
        if self.goaway:
            return  # As nginx does: what comes after the last stream is not looked at.
        if self.options.streams and len(self.open) >= self.options.streams:
            return self.raw(frames.RstStreamFrame(stream, error_code=REFUSED))
        self.requests += 1
        self.open[stream] = (path.path, query, name, fields)
        times = self.count.see(name or path.path)
        action = getattr(self, "head_" + path.path[1:].replace("-", "_"), None)
        if action:
            action(stream, query, times)
        limit = self.options.requests
        if limit and self.requests >= limit and not self.goaway:
            self.say_goaway(stream)

    def data(self, event):
        path, query = self.open.get(event.stream_id, ("", {}, "", {}))[:2]
        if path in ("/stuck", "/deaf"):
            return
        if path == "/gush":
            self.count.receive(len(event.data))
        if path == "/talk":
            self.talk(event.stream_id, event.data, int(query.get("turns", 0)))
        if path == "/trickle":
            return
        if event.flow_controlled_length:
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)

    def ended(self, stream):
        if stream not in self.open:
            return
        path, query, name, fields = self.open[stream]
        action = getattr(self, "do_" + path[1:].replace("-", "_"), None)
        if action:
            return action(stream, query, name)
        if hasattr(self, "head_" + path[1:].replace("-", "_")) and path not in ("/trickle", "/stuck"):
            return
        self.count.process(name)
        if self.options.delay:
            return self.after(self.options.delay / 1000, lambda: self.answer(stream, b"ok"))
        self.answer(stream, b"ok")

    def answer(self, stream, body, fields=()):
        if self.over:
            return
        try:
            self.h2.send_headers(stream, [(":status", "200"), ("content-length", str(len(body))), *fields])
            for start in range(0, len(body), 1 << 14):
                self.h2.send_data(stream, body[start:start + (1 << 14)])
            self.h2.end_stream(stream)
        except h2.exceptions.ProtocolError:
            pass
        self.flush()
        self.finish(stream)

    def finish(self, stream):
        self.open.pop(stream, None)
        if self.goaway and not self.open:
            self.close()

    def close(self):
        self.flush()
        self.over = True
        # What the client still sends is read and forgotten, or a reset could overtake what it was told.
        try:
            self.sock.shutdown(socket.SHUT_WR)
            self.sock.settimeout(1)
            while self.sock.recv(65536):
                pass
        except OSError:
            pass

    def say_goaway(self, last, code=NO_ERROR):
        self.goaway = True
        self.raw(frames.GoAwayFrame(0, last_stream_id=last, error_code=code))
        for stream in [stream for stream in self.open if stream > last]:
            del self.open[stream]

    # What happens once the head of a request is in. None of these processes it.

    def head_goaway(self, stream, query, times):
        """GOAWAY below this stream, the first time; the request is not processed."""
        if times <= int(query.get("times", 1)):
            self.say_goaway(max(0, stream - 2), int(query.get("code", NO_ERROR)))
            if not self.open:
                self.close()

    def head_goaway0(self, stream, query, times):
        """GOAWAY(0), the first time, as of a server that has just begun to shut down."""
        if times <= int(query.get("times", 1)):
            self.say_goaway(0, int(query.get("code", NO_ERROR)))
            self.close()

    def head_refused(self, stream, query, times):
        if times <= int(query.get("times", 1)):
            self.open.pop(stream)
            self.raw(frames.RstStreamFrame(stream, error_code=int(query.get("code", REFUSED))))

    def head_trickle(self, stream, query, times):
        """Opens the window by `step` bytes every `every` seconds."""
        step, every = int(query.get("step", 8192)), float(query.get("every", 0.5))

        def more():
            if stream in self.open and not self.over:
                self.raw(frames.WindowUpdateFrame(stream, window_increment=step))
                self.raw(frames.WindowUpdateFrame(0, window_increment=step))
                # h2 keeps its own account, and would end the connection of a client that goes by these.
                self.h2._inbound_flow_control_window_manager.max_window_size += step
                self.h2._inbound_flow_control_window_manager.current_window_size += step
                manager = self.h2._get_stream_by_id(stream)._inbound_window_manager
                manager.max_window_size += step
                manager.current_window_size += step
                self.after(every, more)

        self.after(every, more)

    def head_stuck(self, stream, query, times):
        """Never opens the window."""

    def head_life(self, stream, query, times):
        """The nth arrival meets the nth end of `plan`; later ones are answered."""
        end = self.life(query, times)
        if end == "drop":
            self.close()
        elif end in ("goaway", "goaway0", "refused"):
            getattr(self, "head_" + end)(stream, {"times": times}, times)

    @staticmethod
    def life(query, times):
        plan = query["plan"].split(".") if "plan" in query else []
        return plan[times - 1] if times <= len(plan) else "ok"

    # Answers that begin before the request is complete.

    def head_talk(self, stream, query, times):
        """Answers each line, a number, with the next number; after `turns` of them it ends the answer."""
        self.lines[stream] = b""
        self.h2.send_headers(stream, [(":status", "200")])

    def talk(self, stream, data, turns):
        *lines, self.lines[stream] = (self.lines[stream] + data).split(b"\n")
        for line in lines:
            self.h2.send_data(stream, b"%d\n" % (int(line) + 1))
            if int(line) + 1 == turns:
                self.h2.end_stream(stream)
                return self.finish(stream)

    def head_deaf(self, stream, query, times):
        """Answers with one line, and never reads the request's body."""
        self.h2.send_headers(stream, [(":status", "200")])
        self.h2.send_data(stream, b"hello\n")

    def head_gush(self, stream, query, times):
        """Answers without an end, as fast as the client reads, and reads the request's body at the same time."""
        self.h2.send_headers(stream, [(":status", "200")])
        self.gush()

    def gush(self):
        """Writes what the windows and the socket take, as the connection is read on the same thread."""
        for stream in [stream for stream, request in self.open.items() if request[0] == "/gush"]:
            while (size := min(1 << 14, self.h2.local_flow_control_window(stream))) > 0:
                if not select.select([], [self.sock], [], 0)[1]:
                    return self.after(0.02, self.gush)
                self.h2.send_data(stream, bytes(size))
                self.flush()
                self.count.write(size)

    def head_early(self, stream, query, times):
        """A whole answer with `status`, as soon as the head is in; with `reset`, RST_STREAM(NO_ERROR) after it."""
        self.h2.send_headers(stream, [(":status", query.get("status", "200"))])
        self.h2.send_data(stream, b"early", end_stream=True)
        self.flush()
        if "reset" in query:
            self.h2.reset_stream(stream, NO_ERROR)
        self.finish(stream)

    # What happens once a request is complete.

    def do_talk(self, stream, query, name):
        self.h2.send_headers(stream, [("x-end", "over")], end_stream=True)
        self.finish(stream)

    def do_gush(self, stream, query, name):
        """Continues."""

    def do_life(self, stream, query, name):
        end = self.life(query, self.count.seen[name])
        if end == "ok":
            self.count.process(name)
            self.answer(stream, b"ok")
        elif end in ("processed-goaway", "close", "reset-head", "reset"):
            getattr(self, "do_" + end.replace("-", "_"))(stream, {"after": 0}, name)

    def do_goaway(self, stream, query, name):
        self.count.process(name)
        self.answer(stream, b"ok")

    do_goaway0 = do_refused = do_goaway

    def do_processed_goaway(self, stream, query, name):
        """Processes the request, says so by GOAWAY, and closes without an answer."""
        self.count.process(name)
        self.say_goaway(stream)
        self.close()

    def do_close(self, stream, query, name):
        self.count.process(name)
        self.close()

    def do_finish(self, stream, query, name):
        """GOAWAY at this stream, whose answer comes later."""
        self.count.process(name)
        self.say_goaway(stream)
        self.after(0.2, lambda: self.answer(stream, b"ok"))

    def do_garbage(self, stream, query, name):
        """Processes the request and then breaks the protocol."""
        self.count.process(name)
        self.flush()
        # A SETTINGS frame of 5 bytes (RFC 9113 section 6.5).
        self.sock.sendall(b"\x00\x00\x05\x04\x00\x00\x00\x00\x00" + b"12345")

    def do_reset(self, stream, query, name):
        """Some of a body, and then RST_STREAM."""
        self.count.process(name)
        fields = [(":status", "200")]
        if "length" in query:
            fields.append(("content-length", query["length"]))
        self.h2.send_headers(stream, fields)
        self.h2.send_data(stream, b"half")
        self.flush()
        reset = frames.RstStreamFrame(stream, error_code=int(query.get("code", NO_ERROR)))
        self.open.pop(stream)
        self.after(float(query.get("after", 0.05)), lambda: self.raw(reset))

    def do_reset_head(self, stream, query, name):
        """RST_STREAM in place of a response."""
        self.count.process(name)
        self.open.pop(stream)
        self.raw(frames.RstStreamFrame(stream, error_code=int(query.get("code", NO_ERROR))))

    def do_interim(self, stream, query, name):
        self.count.process(name)
        for _ in range(int(query.get("count", 1))):
            self.h2.send_headers(stream, [(":status", query.get("status", "103")), ("link", "</style.css>; rel=preload")])
        self.flush()
        self.answer(stream, b"ok")

    def do_trailers(self, stream, query, name):
        self.count.process(name)
        self.h2.send_headers(stream, [(":status", "200")])
        self.h2.send_data(stream, b"body")
        self.h2.send_headers(stream, [("x-checksum", "230d8358"), ("server-timing", "db;dur=5")], end_stream=True)
        self.finish(stream)

    def do_fields(self, stream, query, name):
        """Many fields."""
        self.count.process(name)
        size = int(query.get("size", 100))
        many = [(f"x-{number}", "v" * size) for number in range(int(query.get("count", 1)))]
        try:
            self.answer(stream, b"ok", many)
        except OSError:
            self.over = True


def serve(listener, context, options, count):
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=converse, args=(sock, context, options, count), daemon=True).start()


def converse(sock, context, options, count):
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        if context:
            sock = context.wrap_socket(sock, server_side=True)
    except (OSError, ssl.SSLError):
        return sock.close()
    with count.lock:
        count.connections += 1
    if context and sock.selected_alpn_protocol() != "h2":
        return answer_once(sock, count)
    Connection(sock, options, count).run()


def answer_once(sock, count):
    """HTTP/1.1: answers one request and closes the connection without having said so."""
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            piece = sock.recv(65536)
            if not piece:
                return
            data += piece
        count.process(data.split(b" ")[1].decode().partition("id=")[2])
        # A body comes with the head here, or right after it.
        if b"content-length" in data.lower() and data.endswith(b"\r\n\r\n"):
            sock.recv(65536)
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        # Lets the answer arrive by itself.
        time.sleep(0.02)
        sock.unwrap() if hash(data) % 2 else None
    except (OSError, ssl.SSLError):
        pass
    finally:
        sock.close()


def listen():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(512)
    return listener


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--requests", type=int, default=0, help="a connection takes, before GOAWAY")
    parser.add_argument("--streams", type=int, default=0, help="SETTINGS_MAX_CONCURRENT_STREAMS")
    parser.add_argument("--window", type=int, default=65535, help="SETTINGS_INITIAL_WINDOW_SIZE")
    parser.add_argument("--delay", type=float, default=0, help="milliseconds before an answer")
    options = parser.parse_args()
    count = Count()
    plain, secure = listen(), None
    threading.Thread(target=serve, args=(plain, None, options, count), daemon=True).start()
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        context.set_alpn_protocols(["h2", "http/1.1"])
        secure = listen()
        threading.Thread(target=serve, args=(secure, context, options, count), daemon=True).start()
    print(plain.getsockname()[1], secure.getsockname()[1] if secure else 0, flush=True)
    while os.read(0, 4096):
        pass


main()
