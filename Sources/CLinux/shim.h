// What the Glibc module leaves out of the system's headers, and what Swift can't call: variadic functions.

#ifndef GODWIT_CLINUX_SHIM_H
#define GODWIT_CLINUX_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

// Declared here, because their headers show them only with _GNU_SOURCE, which would change types that Glibc's module has.
extern ssize_t preadv2(int, const struct iovec *, int, off_t, int);
extern void *mremap(void *, size_t, size_t, int, ...);
extern int pthread_setname_np(pthread_t, const char *);

// RWF_NOWAIT, MREMAP_MAYMOVE and EPOLLET of the kernel's interface.
enum { godwit_read_nowait = 8, godwit_remap_may_move = 1 };
static const unsigned int godwit_epoll_edge = 1u << 31;

// Reads what is in the page cache; -1 with EAGAIN if that would wait for the disk.
static inline ssize_t godwit_read_cached(int descriptor, void *bytes, size_t count, off_t position) {
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    ssize_t read = preadv2(descriptor, &piece, 1, position, godwit_read_nowait);
    // Other errors mean that the file system or the kernel can't tell.
    if (read >= 0 || errno == EAGAIN || errno == EINTR) return read;
    return pread(descriptor, bytes, count, position);
}

// Maps memory, or makes a mapping larger without a copy; NULL if that fails.
static inline void *godwit_remap(void *address, size_t old_size, size_t size) {
    void *memory = address
        ? mremap(address, old_size, size, godwit_remap_may_move)
        : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static inline void godwit_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

#endif
