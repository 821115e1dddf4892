// What Swift can't call or see in libcurl and epoll: variadic functions, macros and packed structs. One typed function per kind
// of argument.

#ifndef GODWIT_CURL_H
#define GODWIT_CURL_H

#include "godwit_versions.h"

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "godwit_socket.h"

/// The allowed protocols as a bit mask, for libraries before 7.85. Newer headers deprecate it.
static const CURLoption godwit_option_protocols = (CURLoption)181;

typedef size_t (*godwit_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*godwit_seek_function)(void *context, curl_off_t offset, int origin);
typedef int (*godwit_trailer_function)(struct curl_slist **fields, void *context);
typedef int (*godwit_prerequest_function)(void *context, char *peer, char *local, int peer_port, int local_port);
typedef int (*godwit_debug_function)(CURL *easy, curl_infotype type, char *bytes, size_t count, void *context);
typedef int (*godwit_resolver_function)(void *state, void *reserved, void *context);
typedef curl_socket_t (*godwit_open_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*godwit_close_function)(void *context, curl_socket_t socket);
typedef int (*godwit_socket_function)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*godwit_timer_function)(CURLM *multi, long milliseconds, void *context);

#define GODWIT_SETTER(kind, type)                                                                                       \
    static inline CURLcode godwit_set_##kind(CURL *easy, CURLoption option, type value) {                               \
        return curl_easy_setopt(easy, option, value);                                                                   \
    }
GODWIT_SETTER(long, long)
GODWIT_SETTER(offset, int64_t)
GODWIT_SETTER(pointer, void *)
GODWIT_SETTER(string, const char *)
GODWIT_SETTER(data_function, godwit_data_function)

#define GODWIT_FUNCTION_SETTER(kind, option)                                                                            \
    static inline CURLcode godwit_set_##kind##_function(CURL *easy, godwit_##kind##_function function) {                \
        return curl_easy_setopt(easy, option, function);                                                                \
    }
GODWIT_FUNCTION_SETTER(seek, CURLOPT_SEEKFUNCTION)
GODWIT_FUNCTION_SETTER(trailer, CURLOPT_TRAILERFUNCTION)
GODWIT_FUNCTION_SETTER(prerequest, CURLOPT_PREREQFUNCTION)
GODWIT_FUNCTION_SETTER(debug, CURLOPT_DEBUGFUNCTION)
GODWIT_FUNCTION_SETTER(resolver, CURLOPT_RESOLVER_START_FUNCTION)
GODWIT_FUNCTION_SETTER(open, CURLOPT_OPENSOCKETFUNCTION)
GODWIT_FUNCTION_SETTER(close, CURLOPT_CLOSESOCKETFUNCTION)

#define GODWIT_GETTER(kind, type, result)                                                                               \
    static inline result godwit_get_##kind(CURL *easy, CURLINFO info) {                                                 \
        type value = 0;                                                                                                 \
        curl_easy_getinfo(easy, info, &value);                                                                          \
        return value;                                                                                                   \
    }
GODWIT_GETTER(long, long, long)
GODWIT_GETTER(offset, curl_off_t, int64_t)
GODWIT_GETTER(string, char *, const char *)

/// The descriptor of the connection a handle made.
static inline CURLcode godwit_get_active_socket(CURL *easy, curl_socket_t *socket) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, socket);
}

/// The context of CURLOPT_PRIVATE.
static inline void *godwit_get_private(CURL *easy) {
    return (void *)godwit_get_string(easy, CURLINFO_PRIVATE);
}

#define GODWIT_MULTI_SETTER(kind, type)                                                                                 \
    static inline CURLMcode godwit_multi_set_##kind(CURLM *multi, CURLMoption option, type value) {                     \
        return curl_multi_setopt(multi, option, value);                                                                 \
    }
GODWIT_MULTI_SETTER(long, long)
GODWIT_MULTI_SETTER(pointer, void *)
GODWIT_MULTI_SETTER(socket_function, godwit_socket_function)
GODWIT_MULTI_SETTER(timer_function, godwit_timer_function)

/// Prepares libcurl, once per process. Before 8.7 it gets an allocator that can keep freed memory, unless the environment has
/// `GODWIT_SYSTEM_ALLOCATOR`. If the process prepared libcurl before, nothing changes.
int godwit_global_init(void);

/// What is kept for an event loop inside libcurl's calls: freed memory for later exchanges, and who observes HTTP/2 streams.
typedef struct godwit_turn godwit_turn;

/// NULL if memory ran out.
godwit_turn *godwit_turn_create(void);

/// The calling thread runs the loop's engine from here on; NULL for none. Returns what it ran before, to go back to: a task on
/// one loop may start an exchange of another.
godwit_turn *godwit_turn_enter(godwit_turn *turn);

/// Whether the calling thread runs an engine.
int godwit_turn_is_ours(void);

/// Frees it, and what is kept. Not while a thread is in the turn.
void godwit_turn_free(godwit_turn *turn);

/// The piece of memory that libcurl zeroed or enlarged last in this turn: in the callback for a header, the stored header. NULL if
/// libcurl has another allocator.
void *godwit_last_piece(void);

/// Holds a header that libcurl has stored: it stays as it is when libcurl frees it (decision 086).
void godwit_hold_header(void *memory);

/// Undoes `godwit_hold_header`. NULL changes nothing.
void godwit_drop_header(void *memory);

/// Whether this is the last header that a handle keeps. Needs libcurl 7.84.
int godwit_is_last_header(CURL *easy, const void *memory);

/// Sets an option to bytes that are not copied; no bytes reset it.
static inline CURLcode godwit_set_blob(CURL *easy, CURLoption option, void *bytes, size_t count) {
    struct curl_blob blob = {.data = bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
    return curl_easy_setopt(easy, option, count ? &blob : NULL);
}

/// Decides about a validated chain: 1 accepts it. `easy` is the handle that the connection was opened for; it may be freed before
/// a renegotiation, so it is only compared. `server_name` is the name in the handshake, NULL for an address. `digests` are the
/// SHA-256 of each certificate's SubjectPublicKeyInfo, 32 bytes each, the leaf's first.
typedef struct {
    int (*admits)(void *context, const void *easy, const char *server_name, const uint8_t *digests, size_t count);
    void *context;
} godwit_chain_check;

/// Calls the check for a validated chain (an X509_STORE_CTX); 1 accepts it.
int godwit_admits_chain(void *validated, const void *easy, godwit_chain_check *check);

/// Whether libcurl uses the OpenSSL that this is linked with.
int godwit_can_check_chains(void);

/// A certificate that libcurl loads instead of authorities: it marks the TLS contexts that use our store.
typedef struct {
    char *pem;
    size_t count;
    /// An X509.
    void *certificate;
} godwit_marker;

/// Makes a marker, whose private key is discarded; 0 if that failed.
int godwit_marker_make(godwit_marker *marker);

/// Parses every certificate and revocation list of a PEM text (a STACK_OF(X509_INFO)); NULL if one is malformed.
void *godwit_certificates_read(const void *pem, size_t count);
void godwit_certificates_free(void *certificates);

/// Makes an empty store (an X509_STORE) that also searches a folder of hashed names, if there is one.
void *godwit_store_new(const char *folder);
/// Adds certificates; 0 if that failed or there were none.
int godwit_store_add(void *store, void *certificates);
void godwit_store_free(void *store);

/// The rules for TLS connections that a handle opens. The handle points to them.
typedef struct {
    /// Verifies chains instead of a store with the marker; NULL for libcurl's own verification.
    void *store;
    /// The certificate of the marker.
    void *marker;
    /// Checks chains, if not NULL. Outlives the connections.
    godwit_chain_check *check;
} godwit_tls_rules;

/// Applies the rules to every TLS connection of the handle, as they are when it starts.
CURLcode godwit_set_tls_rules(CURL *easy, godwit_tls_rules *rules);

/// How the TLS connection of a transfer ended.
typedef struct godwit_tls_end godwit_tls_end;

/// Notes the close_notify alerts that connections of a TLS context (an SSL_CTX) receive; 0 if memory ran out.
int godwit_note_tls_ends(void *tls);

/// The end of the connection that a transfer runs on, for the caller to release; NULL if it does not use our OpenSSL.
godwit_tls_end *godwit_tls_end_of(CURL *easy);
void godwit_tls_end_release(godwit_tls_end *end);

/// Whether the peer sent close_notify (RFC 8446 section 6.1).
int godwit_tls_end_is_notified(const godwit_tls_end *end);

/// The TLS connection of a transfer in progress (an SSL); NULL if it does not use OpenSSL.
void *godwit_ssl_of(CURL *easy);

/// Makes libcurl load the marker alone instead of the system's authorities (libcurl 7.77).
CURLcode godwit_trust_only(CURL *easy, const godwit_marker *marker);

/// The TLS sessions of several handles, used by one thread (a CURLSH).
static inline CURLSH *godwit_sessions_new(void) {
    CURLSH *share = curl_share_init();
    if (!share || curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK) return share;
    curl_share_cleanup(share);
    return NULL;
}

/// How an HTTP/2 stream ended, if libcurl doesn't report it.
typedef enum {
    /// The server did not process the request: REFUSED_STREAM, or a GOAWAY that names an earlier stream as the last one
    /// (RFC 9113 sections 6.8 and 8.7).
    godwit_stream_refused,
    /// Reset with NO_ERROR before the server ended the stream: the response is incomplete.
    godwit_stream_cut,
    /// Reset with NO_ERROR after the server ended the stream, and before the request's body was sent: the response is complete
    /// (RFC 9113 section 8.1).
    godwit_stream_answered_early,
} godwit_stream_end;

/// The content of a GOAWAY frame.
typedef struct {
    /// The last stream that the server may have processed.
    int32_t last_stream;
    uint32_t code;
} godwit_goaway;

/// Called inside libcurl. `stream` is what libcurl gave the stream as its data: the easy handle, or in libcurl 8 another pointer.
/// `goaway` is the last one of the connection, NULL if there was none.
typedef void (*godwit_stream_observer)(
    void *context, const void *stream, godwit_stream_end end, const godwit_goaway *goaway);

/// Called inside libcurl before it makes a stream with this data.
typedef void (*godwit_submission_observer)(void *context, const void *stream);

/// Called inside libcurl with the fewest streams that a server allows on a connection, when that changes.
typedef void (*godwit_limit_observer)(void *context, uint32_t streams);

/// Reports the HTTP/2 streams that libcurl makes in this and later turns of the engine that the calling thread runs, their
/// endings and their limit; NULL reports none.
void godwit_observe_streams(
    godwit_stream_observer observer, godwit_submission_observer submitted, godwit_limit_observer limited,
    void *context);

/// Whether endings of streams can be observed. Known once an HTTP/2 connection was made.
int godwit_sees_streams(void);

typedef enum {
    godwit_settings_awaited,
    godwit_settings_received,
    godwit_settings_impossible,
} godwit_first_word;

/// Reads what arrived on the HTTP/2 connection of a transfer that only connects (CURLOPT_CONNECT_ONLY), and returns whether the
/// server's SETTINGS were among it. Needs an observer on the calling thread.
godwit_first_word godwit_await_settings(CURL *easy);

/// How a peer ended a TCP connection.
typedef enum {
    /// Not at all, or by a reset alone.
    godwit_end_other,
    /// By its end of stream; a reset may have followed.
    godwit_end_of_stream,
    /// There was a reset, and the error that tells whether the end of stream came before it was already read.
    godwit_end_untold,
} godwit_peer_end;

/// The kernel's figures of a TCP connection that is about to be closed.
typedef struct {
    godwit_peer_end end;
    /// Bytes that the peer never acknowledged.
    uint64_t unacknowledged;
    int local_port;
} godwit_connection_end;

/// 0, or an errno.
int godwit_get_connection_end(int descriptor, godwit_connection_end *end);

/// The progress of a TCP connection: bytes that the peer acknowledged, bytes that wait for that, and bytes received.
typedef struct {
    uint64_t acknowledged;
    uint64_t queued;
    uint64_t received;
    uint32_t milliseconds_since_receipt;
} godwit_connection_progress;

/// 0, or an errno.
int godwit_get_connection_progress(int descriptor, godwit_connection_progress *progress);

/// Whether the library was built with HTTP/3.
static inline int godwit_has_http3(void) {
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP3) != 0;
}

/// Why Godwit's rules for TLS would not hold over libcurl's QUIC; NULL if they do. They are set on libcurl's contexts with the
/// OpenSSL that this is linked with, which has to be the one that runs QUIC's handshakes.
const char *godwit_quic_fault(void);

/// Whether a transfer's connection was made with the rules of ``godwit_set_tls_rules``.
int godwit_has_tls_rules(CURL *easy);

/// Whether libcurl asks for a UDP socket, for QUIC.
int godwit_is_datagram(const struct curl_sockaddr *address);

/// Replaces the port that a socket will be connected to.
void godwit_set_port(struct curl_sockaddr *address, uint16_t port);

/// Names the calling thread, for debuggers.
void godwit_name_thread(const char *name);

/// The next finished transfer, or NULL; `result` gets its code.
CURL *godwit_multi_next_finished(CURLM *multi, CURLcode *result);

/// Opens the socket that libcurl asks for.
curl_socket_t godwit_open_socket(const struct curl_sockaddr *address);

/// The address that a socket is opened for; its family determines its length.
static inline const struct sockaddr *godwit_address_of(const struct curl_sockaddr *address) {
    return &address->addr;
}

/// Starts to connect a socket with the options of another one; -1 if that failed immediately.
int godwit_connect(const struct sockaddr *address, socklen_t size, int like);
/// Whether a TCP socket is connected. Doesn't clear its error.
int godwit_is_connected(int descriptor);
/// Gives a socket the number of another one, which is closed; 0 if that failed. The winner's own number is free afterwards.
int godwit_replace_socket(int winner, int loser);

/// One ready descriptor.
typedef struct {
    int descriptor;
    uint32_t events;
} godwit_event;

int godwit_epoll_create(void);
/// Adds (0), changes (1) or removes (2) a descriptor; 0, or an errno.
int godwit_epoll_control(int epoll, int operation, int descriptor, uint32_t events);
/// Waits up to `milliseconds` (-1: forever). Returns the number of events, 0 also if interrupted.
int godwit_epoll_wait(int epoll, godwit_event *events, int capacity, int milliseconds);

/// An event counter that `godwit_signal` makes readable; watched edge-triggered, it never has to be read.
int godwit_eventfd_create(void);
void godwit_signal(int eventfd);

/// Waits up to `nanoseconds` (less than a second) until a descriptor is readable or over. Returns epoll's events; 0 if the time
/// passed, or `bell`, an event counter, was rung, which this silences.
uint32_t godwit_await_bytes(int descriptor, int bell, int64_t nanoseconds);

extern const uint32_t godwit_epoll_in;
extern const uint32_t godwit_epoll_out;
extern const uint32_t godwit_epoll_edge;

#endif
