/* url_int.h - the addresses of requests and redirects */
#ifndef TFPIPE_NET_URL_INT_H
#define TFPIPE_NET_URL_INT_H

#include <curl/curl.h>
#include "net/http.h"

/* Where the answer's Location leads: a new URL in *next, NULL if that is not a
 * URL that can be asked; the host name without brackets or port in *host. */
char *url_join(struct arena *a, const char *base, const char *location);
struct str url_host(struct arena *a, const char *url);
struct str url_public(struct arena *a, const char *url);
bool url_is_tls(const char *url);
bool host_is_loopback(struct str host);

#endif
