/*
 * unpack.h - the zip archives that provider packages travel in
 */
#ifndef TFPIPE_INSTALL_UNPACK_H
#define TFPIPE_INSTALL_UNPACK_H

#include "base/diag.h"

/* Unpacks the archive into a new directory dir, whose parent exists.  Whatever
 * an archive says, nothing is written outside of dir.  On failure dir is left
 * behind incomplete: see remove_tree. */
int unpack_zip(struct str archive, struct str dir, struct diags *ds);
/* "h1:…" of the files in the archive, as they would be unpacked; STR_NONE if it
 * cannot be read. */
struct str unpack_hash(struct arena *a, struct str archive);
/* Removes a file, a link, or a directory with all that is in it; what is not
 * there is fine.  0, or -1 with errno. */
int remove_tree(const char *path);

#endif
