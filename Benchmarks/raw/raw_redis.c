// One script call after the other by hiredis on one thread: a rate limit of one
// key, as small as it can be. Takes the options of the other raw programs; the
// URL is redis://127.0.0.1:PORT, and INFLIGHT is not used.
#include "common.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <string.h>

// The generic cell rate algorithm by the server's clock, for one call.
static const char *script =
    "local t = redis.call('TIME') "
    "local now = t[1] * 1000000 + t[2] "
    "local due = math.max(now, tonumber(redis.call('GET', KEYS[1])) or 0) "
    "redis.call('SET', KEYS[1], string.format('%.0f', due + tonumber(ARGV[1])), 'PX', 60000) "
    "return math.floor(due - now)";

static redisContext *open_redis(const char *url) {
    int port = 0;
    if (sscanf(url, "redis://127.0.0.1:%d", &port) != 1) die("the URL is not redis://127.0.0.1:PORT");
    redisContext *redis = redisConnect("127.0.0.1", port);
    if (!redis || redis->err) die("Redis can't be reached");
    return redis;
}

static struct totals run(redisContext *redis, const char *hash, long count) {
    struct totals totals = {0};
    for (long index = 0; index < count; index++) {
        redisReply *reply = redisCommand(redis, "EVALSHA %s 1 godwit-bench-raw 1", hash);
        if (!reply || reply->type != REDIS_REPLY_INTEGER) totals.errors++;
        totals.finished++;
        if (reply) freeReplyObject(reply);
    }
    return totals;
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, "raw_redis");
    redisContext *redis = open_redis(options.url);
    redisReply *loaded = redisCommand(redis, "SCRIPT LOAD %s", script);
    if (!loaded || loaded->type != REDIS_REPLY_STRING) die("Redis doesn't take the script");
    char hash[41];
    snprintf(hash, sizeof hash, "%s", loaded->str);
    freeReplyObject(loaded);
    run(redis, hash, warm_up_count(&options));
    struct measurement start = now();
    struct totals totals = run(redis, hash, options.count);
    report("raw_redis", start, &totals);
    redisFree(redis);
    return 0;
}
