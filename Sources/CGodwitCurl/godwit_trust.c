#ifdef __linux__
// Certificates that are parsed once and shared by all connections (decision 026). libcurl parses its bundle of authorities for each
// connection, which takes some 20 ms of the event loop's time with OpenSSL 3.

#include "godwit_curl.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <stdlib.h>
#include <string.h>

void *godwit_certificates_read(const void *pem, size_t count) {
    if (count > INT_MAX) return NULL;
    BIO *input = BIO_new_mem_buf(pem, (int)count);
    if (!input) return NULL;
    STACK_OF(X509_INFO) *entries = PEM_X509_INFO_read_bio(input, NULL, NULL, NULL);
    BIO_free(input);
    ERR_clear_error();
    return entries;
}

void godwit_certificates_free(void *certificates) {
    sk_X509_INFO_pop_free(certificates, X509_INFO_free);
}

void *godwit_store_new(const char *folder) {
    X509_STORE *store = X509_STORE_new();
    if (!store) return NULL;
    // The flags of libcurl's own store.
    X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN);
    if (folder && !X509_STORE_load_path(store, folder)) {
        X509_STORE_free(store);
        return NULL;
    }
    return store;
}

int godwit_store_add(void *store, void *certificates) {
    int added = 0;
    for (int index = 0; index < sk_X509_INFO_num(certificates); index++) {
        X509_INFO *entry = sk_X509_INFO_value(certificates, index);
        if (entry->x509) {
            if (!X509_STORE_add_cert(store, entry->x509)) return 0;
            added++;
        }
        if (entry->crl && !X509_STORE_add_crl(store, entry->crl)) return 0;
    }
    return added > 0;
}

void godwit_store_free(void *store) {
    X509_STORE_free(store);
}

// A certificate whose private key is discarded: trusting it trusts no server.
static X509 *make_marker(void) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = key ? X509_new() : NULL;
    X509_NAME *name = certificate ? X509_get_subject_name(certificate) : NULL;
    static const unsigned char text[] = "Godwit marker";
    int is_made = name && X509_set_version(certificate, 2)
        && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0)
        && X509_set_issuer_name(certificate, name) && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        && X509_gmtime_adj(X509_getm_notBefore(certificate), 0) && X509_gmtime_adj(X509_getm_notAfter(certificate), 0)
        && X509_set_pubkey(certificate, key) && X509_sign(certificate, key, EVP_sha256()) > 0;
    EVP_PKEY_free(key);
    if (is_made) return certificate;
    X509_free(certificate);
    return NULL;
}

int godwit_marker_make(godwit_marker *marker) {
    *marker = (godwit_marker){0};
    X509 *certificate = make_marker();
    BIO *output = certificate ? BIO_new(BIO_s_mem()) : NULL;
    char *text = NULL;
    long count = output && PEM_write_bio_X509(output, certificate) ? BIO_get_mem_data(output, &text) : 0;
    marker->pem = count > 0 ? malloc((size_t)count) : NULL;
    if (marker->pem) {
        memcpy(marker->pem, text, (size_t)count);
        marker->count = (size_t)count;
        marker->certificate = certificate;
    } else {
        X509_free(certificate);
    }
    BIO_free(output);
    return marker->pem != NULL;
}

// The rules of one connection. They live as long as its TLS context, which may outlive its handle.
typedef struct {
    X509_STORE *store;
    X509 *marker;
    godwit_chain_check *check;
    /// Compared, not used.
    const void *easy;
} connection_rules;

static void free_rules(void *tls, void *rules, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)tls, (void)data, (void)index, (void)number, (void)pointer;
    connection_rules *old = rules;
    if (!old) return;
    X509_STORE_free(old->store);
    X509_free(old->marker);
    free(old);
}

static int rules_index;
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;

static void make_index(void) {
    rules_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_rules);
}

// Whether a store holds only the marker: then it belongs to the host. libcurl also calls for a proxy that uses TLS, whose store
// holds what libcurl loaded.
static int is_marked(X509_STORE *store, const X509 *marker) {
    STACK_OF(X509_OBJECT) *objects = X509_STORE_get0_objects(store);
    if (sk_X509_OBJECT_num(objects) != 1) return 0;
    X509 *only = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, 0));
    return only && X509_cmp(only, marker) == 0;
}

// Verifies the same chain with another store, and takes over the result.
static int verify_with(X509_STORE *store, X509_STORE_CTX *context) {
    X509_STORE_CTX *own = X509_STORE_CTX_new();
    int is_valid = 0, error = X509_V_ERR_OUT_OF_MEM;
    if (own
        && X509_STORE_CTX_init(
            own, store, X509_STORE_CTX_get0_cert(context), X509_STORE_CTX_get0_untrusted(context))
        && X509_VERIFY_PARAM_set1(X509_STORE_CTX_get0_param(own), X509_STORE_CTX_get0_param(context))) {
        // The store's flags are part of the parameters that were replaced.
        X509_STORE_CTX_set_flags(own, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN);
        is_valid = X509_verify_cert(own) > 0;
        error = X509_STORE_CTX_get_error(own);
        if (!is_valid && error == X509_V_OK) error = X509_V_ERR_UNSPECIFIED;
        X509_STORE_CTX_set0_verified_chain(context, X509_STORE_CTX_get1_chain(own));
        X509_STORE_CTX_set_error_depth(context, X509_STORE_CTX_get_error_depth(own));
    }
    X509_STORE_CTX_set_error(context, error);
    X509_STORE_CTX_free(own);
    return is_valid;
}

// Replaces OpenSSL's own verification. libcurl fills the context's store only during the handshake.
static int verify(X509_STORE_CTX *context, void *argument) {
    const connection_rules *rules = argument;
    int is_ours = rules->store && is_marked(X509_STORE_CTX_get0_store(context), rules->marker);
    int is_valid = is_ours ? verify_with(rules->store, context) : X509_verify_cert(context) > 0;
    if (!is_valid) return 0;
    return rules->check ? godwit_admits_chain(context, rules->easy, rules->check) : 1;
}

static CURLcode apply(CURL *easy, void *tls, void *context) {
    const godwit_tls_rules *rules = context;
    // libcurl accepts tickets only for TLS 1.3, and a stateless server needs them to resume a session of TLS 1.2.
    SSL_CTX_clear_options(tls, SSL_OP_NO_TICKET);
    if (!godwit_note_tls_ends(tls)) return CURLE_OUT_OF_MEMORY;
    if (!rules->store && !rules->check) return CURLE_OK;
    if (!CRYPTO_THREAD_run_once(&once, make_index) || rules_index < 0) return CURLE_OUT_OF_MEMORY;
    connection_rules *own = calloc(1, sizeof *own);
    if (!own || !SSL_CTX_set_ex_data(tls, rules_index, own)) {
        free(own);
        return CURLE_OUT_OF_MEMORY;
    }
    own->check = rules->check;
    own->easy = easy;
    if (rules->store && X509_STORE_up_ref(rules->store)) own->store = rules->store;
    if (rules->marker && X509_up_ref(rules->marker)) own->marker = rules->marker;
    SSL_CTX_set_cert_verify_callback(tls, verify, own);
    return CURLE_OK;
}

CURLcode godwit_set_tls_rules(CURL *easy, godwit_tls_rules *rules) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, apply);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, rules) : code;
}

int godwit_has_tls_rules(CURL *easy) {
    SSL *ssl = godwit_ssl_of(easy);
    return ssl && rules_index > 0 && SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), rules_index) != NULL;
}

CURLcode godwit_trust_only(CURL *easy, const godwit_marker *marker) {
#if LIBCURL_VERSION_NUM >= 0x074d00
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    // Keeps libcurl's bundle from being read.
    struct curl_blob blob = {.data = marker->pem, .len = marker->count, .flags = CURL_BLOB_NOCOPY};
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob) : code;
#else
    (void)easy, (void)marker;
    return CURLE_UNKNOWN_OPTION;
#endif
}
#endif
