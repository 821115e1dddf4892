#ifdef __linux__
// HTTP/3: whether rules for TLS hold over QUIC, and where QUIC's packets go.

#define _GNU_SOURCE
#include "godwit_curl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <string.h>

// Whether libcurl names the version of OpenSSL that this is linked with.
static int is_same_version(const char *library) {
    static const char name[] = "OpenSSL/";
    if (!library || strncmp(library, name, sizeof name - 1) != 0) return 0;
    const char *version = OpenSSL_version(OPENSSL_VERSION_STRING);
    size_t count = strlen(version);
    const char *theirs = library + sizeof name - 1;
    return strncmp(theirs, version, count) == 0 && (theirs[count] == 0 || theirs[count] == ' ');
}

// A second copy of OpenSSL in the process would get contexts of the first one. The dynamic linker resolves the names of both to
// the copy that comes first, except those of QUIC, if that copy is too old to have them.
static int is_one_copy(void) {
    void *quic = dlsym(RTLD_DEFAULT, "SSL_set_quic_tls_cbs");
    if (!quic) quic = dlsym(RTLD_DEFAULT, "SSL_set_quic_method");
    Dl_info of_quic, ours;
    return quic && dladdr(quic, &of_quic) && dladdr((void *)SSL_CTX_set_cert_verify_callback, &ours)
        && of_quic.dli_fbase == ours.dli_fbase;
}

const char *godwit_quic_fault(void) {
    if (!godwit_has_http3()) return "it was built without HTTP/3";
    if (!is_same_version(curl_version_info(CURLVERSION_NOW)->ssl_version)) {
        return "its TLS is not the OpenSSL that this program uses, so rules for TLS would not hold";
    }
    if (!is_one_copy()) {
        return "its QUIC uses another OpenSSL than this program, so rules for TLS would not hold";
    }
    return NULL;
}

int godwit_is_datagram(const struct curl_sockaddr *address) {
    return address->protocol == IPPROTO_UDP;
}

void godwit_set_port(struct curl_sockaddr *address, uint16_t port) {
    struct sockaddr *name = &address->addr;
    if (address->family == AF_INET) {
        ((struct sockaddr_in *)name)->sin_port = htons(port);
    } else if (address->family == AF_INET6) {
        ((struct sockaddr_in6 *)name)->sin6_port = htons(port);
    }
}
#endif
