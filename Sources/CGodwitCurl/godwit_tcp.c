#ifdef __linux__
// The kernel's figures of a connection. In older systems the structure of <netinet/tcp.h> ends before the counters, so the
// kernel's own is used; a kernel that fills in less leaves zeros.

#define _GNU_SOURCE
#include "godwit_curl.h"

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

// After a reset the state is lost. A reset that follows the peer's end of stream leaves EPIPE, which reading doesn't clear; any
// other leaves ECONNRESET.
static godwit_peer_end end_of(int descriptor, const struct tcp_info *info) {
    switch (info->tcpi_state) {
    case state_close_wait:
    case state_last_ack:
    case state_closing: return godwit_end_of_stream;
    case state_close: break;
    default: return godwit_end_other;
    }
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)) return godwit_end_other;
    if (error == 0) return godwit_end_untold;
    return error == EPIPE ? godwit_end_of_stream : godwit_end_other;
}

// The bytes that were sent, or wait to be sent, and are not acknowledged.
static uint64_t unacknowledged(const struct tcp_info *info) {
    uint64_t sent = info->tcpi_bytes_sent - info->tcpi_bytes_retrans + info->tcpi_notsent_bytes;
    return sent > info->tcpi_bytes_acked ? sent - info->tcpi_bytes_acked : 0;
}

int64_t godwit_silence(int descriptor) {
    struct tcp_info info;
    return get_info(descriptor, &info) == 0 ? info.tcpi_last_data_recv : -1;
}

int godwit_get_connection_end(int descriptor, godwit_connection_end *end) {
    struct tcp_info info;
    int error = get_info(descriptor, &info);
    if (error) return error;
    end->end = end_of(descriptor, &info);
    end->unacknowledged = unacknowledged(&info);
    end->local_port = godwit_local_port(descriptor);
    return 0;
}

int godwit_get_connection_progress(int descriptor, godwit_connection_progress *progress) {
    struct tcp_info info;
    int error = get_info(descriptor, &info);
    if (error) return error;
    progress->acknowledged = info.tcpi_bytes_acked;
    progress->queued = unacknowledged(&info);
    progress->received = info.tcpi_bytes_received;
    progress->milliseconds_since_receipt = info.tcpi_last_data_recv;
    return 0;
}
#endif
