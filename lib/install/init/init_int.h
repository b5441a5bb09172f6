/* init_int.h - the parts of init that are not other rooms' (init.h) */
#ifndef TFPIPE_INSTALL_INIT_INT_H
#define TFPIPE_INSTALL_INIT_INT_H

#include "install/init/init.h"

/* --- init.c --- */

void init_tell(struct init *t, enum init_step step, struct str name);
/* A package of a module is fetched (modules.h). */
void init_tell_download(struct init *t, struct str key, struct str package,
			struct str version);

/* --- root.c --- */

/* Loads the root module alone, and the values of its variables.  -1: there are
 * errors in t->ds; 1: variables without a value were listed, which was all
 * there was to do. */
int init_load_root(struct init *t);

/* --- copy.c: -from-module --- */

/* Fills the directory, which is empty, and installs what the module calls.  On
 * failure (-1, diagnosed) the directory is as before. */
int init_copy(struct init *t);

/* --- make_vendor.c --- */

/* Copies all modules and providers into t->vendor_dir.  -1: diagnosed, and a
 * folder that was not there is gone again. */
int init_make_vendor(struct init *t);

#endif
