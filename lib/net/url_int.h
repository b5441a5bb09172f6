/* url_int.h - the addresses of requests and redirects */
#ifndef TFPIPE_NET_URL_INT_H
#define TFPIPE_NET_URL_INT_H

#include <curl/curl.h>
#include "net/http.h"

/* Resolves a Location header; NULL if that is no http or https URL.  Without a
 * base the path stays as it is written. */
char *url_join(struct arena *a, const char *base, const char *location);
/* In small letters, without the port; an IPv6 address in brackets. */
struct str url_host(struct arena *a, const char *url);
struct str url_public(struct arena *a, const char *url);
bool url_is_tls(const char *url);
bool host_is_loopback(struct str host);

#endif
