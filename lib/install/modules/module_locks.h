/*
 * module_locks.h - .terraform.modules.lock: the version or commit of each
 * package of modules, and its hashes
 *
 * HCL as in .terraform.lock.hcl, but a file of its own, since OpenTofu refuses
 * unknown blocks in that one.  Sorted, so that unchanged locks are the same
 * bytes.
 */
#ifndef TFPIPE_INSTALL_MODULE_LOCKS_H
#define TFPIPE_INSTALL_MODULE_LOCKS_H

#include "base/diag.h"
#include "base/opts.h"

#define MODULE_LOCK_FILE ".terraform.modules.lock"

struct module_lock {
	struct str address;    /* of the package, without secrets */
	struct str version;    /* of a registry's module; else empty */
	struct str commit;     /* of a git repository; else empty */
	struct str_vec hashes; /* module_hash.h; one of them it has to be */
	bool used;             /* in this run */
	bool added;            /* in this run: the file does not have it */
};

struct module_locks {
	VEC(struct module_lock) items;
	bool present; /* there is a file */
	struct str text;
};

int module_locks_read(struct arena *a, const char *path,
		      struct module_locks *out, struct diags *ds);
/* NULL: there is none. */
struct module_lock *module_locks_find(const struct module_locks *l,
				      struct str address, struct str version);
bool module_lock_has_hash(const struct module_lock *l, struct str hash);
void module_lock_add_hash(struct arena *a, struct module_lock *l,
			  struct str hash);
bool module_lock_equal(const struct module_lock *l,
		       const struct module_lock *r);
/* The text of the file. */
struct str module_locks_text(struct arena *a, struct module_locks *l);

#endif
