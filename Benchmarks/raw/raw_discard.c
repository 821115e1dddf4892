// COUNT big documents one after the other, each byte dropped as it arrives.
// INFLIGHT is not used.
#include "common.h"

static size_t drop(char *data, size_t size, size_t count, void *context) {
    (void)data;
    struct totals *totals = context;
    totals->bytes += (long long)(size * count);
    return size * count;
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, "raw_discard");
    struct totals totals = {0};
    struct transfer transfer;
    open_transfer(&transfer, &options);
    curl_easy_setopt(transfer.easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(transfer.easy, CURLOPT_WRITEDATA, &totals);
    struct measurement start = now();
    for (long index = 0; index < options.count; index++) {
        finish_transfer(&transfer, curl_easy_perform(transfer.easy), &totals);
    }
    report("raw_discard", start, &totals);
    return 0;
}
