"""Answers one request of each TLS connection with a kilobyte, and closes it. Prints its port.

Arguments: a certificate and a key in PEM.
"""
import socket
import ssl
import sys
import threading

BODY = b"g" * 1024
ANSWER = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


def serve(context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as tls:
            text = b""
            while b"\r\n\r\n" not in text:
                piece = tls.recv(4096)
                if not piece:
                    return
                text += piece
            tls.sendall(ANSWER)
    except OSError:
        pass


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(context, connection), daemon=True).start()


main()
