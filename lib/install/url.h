/*
 * url.h - addresses as hosts give them: absolute, or relative to another
 *
 * RFC 3986, section 5.2; whether an address can be asked is tf-fetch's to say.
 */
#ifndef TFPIPE_INSTALL_URL_H
#define TFPIPE_INSTALL_URL_H

#include "base/str.h"

/* ref, seen from base; STR_NONE unless that is http or https with a host. */
struct str url_resolve(struct arena *a, struct str base, struct str ref);
/* HOST or HOST:PORT, without user and password, in small letters. */
struct str url_host_port(struct arena *a, struct str url);
/* The last segment of the path, without a query. */
struct str url_base_name(struct str url);

#endif
