#ifndef GODWIT_COPENSSL_SHIM_H
#define GODWIT_COPENSSL_SHIM_H

#include <openssl/ssl.h>

#endif
