// One request after the other by curl_easy_perform on one thread. INFLIGHT is
// not used.
#include "common.h"

static struct totals run(struct transfer *transfer, long count) {
    struct totals totals = {0};
    for (long index = 0; index < count; index++) {
        finish_transfer(transfer, curl_easy_perform(transfer->easy), &totals);
    }
    return totals;
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, "raw_easy");
    struct transfer transfer;
    open_transfer(&transfer, &options);
    run(&transfer, warm_up_count(&options));
    struct measurement start = now();
    struct totals totals = run(&transfer, options.count);
    report("raw_easy", start, &totals);
    return 0;
}
