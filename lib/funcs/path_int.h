/*
 * path_int.h - abspath, basename, dirname, pathexpand, and paths for the others
 */
#ifndef TFPIPE_FUNCS_PATH_INT_H
#define TFPIPE_FUNCS_PATH_INT_H

#include "funcs/funcs_int.h"

/* The path that a function's path argument means: ~ expanded, relative to the
 * base directory, cleaned.  NULL: the call failed. */
const char *func_path(struct func_call *c, struct str path);
/* A path relative to the base directory, cleaned; ~ is a name. */
struct str func_relative_path(struct func_call *c, struct str path);
/* As path names are understood without looking at files: "a/../b//c" is
 * "b/c", "" is ".". */
struct str path_clean(struct arena *a, struct str p);
/* The paths joined and cleaned; "" only if both are. */
struct str path_join(struct arena *a, struct str dir, struct str p);

#endif
