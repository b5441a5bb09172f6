/*
 * url.h - URLs as the addresses of modules have them
 *
 * Addresses are compared with what other programs wrote into modules.json, so
 * URLs are taken apart and written again as Go's net/url does it.
 */
#ifndef TFPIPE_CONFIG_SOURCE_URL_H
#define TFPIPE_CONFIG_SOURCE_URL_H

#include "base/str.h"

struct url {
	struct str scheme; /* small letters; may be empty */
	struct str opaque; /* mailto:OPAQUE; else empty */
	bool has_user, has_password;
	struct str user, password, host, path; /* decoded; host with its port */
	struct str raw_path; /* as written, where that matters; or empty */
	bool bare;           /* scheme:/path, without an authority */
	bool has_query;
	struct str query;    /* as written */
	struct str fragment; /* as written */
};

/* 0, or -1 where it is none.  A path alone is a URL as well. */
int url_parse(struct arena *a, struct str text, struct url *out);
struct str url_text(struct arena *a, const struct url *u);
/* Escapes a name or a value of a query. */
struct str url_escape(struct arena *a, struct str s);
/* The first value of a parameter, decoded; STR_NONE if there is none. */
struct str url_parameter(struct arena *a, struct str query, const char *name);
/* All parameters that are well-formed, decoded, in order: name, value, ... */
void url_parameters(struct arena *a, struct str query, struct str_vec *out);
/* The query, sorted and encoded anew, without the parameters named (which end
 * with NULL).  *bad: some parameter is not well-formed, and left out. */
struct str url_query(struct arena *a, struct str query,
		     const char *const *without, bool *bad);
/* For messages: the text with nothing secret in it (passwords, keys for SSH).
 * It may have a getter in front (git::); a text that is not a URL stays as it
 * is. */
struct str url_redacted(struct arena *a, struct str text);

/* url.c: addresses as hosts give them; RFC 3986, 5.2 */

/* Resolves ref against base; STR_NONE unless the result is http or https with a
 * host. */
struct str url_resolve(struct arena *a, struct str base, struct str ref);
/* HOST or HOST:PORT of an address of the web, without user and password, in
 * small letters. */
struct str url_host_port(struct arena *a, struct str url);

#endif
