/* root_int.h - the root module, and the values that its sources may use */
#ifndef TFPIPE_INSTALL_ROOT_INT_H
#define TFPIPE_INSTALL_ROOT_INT_H

#include "install/init/init.h"

/* Loads the root module alone, and the values of its variables.  -1: there are
 * errors in t->ds; 1: only variables without a value were to be listed, and
 * have been. */
int init_load_root(struct init *t);
/* Reads the configuration, the values of its variables and the state, if
 * there is one, from the stream on standard input.  -1: there are errors in
 * t->ds; 1: a stage before has failed. */
int init_read_stream(struct init *t);

#endif
