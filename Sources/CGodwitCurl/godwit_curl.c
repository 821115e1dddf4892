#include "godwit_curl.h"
