// INFLIGHT requests at a time on one thread, driven by curl_multi_poll.
#include "common.h"

static struct totals run(CURLM *multi, struct transfer *transfers, long count, int in_flight) {
    struct totals totals = {0};
    int running = 0;
    for (int index = 0; index < in_flight && totals.started < count; index++) {
        totals.started++;
        curl_multi_add_handle(multi, transfers[index].easy);
    }
    while (true) {
        curl_multi_perform(multi, &running);
        refill(multi, count, &totals);
        if (totals.finished == count) return totals;
        if (curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) die("curl_multi_poll failed");
    }
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, "raw_poll");
    struct transfer *transfers = open_transfers(&options);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)options.in_flight);
    run(multi, transfers, warm_up_count(&options), options.in_flight);
    struct measurement start = now();
    struct totals totals = run(multi, transfers, options.count, options.in_flight);
    report("raw_poll", start, &totals);
    return 0;
}
