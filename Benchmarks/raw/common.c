#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

void die(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

struct options read_options(int argc, char **argv, const char *program) {
    struct options options = {0};
    const char *positional[3];
    int positions = 0;
    bool valid = true;
    for (int index = 1; index < argc; index++) {
        if (strcmp(argv[index], "--http2") == 0) options.http2 = true;
        else if (strcmp(argv[index], "--http3") == 0) options.http3 = true;
        else if (strcmp(argv[index], "--cacert") == 0 && index + 1 < argc) options.ca_file = argv[++index];
        else if (argv[index][0] != '-' && positions < 3) positional[positions++] = argv[index];
        else valid = false;
    }
    if (valid && positions == 3) {
        options.url = positional[0];
        options.count = atol(positional[1]);
        options.in_flight = atoi(positional[2]);
    }
    if (options.count < 1 || options.in_flight < 1) {
        fprintf(stderr, "Usage: %s URL COUNT INFLIGHT [--http2 | --http3] [--cacert FILE]\n", program);
        exit(2);
    }
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) die("libcurl does not start");
    return options;
}

long warm_up_count(const struct options *options) {
    long count = options->count / 10;
    if (count > 2000) count = 2000;
    return count < options->in_flight ? options->in_flight : count;
}

static size_t append_body(char *data, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t added = size * count;
    if (transfer->length + added > transfer->capacity) {
        size_t capacity = transfer->capacity * 2;
        if (capacity < transfer->length + added) capacity = transfer->length + added;
        char *body = realloc(transfer->body, capacity);
        if (!body) return 0;
        transfer->body = body;
        transfer->capacity = capacity;
    }
    memcpy(transfer->body + transfer->length, data, added);
    transfer->length += added;
    return added;
}

void open_transfer(struct transfer *transfer, const struct options *options) {
    CURL *easy = curl_easy_init();
    if (!easy) die("libcurl gives no handle");
    *transfer = (struct transfer){.easy = easy};
    curl_easy_setopt(easy, CURLOPT_URL, options->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    if (options->http2 || options->http3) {
        long version = options->http3 ? (long)CURL_HTTP_VERSION_3ONLY : (long)CURL_HTTP_VERSION_2TLS;
        if (curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version) != CURLE_OK) die("libcurl has no such HTTP version");
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    } else {
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    }
    if (options->ca_file) curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
}

struct transfer *open_transfers(const struct options *options) {
    struct transfer *transfers = calloc((size_t)options->in_flight, sizeof *transfers);
    if (!transfers) die("out of memory");
    for (int index = 0; index < options->in_flight; index++) open_transfer(&transfers[index], options);
    return transfers;
}

void finish_transfer(struct transfer *transfer, CURLcode result, struct totals *totals) {
    long status = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK || status != 200) totals->errors++;
    totals->finished++;
    totals->bytes += (long long)transfer->length;
    transfer->length = 0;
}

void refill(CURLM *multi, long count, struct totals *totals) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
        struct transfer *transfer;
        CURL *easy = message->easy_handle;
        CURLcode result = message->data.result;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
        curl_multi_remove_handle(multi, easy);
        finish_transfer(transfer, result, totals);
        if (totals->started < count) {
            totals->started++;
            curl_multi_add_handle(multi, easy);
        }
    }
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

struct measurement now(void) {
    struct timespec wall;
    struct rusage usage;
    clock_gettime(CLOCK_MONOTONIC, &wall);
    getrusage(RUSAGE_SELF, &usage);
    return (struct measurement){
        .seconds = (double)wall.tv_sec + (double)wall.tv_nsec / 1e9,
        .cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
    };
}

long memory_kb(const char *field) {
    char line[256];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return 0;
    while (fgets(line, sizeof line, status)) {
        if (strncmp(line, field, strlen(field)) == 0) kilobytes = atol(line + strlen(field) + 1);
    }
    fclose(status);
    return kilobytes;
}

void report(const char *name, struct measurement start, const struct totals *totals) {
    struct measurement end = now();
    double seconds = end.seconds - start.seconds;
    printf(
        "{\"name\":\"%s\",\"requests\":%ld,\"seconds\":%.6f,\"requests_per_second\":%.1f,"
        "\"cpu_microseconds_per_request\":%.3f,\"bytes\":%lld,\"peak_rss_kb\":%ld,\"errors\":%ld}\n",
        name, totals->finished, seconds, (double)totals->finished / seconds,
        (end.cpu_seconds - start.cpu_seconds) * 1e6 / (double)totals->finished, totals->bytes, memory_kb("VmHWM"),
        totals->errors);
}
