// One request after the other from the main thread to a libcurl loop on a thread
// of its own, as any library with an event loop must do it. INFLIGHT is not used.
#include <pthread.h>

#include "common.h"

struct hand_over {
    pthread_mutex_t mutex;
    pthread_cond_t completed;
    CURLM *multi;
    struct transfer *offered; // set by the main thread, taken by the loop
    bool is_complete;         // set by the loop, awaited by the main thread
    CURLcode result;
    bool is_over;
};

// Takes what the main thread offers. False when there will be no more.
static bool accept_offer(struct hand_over *shared) {
    pthread_mutex_lock(&shared->mutex);
    struct transfer *offered = shared->offered;
    shared->offered = NULL;
    bool goes_on = !shared->is_over;
    pthread_mutex_unlock(&shared->mutex);
    if (offered) curl_multi_add_handle(shared->multi, offered->easy);
    return goes_on;
}

static void complete(struct hand_over *shared) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(shared->multi, &left))) {
        CURLcode result = message->data.result;
        curl_multi_remove_handle(shared->multi, message->easy_handle);
        pthread_mutex_lock(&shared->mutex);
        shared->result = result;
        shared->is_complete = true;
        pthread_mutex_unlock(&shared->mutex);
        pthread_cond_signal(&shared->completed);
    }
}

static void *loop(void *context) {
    struct hand_over *shared = context;
    int running = 0;
    while (accept_offer(shared)) {
        curl_multi_perform(shared->multi, &running);
        complete(shared);
        if (curl_multi_poll(shared->multi, NULL, 0, 1000, NULL) != CURLM_OK) die("curl_multi_poll failed");
    }
    return NULL;
}

static struct totals run(struct hand_over *shared, struct transfer *transfer, long count) {
    struct totals totals = {0};
    for (long index = 0; index < count; index++) {
        pthread_mutex_lock(&shared->mutex);
        shared->offered = transfer;
        shared->is_complete = false;
        pthread_mutex_unlock(&shared->mutex);
        curl_multi_wakeup(shared->multi);
        pthread_mutex_lock(&shared->mutex);
        while (!shared->is_complete) pthread_cond_wait(&shared->completed, &shared->mutex);
        CURLcode result = shared->result;
        pthread_mutex_unlock(&shared->mutex);
        finish_transfer(transfer, result, &totals);
    }
    return totals;
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, "raw_thread");
    struct hand_over shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .completed = PTHREAD_COND_INITIALIZER};
    struct transfer transfer;
    pthread_t thread;
    open_transfer(&transfer, &options);
    shared.multi = curl_multi_init();
    if (pthread_create(&thread, NULL, loop, &shared) != 0) die("no thread");
    run(&shared, &transfer, warm_up_count(&options));
    struct measurement start = now();
    struct totals totals = run(&shared, &transfer, options.count);
    report("raw_thread", start, &totals);
    pthread_mutex_lock(&shared.mutex);
    shared.is_over = true;
    pthread_mutex_unlock(&shared.mutex);
    curl_multi_wakeup(shared.multi);
    pthread_join(thread, NULL);
    return 0;
}
