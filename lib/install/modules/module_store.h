/*
 * module_store.h - packages of modules, fetched from wherever they are
 *
 * Each address is fetched once a run: another package with it is a copy,
 * without hidden files (as OpenTofu copies it), files of remote packages as
 * hard links.
 */
#ifndef TFPIPE_INSTALL_MODULE_STORE_H
#define TFPIPE_INSTALL_MODULE_STORE_H

#include "base/str.h"

struct hosts;
struct module_store;

struct module_store_options {
	bool input; /* may prompt for names and passwords */
	struct hosts *hosts;
};

struct module_store *module_store_new(struct arena *a,
				      const struct module_store_options *o);
/* Puts the package (struct module_address.package) into dir, which must not
 * exist and whose parent does; of a repository the commit, unless that is
 * empty.  -1 with *why: a sentence without its full stop; then dir is not
 * there. */
int module_store_fetch(struct module_store *s, struct str package,
		       struct str commit, struct str dir, struct str *why);
/* Announces a later module_store_fetch.  true: the package may be fetched ahead
 * of it (ahead.h), from module_store_begin on.
 */
bool module_store_coming(struct module_store *s, struct str package,
			 struct str commit, struct str dir);
void module_store_begin(struct module_store *s);
/* Nothing more is fetched. */
void module_store_end(struct module_store *s);
struct git *module_store_git(struct module_store *s);
/* Finds a subdirectory, which may have wildcards, of a package.  STR_NONE with
 * *why. */
struct str module_subdir(struct arena *a, struct str dir, struct str subdir,
			 struct str *why);

#endif
