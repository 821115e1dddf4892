#ifdef __linux__
#define _GNU_SOURCE
#include "godwit_curl.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

const uint32_t godwit_epoll_in = EPOLLIN;
const uint32_t godwit_epoll_out = EPOLLOUT;
const uint32_t godwit_epoll_edge = EPOLLET;

enum { batch_size = 128 };

void godwit_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

CURL *godwit_multi_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message = curl_multi_info_read(multi, &left); message; message = curl_multi_info_read(multi, &left)) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

curl_socket_t godwit_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int godwit_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int godwit_epoll_control(int epoll, int operation, int descriptor, uint32_t events) {
    static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    return epoll_ctl(epoll, operations[operation], descriptor, &event) == 0 ? 0 : errno;
}

int godwit_epoll_wait(int epoll, godwit_event *events, int capacity, int milliseconds) {
    struct epoll_event batch[batch_size];
    int count = epoll_wait(epoll, batch, capacity < batch_size ? capacity : batch_size, milliseconds);
    for (int index = 0; index < count; index++) {
        events[index].descriptor = batch[index].data.fd;
        events[index].events = batch[index].events;
    }
    return count > 0 ? count : 0;
}

int godwit_eventfd_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void godwit_signal(int descriptor) {
    const uint64_t one = 1;
    // The counter can't overflow in practice, and a full one is readable anyway.
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
}

uint32_t godwit_await_bytes(int descriptor, int bell, int64_t nanoseconds) {
    struct pollfd polled[] = {{.fd = descriptor, .events = POLLIN}, {.fd = bell, .events = POLLIN}};
    const struct timespec limit = {.tv_nsec = (long)nanoseconds};
    if (ppoll(polled, 2, &limit, NULL) <= 0) return 0;
    if (polled[1].revents != 0) {
        uint64_t rings;
        ssize_t got = read(bell, &rings, sizeof rings);
        (void)got;
        return 0;
    }
    // epoll's events have the same values as poll's.
    return (uint32_t)polled[0].revents;
}
#endif
