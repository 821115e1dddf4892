// INFLIGHT requests at a time on one thread, driven by curl_multi_socket_action
// and epoll. libcurl's timer is epoll_wait's timeout: cheaper than a timerfd,
// which costs a system call each time libcurl moves the timer.
#include <stdint.h>
#include <sys/epoll.h>
#include <time.h>

#include "common.h"

struct loop {
    CURLM *multi;
    int poller;
    int64_t deadline; // in milliseconds of the monotonic clock, or -1 for none
};

static int64_t milliseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int set_timer(CURLM *multi, long timeout, void *context) {
    (void)multi;
    struct loop *loop = context;
    loop->deadline = timeout > 0 ? milliseconds_now() + timeout : timeout;
    return 0;
}

static int watch_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy;
    struct loop *loop = context;
    struct epoll_event event = {.data.fd = socket};
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(loop->poller, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    epoll_ctl(loop->poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(loop->multi, socket, loop);
    return 0;
}

static void turn(struct loop *loop) {
    struct epoll_event events[64];
    int running;
    int wait = -1;
    if (loop->deadline >= 0) {
        int64_t left = loop->deadline - (loop->deadline > 0 ? milliseconds_now() : 0);
        wait = left > 0 ? (int)left : 0;
    }
    int count = epoll_wait(loop->poller, events, 64, wait);
    for (int index = 0; index < count; index++) {
        int what = 0;
        if (events[index].events & EPOLLIN) what |= CURL_CSELECT_IN;
        if (events[index].events & EPOLLOUT) what |= CURL_CSELECT_OUT;
        if (events[index].events & (EPOLLERR | EPOLLHUP)) what |= CURL_CSELECT_ERR;
        curl_multi_socket_action(loop->multi, events[index].data.fd, what, &running);
    }
    if (loop->deadline == 0 || (loop->deadline > 0 && milliseconds_now() >= loop->deadline)) {
        loop->deadline = -1;
        curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
}

static struct totals run(struct loop *loop, struct transfer *transfers, long count, int in_flight) {
    struct totals totals = {0};
    for (int index = 0; index < in_flight && totals.started < count; index++) {
        totals.started++;
        curl_multi_add_handle(loop->multi, transfers[index].easy);
    }
    while (totals.finished < count) {
        turn(loop);
        refill(loop->multi, count, &totals);
    }
    return totals;
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, "raw_epoll");
    struct transfer *transfers = open_transfers(&options);
    struct loop loop = {.multi = curl_multi_init(), .poller = epoll_create1(EPOLL_CLOEXEC), .deadline = -1};
    curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, (long)options.in_flight);
    curl_multi_setopt(loop.multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(loop.multi, CURLMOPT_SOCKETDATA, &loop);
    curl_multi_setopt(loop.multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(loop.multi, CURLMOPT_TIMERDATA, &loop);
    run(&loop, transfers, warm_up_count(&options), options.in_flight);
    struct measurement start = now();
    struct totals totals = run(&loop, transfers, options.count, options.in_flight);
    report("raw_epoll", start, &totals);
    return 0;
}
