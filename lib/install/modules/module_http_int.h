/* module_http_int.h - packages of modules on web servers */
#ifndef TFPIPE_INSTALL_MODULE_HTTP_INT_H
#define TFPIPE_INSTALL_MODULE_HTTP_INT_H

#include "install/modules/module_int.h"

/* Announces that module_http_get will be called.  true: the archive is
 * downloaded ahead of it, or is kept. */
bool module_http_coming(struct module_store *s,
			const struct package_request *r);
/* Fetches it, unless it is kept, and unpacks it into r->dir. */
int module_http_get_archive(struct module_store *s,
			    const struct package_request *r,
			    const struct web_archive *w, struct str *why);

#endif
