/*
 * file_path.h - paths as they are written; no file is looked at
 */
#ifndef TFPIPE_BASE_FILE_PATH_H
#define TFPIPE_BASE_FILE_PATH_H

#include "base/str.h"

/* The directory of a path, with its slash; empty where it has none. */
struct str file_path_directory(struct str path);
/* What is behind that. */
struct str file_path_name(struct str path);
/* The path of a name in the directory, which may be empty or "." and then adds
 * nothing; nor does it to an absolute name.  Both stay as they are written. */
struct str file_path_in(struct arena *a, struct str dir, struct str name);
/* The path without "." and without "x/..": "a/../b//c" is "b/c", "" is ".". */
struct str file_path_clean(struct arena *a, struct str path);
/* The two joined and cleaned; empty only if both are. */
struct str file_path_join(struct arena *a, struct str dir, struct str path);

#endif
