"""Reads every upload to its end, drops it, and answers 204 with Received-Bytes.

nginx cannot do that: `return 204` answers before the body is there, and WebDAV
stores it. Run with the path of the unix-domain socket that nginx passes to.
"""

import http.server
import socketserver
import sys


class Sink(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        received = 0
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline().split(b";")[0], 16):
                received += self.drop(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
        else:
            received = self.drop(int(self.headers.get("Content-Length", 0)))
        self.send_response_only(204)
        self.send_header("Received-Bytes", str(received))
        self.end_headers()

    do_POST = do_PUT

    def drop(self, size):
        left = size
        while left and (count := self.rfile.readinto1(self.server.scratch[:left])):
            left -= count
        return size - left


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 1024
    scratch = memoryview(bytearray(262144))


Server(sys.argv[1], Sink).serve_forever()
