/* init_int.h - the parts of init that are not other rooms' (init.h) */
#ifndef TFPIPE_INSTALL_INIT_INIT_INT_H
#define TFPIPE_INSTALL_INIT_INIT_INT_H

#include "install/init/init.h"

/* copy.c: init -from-module */

/* Fills the directory, which is empty, and installs the modules that it calls.
 * On failure (-1, diagnosed) the directory is as before. */
int init_copy(struct init *t);

void init_tell(struct init *t, enum init_step step, struct str name);
/* A package of a module is fetched (modules.h). */
void init_tell_download(struct init *t, struct str key, struct str package,
			struct str version);

/* make_vendor.c: init -make-vendor: all packages into a folder */

/* Copies all modules and providers into t->vendor_dir.  -1: diagnosed, and a
 * folder that did not exist is removed again. */
int init_make_vendor(struct init *t);

/* root.c: the root module, and the values that its sources may use */

/* Loads the root module alone, and the values of its variables.  -1: there are
 * errors in t->ds; 1: only variables without a value were to be listed, and
 * have been. */
int init_load_root(struct init *t);
/* Reads the configuration, the values of its variables and the state, if
 * there is one, from the stream on standard input.  -1: there are errors in
 * t->ds; 1: a stage before has failed. */
int init_read_stream(struct init *t);

#endif
