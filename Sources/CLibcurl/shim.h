// libcurl's variadic functions by their types, which Swift can't call otherwise, and names that are newer than libcurl 7.88, whose
// headers are enough to build: by their fixed numbers in libcurl's ABI.

#ifndef GODWIT_CLIBCURL_SHIM_H
#define GODWIT_CLIBCURL_SHIM_H

#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075800
#error "GodwitHTTP3 needs the headers of libcurl 7.88 or later"
#endif

static const long godwit_http_version_3only = 31;                              // CURL_HTTP_VERSION_3ONLY, 7.88
static const CURLINFO godwit_info_conn_id = (CURLINFO)(CURLINFO_OFF_T + 64);   // CURLINFO_CONN_ID, 8.2
static const CURLcode godwit_code_too_large = (CURLcode)100;                   // CURLE_TOO_LARGE, 8.6
static const size_t godwit_write_error = 0xFFFFFFFF;                           // CURL_WRITEFUNC_ERROR, 7.87
// Macros with a cast, which Swift can't read.
static const size_t godwit_write_pause = CURL_WRITEFUNC_PAUSE;
static const size_t godwit_read_pause = CURL_READFUNC_PAUSE;
static const size_t godwit_read_abort = CURL_READFUNC_ABORT;

/// The library at run time.
static inline const curl_version_info_data *godwit_curl_information(void) {
    return curl_version_info(CURLVERSION_NOW);
}

#define GODWIT_SETTER(kind, type)                                                                                       \
    static inline CURLcode godwit_set_##kind(CURL *easy, CURLoption option, type value) {                               \
        return curl_easy_setopt(easy, option, value);                                                                   \
    }
GODWIT_SETTER(long, long)
GODWIT_SETTER(offset, curl_off_t)
GODWIT_SETTER(pointer, void *)
GODWIT_SETTER(string, const char *)
GODWIT_SETTER(data_function, curl_write_callback)
#undef GODWIT_SETTER

#define GODWIT_FUNCTION_SETTER(kind, option, type)                                                                      \
    static inline CURLcode godwit_set_##kind##_function(CURL *easy, type function) {                                    \
        return curl_easy_setopt(easy, option, function);                                                                \
    }
GODWIT_FUNCTION_SETTER(seek, CURLOPT_SEEKFUNCTION, curl_seek_callback)
GODWIT_FUNCTION_SETTER(prerequest, CURLOPT_PREREQFUNCTION, curl_prereq_callback)
GODWIT_FUNCTION_SETTER(open, CURLOPT_OPENSOCKETFUNCTION, curl_opensocket_callback)
GODWIT_FUNCTION_SETTER(close, CURLOPT_CLOSESOCKETFUNCTION, curl_closesocket_callback)
GODWIT_FUNCTION_SETTER(context, CURLOPT_SSL_CTX_FUNCTION, curl_ssl_ctx_callback)
#undef GODWIT_FUNCTION_SETTER

#define GODWIT_MULTI_SETTER(kind, type)                                                                                 \
    static inline CURLMcode godwit_multi_set_##kind(CURLM *multi, CURLMoption option, type value) {                     \
        return curl_multi_setopt(multi, option, value);                                                                 \
    }
GODWIT_MULTI_SETTER(long, long)
GODWIT_MULTI_SETTER(pointer, void *)
GODWIT_MULTI_SETTER(socket_function, curl_socket_callback)
GODWIT_MULTI_SETTER(timer_function, curl_multi_timer_callback)
#undef GODWIT_MULTI_SETTER

/// 0 if there is no such value.
static inline long godwit_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

/// -1 if there is no such value.
static inline curl_off_t godwit_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = -1;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

// Declared here, because its header shows it only with _GNU_SOURCE, which would change types that Glibc's module has.
extern int dladdr(const void *, void *);

/// Where the library is loaded that has this address; NULL if none has.
static inline const void *godwit_library_of(const void *address) {
    struct {
        const char *file;
        void *base;
        const char *name;
        void *symbol;
    } place = {0};
    return dladdr(address, &place) ? place.base : NULL;
}

#endif
