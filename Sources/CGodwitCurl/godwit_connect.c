#ifdef __linux__
// Sockets that race those that libcurl opens (RFC 8305).

#define _GNU_SOURCE
#include "godwit_curl.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

// The options that may have been set on the other socket.
static void copy_options(int from, int to) {
    static const struct { int level, name; } options[] = {
        {SOL_SOCKET, SO_KEEPALIVE},  {IPPROTO_TCP, TCP_NODELAY},   {IPPROTO_TCP, TCP_KEEPIDLE},
        {IPPROTO_TCP, TCP_KEEPINTVL}, {IPPROTO_TCP, TCP_KEEPCNT}, {IPPROTO_TCP, TCP_USER_TIMEOUT},
    };
    for (size_t index = 0; index < sizeof options / sizeof *options; index++) {
        int value = 0;
        socklen_t size = sizeof value;
        if (getsockopt(from, options[index].level, options[index].name, &value, &size) != 0 || value == 0) continue;
        setsockopt(to, options[index].level, options[index].name, &value, size);
    }
}

int godwit_connect(const struct sockaddr *address, socklen_t size, int like) {
    int descriptor = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
    if (descriptor < 0) return -1;
    copy_options(like, descriptor);
    if (connect(descriptor, address, size) == 0 || errno == EINPROGRESS) return descriptor;
    close(descriptor);
    return -1;
}

int godwit_is_connected(int descriptor) {
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    return getpeername(descriptor, (struct sockaddr *)&peer, &size) == 0;
}

int godwit_replace_socket(int winner, int loser) {
    int is_replaced = dup3(winner, loser, O_CLOEXEC) == loser;
    close(winner);
    return is_replaced;
}
#endif
