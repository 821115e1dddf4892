// Sockets of kept connections: options, and the kernel's figures.

#ifndef GODWIT_SOCKET_H
#define GODWIT_SOCKET_H

#include <curl/curl.h>
#include <stdint.h>
#include <sys/types.h>

/// Probing of TCP connections; 0 keeps the system's value.
typedef struct {
    /// Seconds of silence before the first probe, and between probes.
    int idle_seconds;
    int interval_seconds;
    int probes;
    /// Milliseconds that sent bytes may stay unacknowledged (RFC 5482).
    unsigned int unacknowledged_milliseconds;
} godwit_probing;

/// Sets the options of a TCP socket; does nothing to others.
void godwit_set_probing(int descriptor, const godwit_probing *probing);

/// Whether the peer closed its side, or the connection failed.
int godwit_has_hung_up(int descriptor);

/// Discards what has arrived and shuts down both directions, so that libcurl finds the connection closed.
void godwit_end_connection(int descriptor);

/// Milliseconds since data last arrived, or since the connection was made; -1 if unknown.
int64_t godwit_silence(int descriptor);

/// The socket's local port; 0 for a Unix domain socket, -1 if unknown.
int godwit_local_port(int descriptor);

/// Whether a handle's transfer runs on this socket, by the addresses of both ends.
///
/// With `is_raced`, libcurl may know another peer than the socket's.
int godwit_runs_on(CURL *easy, int descriptor, int is_raced);

/// Writes the address of a socket's peer, and returns its port; 0 if it has none.
int godwit_peer_of(int descriptor, char *text, size_t size);

/// Whether the socket's own address is still one of this machine's.
int godwit_has_local_address(int descriptor);

/// Whether the process or the system has no descriptor left.
int godwit_lacks_descriptors(void);

/// Has libcurl drop connections this many seconds old when it looks for one; libcurl older than 7.80 never does.
void godwit_limit_lifetime(CURL *easy, long seconds);

/// Whether the connection of a transfer in progress agreed on HTTP/2 during its TLS handshake.
int godwit_agreed_on_http2(CURL *easy);

/// Sends or receives what is possible without waiting: the number of bytes, or an `errno` below zero.
ssize_t godwit_send(int descriptor, const void *bytes, size_t count);
ssize_t godwit_receive(int descriptor, void *bytes, size_t count);

extern const uint32_t godwit_epoll_closed;

#endif
