#ifdef __linux__
// Reads of a file that do not wait for the disk.

#define _GNU_SOURCE
#include "godwit_curl.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t godwit_read_cached(int descriptor, void *bytes, size_t count, off_t offset) {
#ifdef RWF_NOWAIT
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    ssize_t read = preadv2(descriptor, &piece, 1, offset, RWF_NOWAIT);
    // Other errors mean that the file system or the kernel can't tell.
    if (read >= 0 || errno == EAGAIN || errno == EINTR) return read;
#endif
    return pread(descriptor, bytes, count, offset);
}
#endif
