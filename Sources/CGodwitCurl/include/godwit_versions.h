// The one list of what Godwit uses of libcurl that is newer than 7.76, the oldest supported version (decision 037).
//
// Each name is declared here for older headers, by its fixed number in libcurl's ABI, so that the sources need no guards.
// CurlFeatures.swift finds out whether the library has it at run time: an option that is listed here must be a feature there.
// script/libcurl-floor compiles all of it against headers without these names.

#ifndef GODWIT_VERSIONS_H
#define GODWIT_VERSIONS_H

#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x074c00
#error "Godwit needs libcurl 7.76 or later"
#endif

#if LIBCURL_VERSION_NUM < 0x074d00 // 7.77
static const CURLoption CURLOPT_CAINFO_BLOB = (CURLoption)40309;
static const CURLcode CURLE_SSL_CLIENTCERT = (CURLcode)98;
#else
_Static_assert(CURLOPT_CAINFO_BLOB == 40309 && CURLE_SSL_CLIENTCERT == 98, "numbers of libcurl 7.77");
#endif

#if LIBCURL_VERSION_NUM < 0x075000 // 7.80
static const CURLoption CURLOPT_PREREQFUNCTION = (CURLoption)20312;
static const CURLoption CURLOPT_PREREQDATA = (CURLoption)10313;
static const CURLoption CURLOPT_MAXLIFETIME_CONN = (CURLoption)314;
#define CURL_PREREQFUNC_OK 0
#define CURL_PREREQFUNC_ABORT 1
#else
_Static_assert(CURLOPT_PREREQFUNCTION == 20312 && CURLOPT_PREREQDATA == 10313, "numbers of libcurl 7.80");
_Static_assert(CURLOPT_MAXLIFETIME_CONN == 314, "numbers of libcurl 7.80");
_Static_assert(CURL_PREREQFUNC_OK == 0 && CURL_PREREQFUNC_ABORT == 1, "numbers of libcurl 7.80");
#endif

#if LIBCURL_VERSION_NUM < 0x075400 // 7.84
static const CURLINFO CURLINFO_CAINFO = (CURLINFO)(CURLINFO_STRING + 61);
static const CURLINFO CURLINFO_CAPATH = (CURLINFO)(CURLINFO_STRING + 62);
#else
_Static_assert(CURLINFO_CAINFO == CURLINFO_STRING + 61, "numbers of libcurl 7.84");
_Static_assert(CURLINFO_CAPATH == CURLINFO_STRING + 62, "numbers of libcurl 7.84");
#endif

#if LIBCURL_VERSION_NUM < 0x075500 // 7.85
static const CURLoption CURLOPT_PROTOCOLS_STR = (CURLoption)10318;
#else
_Static_assert(CURLOPT_PROTOCOLS_STR == 10318, "numbers of libcurl 7.85");
#endif

#if LIBCURL_VERSION_NUM < 0x075700 // 7.87
static const CURLoption CURLOPT_QUICK_EXIT = (CURLoption)322;
// Any count but the one asked for is an error in older libraries too.
#define CURL_WRITEFUNC_ERROR 0xFFFFFFFF
#else
_Static_assert(CURLOPT_QUICK_EXIT == 322 && CURL_WRITEFUNC_ERROR == 0xFFFFFFFF, "numbers of libcurl 7.87");
#endif

#if LIBCURL_VERSION_NUM < 0x075800 // 7.88
static const long CURL_HTTP_VERSION_3ONLY = 31;
#else
_Static_assert(CURL_HTTP_VERSION_3ONLY == 31, "numbers of libcurl 7.88");
#endif

#if LIBCURL_VERSION_NUM < 0x080600 // 8.6
static const CURLcode CURLE_TOO_LARGE = (CURLcode)100;
#else
_Static_assert(CURLE_TOO_LARGE == 100, "numbers of libcurl 8.6");
#endif

/// The version of the library at run time, as LIBCURL_VERSION_NUM has it.
static inline unsigned godwit_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}

/// The same in words, such as "7.88.1".
static inline const char *godwit_curl_version_text(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}

/// Whether the library at run time knows an option and was built with it. Sets it to nothing.
static inline int godwit_knows_option(CURL *easy, CURLoption option) {
    CURLcode code;
    switch (option / 10000) {
    case CURLOPTTYPE_LONG / 10000: code = curl_easy_setopt(easy, option, 0L); break;
    case CURLOPTTYPE_OFF_T / 10000: code = curl_easy_setopt(easy, option, (curl_off_t)0); break;
    default: code = curl_easy_setopt(easy, option, NULL);
    }
    return code != CURLE_UNKNOWN_OPTION && code != CURLE_NOT_BUILT_IN;
}

#endif
