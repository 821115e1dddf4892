#ifndef GODWIT_CURL_H
#define GODWIT_CURL_H
#include <curl/curl.h>
#endif
