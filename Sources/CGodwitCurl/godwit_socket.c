#ifdef __linux__
#define _GNU_SOURCE
#include "godwit_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

const uint32_t godwit_epoll_closed = EPOLLRDHUP;

enum { most_discarded = 64 };

static void set(int descriptor, int level, int option, int value) {
    if (value > 0) setsockopt(descriptor, level, option, &value, sizeof value);
}

void godwit_set_probing(int descriptor, const godwit_probing *probing) {
    set(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)probing->unacknowledged_milliseconds);
    if (probing->idle_seconds <= 0) return;
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, probing->idle_seconds);
    set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, probing->interval_seconds);
    set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, probing->probes);
}

ssize_t godwit_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent;
    do sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL); while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

ssize_t godwit_receive(int descriptor, void *bytes, size_t count) {
    ssize_t received;
    do received = recv(descriptor, bytes, count, MSG_DONTWAIT); while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

int godwit_has_hung_up(int descriptor) {
    struct pollfd polled = {.fd = descriptor, .events = POLLRDHUP};
    return poll(&polled, 1, 0) > 0;
}

void godwit_end_connection(int descriptor) {
    char bytes[16 << 10];
    // Unread bytes would make libcurl believe that the connection is alive. A peer that keeps sending is cut off.
    for (int count = 0; count < most_discarded; count++) {
        if (recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) break;
    }
    shutdown(descriptor, SHUT_RDWR);
}

// The port of an address, and its text; 0 for families without ports.
static int read_address(const struct sockaddr_storage *address, char *text, socklen_t size) {
    text[0] = 0;
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *name = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &name->sin_addr, text, size);
        return ntohs(name->sin_port);
    }
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *name = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &name->sin6_addr, text, size);
        return ntohs(name->sin6_port);
    }
    return 0;
}

int godwit_local_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char text[INET6_ADDRSTRLEN];
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return -1;
    return read_address(&address, text, sizeof text);
}

int godwit_peer_of(int descriptor, char *text, size_t size) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
    return read_address(&address, text, size);
}

int godwit_runs_on(CURL *easy, int descriptor, int is_raced) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char text[INET6_ADDRSTRLEN];
    long port = 0;
    char *peer = NULL;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
    curl_easy_getinfo(easy, CURLINFO_LOCAL_PORT, &port);
    if (read_address(&address, text, sizeof text) != port) return 0;
    // Every connection of a unix-domain socket looks alike.
    if (address.ss_family == AF_UNIX) return 1;
    size = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
    curl_easy_getinfo(easy, CURLINFO_PRIMARY_PORT, &port);
    if (read_address(&address, text, sizeof text) != port) return 0;
    if (is_raced) return 1;
    curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &peer);
    return peer && strcmp(peer, text) == 0;
}

int godwit_has_local_address(int descriptor) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return 1;
    if (address.ss_family == AF_INET) {
        ((struct sockaddr_in *)&address)->sin_port = 0;
    } else if (address.ss_family == AF_INET6) {
        ((struct sockaddr_in6 *)&address)->sin6_port = 0;
    } else {
        return 1;
    }
    int probe = socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return 1;
    int is_gone = bind(probe, (struct sockaddr *)&address, size) != 0 && errno == EADDRNOTAVAIL;
    close(probe);
    return !is_gone;
}

int godwit_lacks_descriptors(void) {
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return errno == EMFILE || errno == ENFILE;
    close(probe);
    return 0;
}

void godwit_limit_lifetime(CURL *easy, long seconds) {
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(easy, CURLOPT_MAXLIFETIME_CONN, seconds);
#else
    (void)easy;
    (void)seconds;
#endif
}

void *godwit_ssl_of(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return NULL;
    return session && session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

int godwit_agreed_on_http2(CURL *easy) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    SSL *ssl = godwit_ssl_of(easy);
    if (ssl) SSL_get0_alpn_selected(ssl, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
}
#endif
