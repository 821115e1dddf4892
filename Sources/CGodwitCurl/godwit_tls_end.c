#ifdef __linux__
// How TLS connections end. libcurl takes the end of the TCP connection for the end of TLS, so that anyone on the path could
// truncate a body that only the end delimits (RFC 9112 section 9.8). OpenSSL reports the peer's close_notify alert.

#include "godwit_curl.h"

#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <stdlib.h>

// Both users, an SSL and an exchange, live in the turns of one event loop.
struct godwit_tls_end {
    int users;
    int is_notified;
};

static int end_index = -1;
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;

void godwit_tls_end_release(godwit_tls_end *end) {
    if (end && --end->users == 0) free(end);
}

static void free_end(void *ssl, void *end, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)ssl, (void)data, (void)index, (void)number, (void)pointer;
    godwit_tls_end_release(end);
}

static void make_index(void) {
    end_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, free_end);
}

static godwit_tls_end *end_of(SSL *ssl) {
    godwit_tls_end *end = SSL_get_ex_data(ssl, end_index);
    if (end) return end;
    end = calloc(1, sizeof *end);
    if (!end || !SSL_set_ex_data(ssl, end_index, end)) {
        free(end);
        return NULL;
    }
    end->users = 1;
    return end;
}

static void on_info(const SSL *ssl, int where, int value) {
    if (where != SSL_CB_READ_ALERT || (value & 0xff) != SSL_AD_CLOSE_NOTIFY) return;
    godwit_tls_end *end = end_of((SSL *)ssl);
    if (end) end->is_notified = 1;
}

int godwit_note_tls_ends(void *tls) {
    if (!CRYPTO_THREAD_run_once(&once, make_index) || end_index < 0) return 0;
    SSL_CTX_set_info_callback(tls, on_info);
    return 1;
}

godwit_tls_end *godwit_tls_end_of(CURL *easy) {
    SSL *ssl = godwit_ssl_of(easy);
    // Without an index no connection was made by our rules.
    godwit_tls_end *end = ssl && end_index >= 0 ? end_of(ssl) : NULL;
    if (end) end->users++;
    return end;
}

int godwit_tls_end_is_notified(const godwit_tls_end *end) {
    return end->is_notified;
}
#endif
