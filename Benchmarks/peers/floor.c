// The least that a client of HTTP/1.1 can do on Linux: one thread, epoll, one write and one read for each request, and of the
// response nothing but the status and Content-Length. floor URL COUNT INFLIGHT; prints one line of JSON, as the other programs.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { buffer_size = 64 << 10, batch = 64 };

struct connection {
    int descriptor;
    size_t length;
    char buffer[buffer_size];
};

struct totals {
    long started, finished;
    long long bytes;
};

static char request[1024];
static size_t request_length;
static struct sockaddr_in server = {.sin_family = AF_INET};

static _Noreturn void die(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

static void read_url(const char *url) {
    char host[64], path[512];
    int port = 80;
    if (sscanf(url, "http://%63[^:/]:%d%511s", host, &port, path) != 3) die("floor: a URL like http://127.0.0.1:80/path");
    server.sin_port = htons((uint16_t)port);
    if (inet_pton(AF_INET, host, &server.sin_addr) != 1) die("floor: an address, not a name");
    int length = snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s:%d\r\nAccept: */*\r\nUser-Agent: floor\r\n\r\n", path, host, port);
    request_length = (size_t)length;
}

static void open_connection(struct connection *connection, int epoll) {
    int yes = 1;
    connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection->descriptor, (struct sockaddr *)&server, sizeof server) != 0) die("floor: cannot connect");
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) die("floor: epoll refused a connection");
}

static void start(struct connection *connection, struct totals *totals) {
    totals->started++;
    connection->length = 0;
    if (send(connection->descriptor, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length) {
        die("floor: cannot send");
    }
}

// The length of the body once all of the response has arrived; -1 before.
static long complete_body(struct connection *connection) {
    connection->buffer[connection->length] = 0;
    char *end = strstr(connection->buffer, "\r\n\r\n");
    if (!end) return -1;
    char *field = strcasestr(connection->buffer, "\r\ncontent-length:");
    if (strncmp(connection->buffer, "HTTP/1.1 200", 12) != 0 || !field || field > end) die("floor: another response");
    long length = atol(field + 17);
    size_t head = (size_t)(end - connection->buffer) + 4;
    return connection->length >= head + (size_t)length ? length : -1;
}

static void serve(struct connection *connection, struct totals *totals, long count) {
    size_t room = buffer_size - 1 - connection->length;
    ssize_t received = recv(connection->descriptor, connection->buffer + connection->length, room, 0);
    if (received <= 0) die("floor: the connection ended");
    connection->length += (size_t)received;
    long length = complete_body(connection);
    if (length < 0) return;
    totals->finished++;
    totals->bytes += length;
    if (totals->started < count) start(connection, totals);
}

static struct totals run(struct connection *connections, int epoll, long count, int in_flight) {
    struct totals totals = {0};
    struct epoll_event events[batch];
    for (int index = 0; index < in_flight && totals.started < count; index++) start(&connections[index], &totals);
    while (totals.finished < count) {
        int ready = epoll_wait(epoll, events, batch, -1);
        for (int index = 0; index < ready; index++) serve(events[index].data.ptr, &totals, count);
    }
    return totals;
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double cpu_seconds(struct rusage *usage) {
    getrusage(RUSAGE_SELF, usage);
    return seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime);
}

static double wall_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 4) die("Usage: floor URL COUNT INFLIGHT");
    long count = atol(argv[2]);
    int in_flight = atoi(argv[3]);
    if (count < 1 || in_flight < 1) die("floor: COUNT and INFLIGHT are positive");
    read_url(argv[1]);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = calloc((size_t)in_flight, sizeof *connections);
    if (!connections || epoll < 0) die("floor: out of memory");
    for (int index = 0; index < in_flight; index++) open_connection(&connections[index], epoll);
    long warm_up = count / 10 > 2000 ? 2000 : count / 10;
    run(connections, epoll, warm_up < in_flight ? in_flight : warm_up, in_flight);
    struct rusage usage;
    double cpu = cpu_seconds(&usage), begin = wall_seconds();
    struct totals totals = run(connections, epoll, count, in_flight);
    double seconds = wall_seconds() - begin;
    cpu = cpu_seconds(&usage) - cpu;
    printf(
        "{\"name\":\"floor\",\"requests\":%ld,\"seconds\":%f,\"requests_per_second\":%f,"
        "\"cpu_microseconds_per_request\":%f,\"bytes\":%lld,\"peak_rss_kb\":%ld,\"errors\":0}\n",
        totals.finished, seconds, (double)totals.finished / seconds, cpu * 1e6 / (double)totals.finished, totals.bytes,
        usage.ru_maxrss);
    return 0;
}
