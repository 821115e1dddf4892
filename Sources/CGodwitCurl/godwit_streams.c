#ifdef __linux__
// libcurl doesn't report why an HTTP/2 stream ended: a stream that the server refused, one above a GOAWAY's last stream and one
// of a broken connection look alike, and a reset with NO_ERROR looks like the end of the body. nghttp2 reports it to libcurl
// through callbacks. The functions below have the names of nghttp2's setters, so the dynamic linker finds them first: each
// installs a callback that observes and then calls libcurl's own. If the linker doesn't find them (nghttp2 linked statically
// into libcurl, say), nothing is observed, and every ending is unknown to the engine (decision 022).

#define _GNU_SOURCE
#include "godwit_turn.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

// The first members of nghttp2's structs, which are part of its ABI.
typedef struct {
    size_t length;
    int32_t stream_id;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
} frame_header;

typedef struct {
    frame_header header;
    int32_t last_stream_id;
    uint32_t error_code;
} goaway_frame;

typedef struct {
    frame_header header;
    uint32_t error_code;
} rst_frame;

typedef struct {
    int32_t id;
    uint32_t value;
} setting;

typedef struct {
    frame_header header;
    size_t count;
    const setting *settings;
} settings_frame;

enum { setting_max_concurrent_streams = 3 };
enum { type_data = 0, type_headers = 1, type_rst_stream = 3, type_settings = 4, type_goaway = 7, code_no_error = 0, code_refused_stream = 7 };
enum { flag_ack = 1, flag_end_stream = 1, fault_no_memory = -901 };

typedef int (*frame_function)(void *session, const frame_header *frame, void *context);
typedef int (*close_function)(void *session, int32_t stream, uint32_t code, void *context);
typedef int (*begin_function)(void *session, const frame_header *header, void *context);
typedef void (*set_begin_function)(void *callbacks, begin_function function);
typedef void (*set_frame_function)(void *callbacks, frame_function function);
typedef void (*set_close_function)(void *callbacks, close_function function);
typedef void (*end_session_function)(void *session);
typedef int32_t (*submit_function)(
    void *session, const void *priority, const void *fields, size_t count, const void *body, void *stream);
typedef void *(*get_user_data)(void *session, int32_t stream);
typedef int (*get_close)(void *session, int32_t stream);
typedef int (*submit_reset_function)(void *session, uint8_t flags, int32_t stream, uint32_t code);

static _Atomic(frame_function) curl_on_frame;
static _Atomic(close_function) curl_on_close;
static _Atomic(submit_function) submit_request;
static _Atomic(get_user_data) user_data_of;
static _Atomic(get_close) remote_close_of;
static _Atomic(get_close) local_close_of;
static _Atomic(submit_reset_function) submit_reset;

// NULL if nobody observes the streams of this thread.
static struct stream_watch *current_watch(void) {
    struct godwit_turn *turn = godwit_current_turn;
    return turn && turn->watch.observe ? &turn->watch : NULL;
}

void godwit_observe_streams(
    godwit_stream_observer observe, godwit_submission_observer submitted, godwit_limit_observer limited,
    void *context) {
    struct godwit_turn *turn = godwit_current_turn;
    if (!turn) return;
    turn->watch =
        (struct stream_watch){.observe = observe, .submitted = submitted, .limited = limited, .context = context};
}

int godwit_sees_streams(void) {
    return atomic_load(&curl_on_close) != NULL;
}

godwit_first_word godwit_await_settings(CURL *easy) {
    struct stream_watch *watch = current_watch();
    unsigned known = watch ? watch->settings : 0;
    char none;
    size_t count = 0;
    CURLcode code = curl_easy_recv(easy, &none, sizeof none, &count);
    if (watch && watch->settings != known) return godwit_settings_received;
    return code == CURLE_AGAIN ? godwit_settings_awaited : godwit_settings_impossible;
}

static void report(struct stream_watch *watch, void *session, int32_t stream, godwit_stream_end end) {
    get_user_data find = atomic_load_explicit(&user_data_of, memory_order_relaxed);
    void *data = find ? find(session, stream) : NULL;
    if (data) watch->observe(watch->context, data, end, session == watch->session ? &watch->goaway : NULL);
}

// nghttp2 closes a stream for reading before it reports the reset.
static int on_begin(void *session, const frame_header *header, void *context) {
    (void)context;
    struct stream_watch *watch = current_watch();
    if (header->type != type_rst_stream || !watch) return 0;
    get_close is_received = atomic_load_explicit(&remote_close_of, memory_order_relaxed);
    watch->reset_session = session;
    watch->reset_stream = header->stream_id;
    watch->had_ended = !is_received || is_received(session, header->stream_id) != 0;
    return 0;
}

// The server says how many streams it allows (RFC 9113 section 6.5.2).
static void on_settings(struct stream_watch *watch, void *session, const settings_frame *frame) {
    watch->settings++;
    uint32_t limit = UINT32_MAX;
    for (size_t i = 0; i < frame->count; i++) {
        if (frame->settings[i].id == setting_max_concurrent_streams) limit = frame->settings[i].value;
    }
    if (watch->limiting_session && watch->limiting_session != session && limit >= watch->limit) return;
    watch->limiting_session = session;
    watch->limit = limit;
    watch->limited(watch->context, limit);
}

// The server ended a stream on which the request's body is still being sent. libcurl 7.88 would end the response with that body,
// which may never end; later versions stop sending. Our reset says so to the server, and to every version (decision 108).
static void end_answered(struct stream_watch *watch, void *session, int32_t stream) {
    get_close is_sent = atomic_load_explicit(&local_close_of, memory_order_relaxed);
    submit_reset_function reset = atomic_load_explicit(&submit_reset, memory_order_relaxed);
    if (!is_sent || !reset || is_sent(session, stream) != 0) return;
    report(watch, session, stream, godwit_stream_answered_early);
    reset(session, 0, stream, code_no_error);
}

static int on_frame(void *session, const frame_header *frame, void *context) {
    struct stream_watch *watch = current_watch();
    if (watch && frame->type == type_settings && !(frame->flags & flag_ack)) {
        on_settings(watch, session, (const settings_frame *)frame);
    }
    if (watch && frame->type == type_goaway) {
        const goaway_frame *goaway = (const goaway_frame *)frame;
        watch->session = session;
        watch->goaway = (godwit_goaway){.last_stream = goaway->last_stream_id, .code = goaway->error_code};
    }
    // A server that responds before it has the request's body resets the stream with NO_ERROR afterwards (RFC 9113 section 8.1).
    // libcurl 7.88 would then drop what it has read of the response and not handed over, so it doesn't see the reset.
    if (watch && frame->type == type_rst_stream && watch->had_ended && watch->reset_session == session
        && watch->reset_stream == frame->stream_id && ((const rst_frame *)frame)->error_code == code_no_error) {
        return 0;
    }
    int result = atomic_load_explicit(&curl_on_frame, memory_order_relaxed)(session, frame, context);
    int may_end = frame->type == type_data || frame->type == type_headers;
    if (watch && may_end && frame->flags & flag_end_stream && !result) end_answered(watch, session, frame->stream_id);
    return result;
}

static int on_close(void *session, int32_t stream, uint32_t code, void *context) {
    struct stream_watch *watch = current_watch();
    if (watch) {
        int is_reset = session == watch->reset_session && stream == watch->reset_stream;
        if (code == code_refused_stream) {
            report(watch, session, stream, godwit_stream_refused);
        } else if (code == code_no_error && is_reset) {
            report(watch, session, stream, watch->had_ended ? godwit_stream_answered_early : godwit_stream_cut);
        }
    }
    return atomic_load_explicit(&curl_on_close, memory_order_relaxed)(session, stream, code, context);
}

// Whether a function is part of the libcurl in use. Other users of nghttp2 are not observed.
static int is_of_libcurl(void *function) {
    Dl_info theirs, curls;
    return dladdr(function, &theirs) && dladdr(dlsym(RTLD_NEXT, "curl_multi_socket_action"), &curls)
        && theirs.dli_fbase == curls.dli_fbase;
}

// A connection is over, and what it allowed.
void nghttp2_session_del(void *session) {
    struct stream_watch *watch = current_watch();
    if (watch && session && watch->limiting_session == session) {
        watch->limiting_session = NULL;
        watch->limited(watch->context, UINT32_MAX);
    }
    end_session_function end = (end_session_function)dlsym(RTLD_NEXT, __func__);
    if (end) end(session);
}

// What libcurl 8 gives a stream as its data is not the handle, so it is noted when the stream is made.
int32_t nghttp2_submit_request(
    void *session, const void *priority, const void *fields, size_t count, const void *body, void *stream) {
    submit_function submit = atomic_load_explicit(&submit_request, memory_order_relaxed);
    if (!submit) {
        submit = (submit_function)dlsym(RTLD_NEXT, __func__);
        if (!submit) return fault_no_memory;
        atomic_store_explicit(&submit_request, submit, memory_order_relaxed);
    }
    struct stream_watch *watch = current_watch();
    if (watch && stream) watch->submitted(watch->context, stream);
    return submit(session, priority, fields, count, body, stream);
}

void nghttp2_session_callbacks_set_on_frame_recv_callback(void *callbacks, frame_function function) {
    set_frame_function set = (set_frame_function)dlsym(RTLD_NEXT, __func__);
    if (!set) return;
    if (!function || !is_of_libcurl((void *)function)) return set(callbacks, function);
    atomic_store(&curl_on_frame, function);
    set(callbacks, on_frame);
}

void nghttp2_session_callbacks_set_on_stream_close_callback(void *callbacks, close_function function) {
    set_close_function set = (set_close_function)dlsym(RTLD_NEXT, __func__);
    if (!set) return;
    if (!function || !is_of_libcurl((void *)function)) return set(callbacks, function);
    atomic_store(&user_data_of, (get_user_data)dlsym(RTLD_NEXT, "nghttp2_session_get_stream_user_data"));
    atomic_store(&remote_close_of, (get_close)dlsym(RTLD_NEXT, "nghttp2_session_get_stream_remote_close"));
    atomic_store(&local_close_of, (get_close)dlsym(RTLD_NEXT, "nghttp2_session_get_stream_local_close"));
    atomic_store(&submit_reset, (submit_reset_function)dlsym(RTLD_NEXT, "nghttp2_submit_rst_stream"));
    atomic_store(&curl_on_close, function);
    // A new session may have the address of an old one.
    struct stream_watch *watch = current_watch();
    if (watch) watch->session = watch->reset_session = NULL;
    set_begin_function set_begin =
        (set_begin_function)dlsym(RTLD_NEXT, "nghttp2_session_callbacks_set_on_begin_frame_callback");
    if (set_begin) set_begin(callbacks, on_begin);
    set(callbacks, on_close);
}
#endif
