/* request_url.c - the addresses of requests and redirects */
#include <strings.h>

#include "net/net_int.h"

/* A part of the URL; NULL if there is none. */
static char *part(struct arena *a, const char *url, CURLUPart what)
{
	CURLU *u = curl_url();
	char *text = NULL, *out = NULL;

	if (u && !curl_url_set(u, CURLUPART_URL, url, 0) &&
	    !curl_url_get(u, what, &text, 0))
		out = arena_strdup(a, text);
	curl_free(text);
	curl_url_cleanup(u);
	return out;
}

static bool is_web(CURLU *u)
{
	char *scheme = NULL;
	bool yes =
		!curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) &&
		(!strcasecmp(scheme, "http") || !strcasecmp(scheme, "https"));

	curl_free(scheme);
	return yes;
}

char *url_join(struct arena *a, const char *base, const char *location)
{
	CURLU *u = curl_url();
	char *text = NULL, *out = NULL;

	if (u && (!base || !curl_url_set(u, CURLUPART_URL, base, 0)) &&
	    !curl_url_set(u, CURLUPART_URL, location,
			  CURLU_URLENCODE | (base ? 0 : CURLU_PATH_AS_IS)) &&
	    is_web(u) && !curl_url_get(u, CURLUPART_URL, &text, 0))
		out = arena_strdup(a, text);
	curl_free(text);
	curl_url_cleanup(u);
	return out;
}

struct str url_host(struct arena *a, const char *url)
{
	char *host = part(a, url, CURLUPART_HOST);

	return host ? str_lower(a, str_c(host)) : STR_NONE;
}

struct str url_public(struct arena *a, const char *url)
{
	CURLU *u = curl_url();
	char *text = NULL;
	struct str out = STR_NONE;

	if (u && !curl_url_set(u, CURLUPART_URL, url, 0) &&
	    !curl_url_set(u, CURLUPART_USER, NULL, 0) &&
	    !curl_url_set(u, CURLUPART_PASSWORD, NULL, 0) &&
	    !curl_url_get(u, CURLUPART_URL, &text, 0))
		out = str_c(arena_strdup(a, text));
	curl_free(text);
	curl_url_cleanup(u);
	return out;
}

bool url_is_tls(const char *url)
{
	return !strncasecmp(url, "https:", 6);
}

bool host_is_loopback(struct str host)
{
	return str_is(host, "localhost") || str_is(host, "[::1]") ||
	       str_starts(host, "127.");
}
