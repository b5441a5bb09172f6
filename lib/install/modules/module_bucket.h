/*
 * module_bucket.h - packages of modules in stores of objects (S3, GCS)
 *
 * A package is one object, an archive, or all objects below a name.  Names of
 * objects are compared by their parts: mods/net.zip is not below mods/net.
 */
#ifndef TFPIPE_INSTALL_MODULE_BUCKET_H
#define TFPIPE_INSTALL_MODULE_BUCKET_H

#include "base/vec.h"
#include "install/modules/module_int.h"

enum { BUCKET_HEADERS = 4 };
/* The most pages of a list; longer ones are refused. */
enum { BUCKET_PAGES = 1000 };

struct object {
	struct str name; /* below that of the package */
	struct str url;
	struct fetch_header headers[BUCKET_HEADERS];
	size_t nheaders;
	struct str token;
	int64_t size;
};
struct objects VEC_OF(struct object);

/* The prefix of all objects of a package: NAME/, or nothing. */
struct str bucket_prefix(struct arena *a, struct str name);
/* Adds the object, unless it represents a directory.  -1 with *why if its name
 * cannot be a file's. */
int bucket_add(struct arena *a, struct objects *all, const struct object *o,
	       struct str prefix, struct str *why);
/* Fetches them in parallel into r->dir. */
int bucket_fetch(struct module_store *s, const struct package_request *r,
		 const struct objects *all, struct str *why);
/* Fetches a package that is one object, an archive; sure: the content at its
 * address never changes. */
int bucket_archive(struct module_store *s, const struct package_request *r,
		   const struct object *o, bool sure, struct str *why);
/* Refuses a checksum: several objects have no common one. */
int bucket_no_checksum(const struct package_request *r, struct str *why);

#endif
