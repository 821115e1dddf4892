#ifdef __linux__
#include "godwit_curl.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

enum { digest_size = 32 };

// SHA-256 of a certificate's SubjectPublicKeyInfo in DER.
static int digest_key(X509 *certificate, uint8_t *digest) {
    unsigned char *der = NULL;
    int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    if (length <= 0) return 0;
    int is_done = EVP_Digest(der, (size_t)length, digest, NULL, EVP_sha256(), NULL);
    OPENSSL_free(der);
    return is_done;
}

// The keys of the chain that validation built, the leaf's first; NULL if memory ran out.
static uint8_t *digest_chain(X509_STORE_CTX *store, size_t *count) {
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(store);
    int length = chain ? sk_X509_num(chain) : 0;
    uint8_t *digests = malloc((size_t)(length > 0 ? length : 1) * digest_size);
    for (int index = 0; digests && index < length; index++) {
        if (!digest_key(sk_X509_value(chain, index), digests + index * digest_size)) {
            free(digests);
            return NULL;
        }
    }
    *count = (size_t)(length > 0 ? length : 0);
    return digests;
}

int godwit_admits_chain(void *validated, const void *easy, godwit_chain_check *check) {
    X509_STORE_CTX *context = validated;
    size_t count = 0;
    uint8_t *digests = digest_chain(context, &count);
    if (!digests) {
        X509_STORE_CTX_set_error(context, X509_V_ERR_OUT_OF_MEM);
        return 0;
    }
    SSL *connection = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx());
    const char *name = connection ? SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name) : NULL;
    int is_admitted = check->admits(check->context, easy, name, digests, count);
    free(digests);
    if (!is_admitted) X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION);
    return is_admitted;
}

int godwit_can_check_chains(void) {
    const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
    char *end = NULL;
    static const char name[] = "OpenSSL/";
    if (!library || strncmp(library, name, sizeof name - 1) != 0) return 0;
    return strtoul(library + sizeof name - 1, &end, 10) == OPENSSL_version_major();
}
#endif
