// Answers every request with a chunked response that does not end: one small
// chunk at once, one more every five seconds and at every SIGUSR1, until the
// client closes. Holds 12,000 connections. Prints its port; ends on SIGTERM.
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { most_connections = 12000, most_files = most_connections + 100 };

static const char head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
static const char chunk[] = "9\r\n{\"tick\":1\r\n2\r\n}\n\r\n";

// By file descriptor: how many bytes of the request head's end were seen, and
// whether the response began.
static struct {
    unsigned char matched;
    bool is_streaming;
} connections[most_files];

static int highest = 0;

static _Noreturn void die(const char *reason) {
    perror(reason);
    exit(1);
}

static void watch(int poller, int file) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = file};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, file, &event) != 0) die("epoll_ctl");
}

static int open_listener(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0) die("bind");
    if (listen(listener, 4096) != 0) die("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) die("getsockname");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static int open_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int open_timer(void) {
    struct itimerspec every = {.it_interval.tv_sec = 5, .it_value.tv_sec = 5};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    timerfd_settime(timer, 0, &every, NULL);
    return timer;
}

static void accept_all(int poller, int listener) {
    int file;
    while ((file = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (file >= most_files) {
            close(file);
            continue;
        }
        connections[file].matched = 0;
        connections[file].is_streaming = false;
        if (file > highest) highest = file;
        watch(poller, file);
    }
}

static void close_connection(int file) {
    connections[file].is_streaming = false;
    close(file);
}

// A reader so slow that its socket is full misses a chunk; part of one sent
// would corrupt the stream, so that ends the connection.
static void send_chunk(int file) {
    ssize_t sent = send(file, chunk, sizeof chunk - 1, MSG_NOSIGNAL);
    if (sent > 0 && sent < (ssize_t)sizeof chunk - 1) close_connection(file);
}

static void send_chunks(void) {
    for (int file = 0; file <= highest; file++) {
        if (connections[file].is_streaming) send_chunk(file);
    }
}

static void receive(int file) {
    static const char end[] = "\r\n\r\n";
    char bytes[4096];
    ssize_t count = recv(file, bytes, sizeof bytes, 0);
    if (count <= 0) {
        close_connection(file);
        return;
    }
    for (ssize_t index = 0; index < count && !connections[file].is_streaming; index++) {
        unsigned char matched = connections[file].matched;
        connections[file].matched = bytes[index] == end[matched] ? matched + 1 : bytes[index] == '\r';
        if (connections[file].matched == 4) {
            connections[file].is_streaming = true;
            send(file, head, sizeof head - 1, MSG_NOSIGNAL | MSG_MORE);
            send_chunk(file);
        }
    }
}

int main(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_max != RLIM_INFINITY && files.rlim_max < most_files)
        fprintf(stderr, "stream_server: only %ld open files are allowed\n", (long)files.rlim_max);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    int poller = epoll_create1(EPOLL_CLOEXEC), signals = open_signals(), timer = open_timer();
    int listener = open_listener();
    watch(poller, listener);
    watch(poller, signals);
    watch(poller, timer);
    while (true) {
        struct epoll_event events[256];
        int count = epoll_wait(poller, events, 256, -1);
        for (int index = 0; index < count; index++) {
            int file = events[index].data.fd;
            char drained[sizeof(struct signalfd_siginfo)];
            if (file == listener) {
                accept_all(poller, listener);
            } else if (file == signals || file == timer) {
                if (read(file, drained, sizeof drained) > 0) send_chunks();
            } else {
                receive(file);
            }
        }
    }
}
