// What the raw libcurl programs share: the command line, one reusable transfer,
// and the measurement with its line of JSON.
#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct options {
    const char *url;
    long count;
    int in_flight;
    bool http2;
    bool http3;
    const char *ca_file; // NULL: the system's
};

// Reads URL COUNT INFLIGHT [--http2 | --http3] [--cacert FILE], or prints the usage of
// `program` and exits with status 2. Also makes libcurl ready.
struct options read_options(int argc, char **argv, const char *program);

// How many requests to send before measuring: a tenth of `count`, from one per
// handle to 2,000.
long warm_up_count(const struct options *options);

// What a run adds up.
struct totals {
    long started;
    long finished;
    long errors;
    long long bytes;
};

// One easy handle, used again and again, with the buffer its bodies go to.
struct transfer {
    CURL *easy;
    char *body;
    size_t length;
    size_t capacity;
};

// Sets everything that does not change from one request to the next.
void open_transfer(struct transfer *transfer, const struct options *options);

// The same for each of `options->in_flight` transfers.
struct transfer *open_transfers(const struct options *options);

// Counts a finished request and empties the body buffer for the next.
void finish_transfer(struct transfer *transfer, CURLcode result, struct totals *totals);

// Takes every finished transfer out of `multi`; each is added again until
// `count` requests were started.
void refill(CURLM *multi, long count, struct totals *totals);

struct measurement {
    double seconds;
    double cpu_seconds;
};

// Wall clock and CPU time (user and system, every thread) so far.
struct measurement now(void);

// Prints what the program did since `start` as one line of JSON.
void report(const char *name, struct measurement start, const struct totals *totals);

// A line of VmHWM or VmRSS in /proc/self/status, in KiB.
long memory_kb(const char *field);

// Prints why, and ends the program.
_Noreturn void die(const char *reason);
