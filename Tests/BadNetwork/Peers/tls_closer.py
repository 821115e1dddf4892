"""A TLS server for HTTP/1.1 that closes each connection shortly after its answer.

Usage: tls_closer.py CERTIFICATE KEY close|notify

`close` sends close_notify and closes the socket; `notify` sends close_notify and keeps the socket open.
Prints its port, then "closed" for each connection.
"""
import socket
import ssl
import sys
import threading
import time

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
manner = sys.argv[3]
listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
kept = []


def serve(raw):
    connection = context.wrap_socket(raw, server_side=True)
    received = b""
    while b"\r\n\r\n" not in received or (b"content-length: 7" in received.lower() and not received.endswith(b"content")):
        piece = connection.recv(65536)
        if not piece:
            return
        received += piece
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    time.sleep(0.1)
    connection.settimeout(0.05)
    try:
        raw = connection.unwrap()
    except (OSError, ssl.SSLError):
        pass
    if manner == "close":
        raw.close()
        connection.close()
    else:
        kept.append((raw, connection))
    time.sleep(0.05)
    print("closed", flush=True)


while True:
    client, _ = listener.accept()
    threading.Thread(target=serve, args=(client,), daemon=True).start()
