/* source.h - module source addresses: local, in a registry, or remote */
#ifndef TFPIPE_CONFIG_SOURCE_SOURCE_H
#define TFPIPE_CONFIG_SOURCE_SOURCE_H

#include "config/config.h"

/* Classifies the source address of a call.  Returns its normal form, or
 * STR_NONE with *summary and *why set.  versioned: the call has a version. */
struct str source_read(struct arena *a, struct str s, bool versioned,
		       enum source_kind *kind, const char **summary,
		       struct str *why);

/*
 * module_address.c: addresses of module packages that are fetched
 *
 * Written addresses are brought into OpenTofu's normal form, which modules.json
 * holds: GETTER::URL, file:///PATH and so on, with //SUBDIR before the query.
 */

/* A package that is not in a registry, and where the module is in it. */
struct module_address {
	struct str package; /* git::https://host/x.git?ref=v1 */
	struct str subdir;  /* without ".." at its beginning; may be empty */
};

/* 0, or -1 with *why set to a sentence without its full stop; to NULL where the
 * source may be meant as a path that lacks its "./". */
int module_address_detect(struct arena *a, struct str source,
			  struct module_address *out, struct str *why);
/* The address as text; module_address_split splits it again. */
struct str module_address_text(struct arena *a, const struct module_address *m);
void module_address_split(struct arena *a, struct str text,
			  struct module_address *out);
/* GETTER of GETTER::REST; empty, and all of it, where none is written. */
struct str module_address_getter(struct str package, struct str *rest);

#endif
