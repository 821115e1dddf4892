#ifndef GODWIT_COPENSSL_SHIM_H
#define GODWIT_COPENSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros with parameters, which Swift can't read.
static const uint64_t godwit_no_renegotiation = SSL_OP_NO_RENEGOTIATION;

#endif
