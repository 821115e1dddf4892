"""Answers one request per TLS connection with how its session began: "full" or "resumed".

Arguments: a certificate and a key in PEM. Prints its port, and serves until its standard input ends.
"""
import socket
import ssl
import sys
import threading


def serve(context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as tls:
            text = b""
            while b"\r\n\r\n" not in text:
                piece = tls.recv(4096)
                if not piece:
                    return
                text += piece
            body = b"resumed" if tls.session_reused else b"full"
            tls.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    except OSError:
        pass


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    if len(sys.argv) > 3:
        context.maximum_version = ssl.TLSVersion[sys.argv[3]]
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(context, listener), daemon=True).start()
    sys.stdin.read()


def accept(context, listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(context, connection), daemon=True).start()


main()
