// Certificates that are parsed once and shared by all connections. libcurl by itself parses its bundle of authorities for
// each connection, which takes OpenSSL 3 some 20 ms of the event loop's time.

#include "godwit_curl.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <limits.h>
#include <openssl/err.h>
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
    // As libcurl sets its own.
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

// A certificate of a key that nobody has: trusting it trusts nobody.
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

void godwit_marker_free(godwit_marker *marker) {
    free(marker->pem);
    X509_free(marker->certificate);
    *marker = (godwit_marker){0};
}

// Whether a store holds the marker and nothing else: that of the host. The store of a proxy with TLS of its own, for
// which libcurl calls as well, holds what libcurl gave it.
static int is_marked(X509_STORE *store, const X509 *marker) {
    STACK_OF(X509_OBJECT) *objects = X509_STORE_get0_objects(store);
    if (sk_X509_OBJECT_num(objects) != 1) return 0;
    X509 *only = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, 0));
    return only && X509_cmp(only, marker) == 0;
}

static CURLcode apply(CURL *easy, void *tls, void *context) {
    const godwit_tls_rules *rules = context;
    // libcurl takes tickets for TLS 1.3 alone, and a server without a memory resumes no session of 1.2 without them.
    SSL_CTX_clear_options(tls, SSL_OP_NO_TICKET);
    if (rules->store && is_marked(SSL_CTX_get_cert_store(tls), rules->marker)) {
        SSL_CTX_set1_cert_store(tls, rules->store);
    }
    if (rules->check) godwit_check_chain(easy, tls, rules->check);
    return CURLE_OK;
}

CURLcode godwit_set_tls_rules(CURL *easy, godwit_tls_rules *rules) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, apply);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, rules) : code;
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
