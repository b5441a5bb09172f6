/* base64.h - the standard alphabet, with padding (RFC 4648, section 4) */
#ifndef TFPIPE_BASE_BASE64_H
#define TFPIPE_BASE_BASE64_H

#include "base/str.h"

struct str base64_encode(struct arena *a, struct str bytes);
/* The alphabet of URLs, without padding (section 5). */
struct str base64_url(struct arena *a, struct str bytes);
/* false if text is not base64 (line breaks are not accepted). */
bool base64_decode(struct arena *a, struct str text, struct str *bytes);

#endif
