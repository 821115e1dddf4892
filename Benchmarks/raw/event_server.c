// Answers every request with server-sent events without end, as fast as the
// client reads: each event a chunk of its own, or with the path /blocks some
// hundred events in a chunk. One thread for each connection. Prints its port.
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { block_size = 64 << 10 };

static const char head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
static const char event[] = "id: 1234567\ndata: {\"n\":12}\n\n";

static char single[block_size], many[block_size + 16];
static size_t single_length, many_length;

static _Noreturn void die(const char *reason) {
    perror(reason);
    exit(1);
}

static void make_blocks(void) {
    size_t length = sizeof event - 1;
    while (single_length + length + 16 < block_size)
        single_length += sprintf(single + single_length, "%zx\r\n%s\r\n", length, event);
    size_t count = block_size / length;
    many_length = sprintf(many, "%zx\r\n", count * length);
    for (size_t index = 0; index < count; index++) {
        memcpy(many + many_length, event, length);
        many_length += length;
    }
    memcpy(many + many_length, "\r\n", 2);
    many_length += 2;
}

static bool send_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(file, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes += sent;
        length -= sent;
    }
    return true;
}

static void *serve(void *argument) {
    int file = (int)(long)argument;
    char request[4096];
    size_t length = 0;
    ssize_t count;
    // Zeroed, so that what was read is a string.
    memset(request, 0, sizeof request);
    while (strstr(request, "\r\n\r\n") == NULL && length < sizeof request - 1 &&
           (count = recv(file, request + length, sizeof request - 1 - length, 0)) > 0)
        length += count;
    bool blocks = strncmp(request, "GET /blocks", 11) == 0;
    if (send_all(file, head, sizeof head - 1))
        while (send_all(file, blocks ? many : single, blocks ? many_length : single_length)) {}
    close(file);
    return NULL;
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    make_blocks();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0) die("bind");
    if (listen(listener, 64) != 0) die("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) die("getsockname");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    while (true) {
        int file = accept(listener, NULL, NULL);
        pthread_t thread;
        if (file < 0) continue;
        if (pthread_create(&thread, NULL, serve, (void *)(long)file) != 0) die("pthread_create");
        pthread_detach(thread);
    }
}
