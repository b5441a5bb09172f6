/* module_store_int.h - see module_store.h */
#ifndef TFPIPE_INSTALL_MODULE_STORE_INT_H
#define TFPIPE_INSTALL_MODULE_STORE_INT_H

#include "install/modules/module_int.h"

int module_store_package(struct module_store *s, struct str package,
			 struct str dir, struct str *why);
/* Unpacks an archive on disk into r->dir. */
int module_store_archive(struct module_store *s,
			 const struct package_request *r, struct str file,
			 struct str *why);
struct remote *module_store_remote(struct module_store *s);
/* Started with the first use. */
struct fetch *module_store_hosts(struct module_store *s);
/* NULL with *why where the CLI configuration is wrong. */
struct services *module_store_services(struct module_store *s, struct str *why);
struct oci *module_store_oci(struct module_store *s, struct str *why);
/* The vendor folder.  NULL with *why. */
const struct vendor *module_store_vendor(struct module_store *s,
					 struct str *why);
/* A package in it; NULL with *why. */
const struct vendored *module_store_vendored(struct module_store *s,
					     struct str package,
					     struct str version,
					     struct str *why);
/* A name beside dir that no module has. */
struct str module_beside(struct arena *a, struct str dir, const char *what);

#endif
