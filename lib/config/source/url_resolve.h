/* url_resolve.h - addresses as hosts give them, see url.h; RFC 3986, 5.2 */
#ifndef TFPIPE_CONFIG_URL_RESOLVE_H
#define TFPIPE_CONFIG_URL_RESOLVE_H

#include "config/source/url.h"

/* Resolves ref against base; STR_NONE unless the result is http or https with a
 * host. */
struct str url_resolve(struct arena *a, struct str base, struct str ref);
/* HOST or HOST:PORT of an address of the web, without user and password, in
 * small letters. */
struct str url_host_port(struct arena *a, struct str url);

#endif
