#ifndef GODWIT_CHIREDIS_SHIM_H
#define GODWIT_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <sys/eventfd.h>

/* The type of an array's length differs between versions 0.14 and 1.0. */
#if HIREDIS_MAJOR >= 1
typedef size_t godwit_redis_count;
#else
typedef int godwit_redis_count;
#endif

/* A parser of replies, which are small: an array's memory is allocated by the length that the server announces. */
#define GODWIT_REDIS_ELEMENTS 65536

/* Wakes a thread that waits for a connection: Swift doesn't import the header. */
static inline int godwit_redis_signal(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/* The private data of a task is that of its reader: hiredis' own functions. */
static inline void *godwit_redis_array(const redisReadTask *task, godwit_redis_count count) {
    const redisReplyObjectFunctions *functions = task->privdata;
    if (count > GODWIT_REDIS_ELEMENTS) return NULL;
    return functions->createArray(task, count);
}

/* Limits the length of arrays. The caller frees the result after the reader. */
static inline redisReplyObjectFunctions *godwit_redis_limit(redisReader *reader) {
    redisReplyObjectFunctions *functions = malloc(sizeof *functions);
    if (functions == NULL) return NULL;
    *functions = *reader->fn;
    functions->createArray = godwit_redis_array;
    reader->privdata = reader->fn;
    reader->fn = functions;
    return functions;
}

#endif
