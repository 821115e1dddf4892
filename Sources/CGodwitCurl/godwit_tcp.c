// The kernel's figures of a connection. In older systems the structure of <netinet/tcp.h> ends before the counters, so the
// kernel's own is used; a kernel that fills in less leaves zeros.

#define _GNU_SOURCE
#include "godwit_curl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// States of RFC 9293 in the kernel's numbers: the peer's end of stream has arrived.
enum { state_close = 7, state_close_wait = 8, state_last_ack = 9, state_closing = 11 };

static int get_info(int descriptor, struct tcp_info *info) {
    socklen_t size = sizeof *info;
    memset(info, 0, sizeof *info);
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &size) == 0 ? 0 : errno;
}

int godwit_get_local_port(int descriptor) {
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    if (getsockname(descriptor, (struct sockaddr *)&name, &size) != 0) return 0;
    switch (name.ss_family) {
    case AF_INET: return ntohs(((struct sockaddr_in *)&name)->sin_port);
    case AF_INET6: return ntohs(((struct sockaddr_in6 *)&name)->sin6_port);
    default: return 0;
    }
}

// After a reset the state is lost. A reset that follows the peer's end of stream leaves EPIPE, which reading doesn't clear; any
// other leaves ECONNRESET.
static int has_ended(int descriptor, const struct tcp_info *info) {
    switch (info->tcpi_state) {
    case state_close_wait:
    case state_last_ack:
    case state_closing: return 1;
    case state_close: break;
    default: return 0;
    }
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == EPIPE;
}

int godwit_get_connection_end(int descriptor, godwit_connection_end *end) {
    struct tcp_info info;
    int error = get_info(descriptor, &info);
    if (error) return error;
    uint64_t sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
    end->is_ended_by_peer = has_ended(descriptor, &info);
    end->is_reset = info.tcpi_state == state_close && !end->is_ended_by_peer;
    end->unacknowledged = sent > info.tcpi_bytes_acked ? sent - info.tcpi_bytes_acked : 0;
    end->local_port = godwit_get_local_port(descriptor);
    return 0;
}

int godwit_get_connection_progress(int descriptor, godwit_connection_progress *progress) {
    struct tcp_info info;
    int error = get_info(descriptor, &info);
    if (error) return error;
    uint64_t sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
    progress->acknowledged = info.tcpi_bytes_acked;
    progress->queued = sent > info.tcpi_bytes_acked ? sent - info.tcpi_bytes_acked : 0;
    progress->received = info.tcpi_bytes_received;
    progress->milliseconds_since_receipt = info.tcpi_last_data_recv;
    return 0;
}
