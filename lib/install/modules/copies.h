/*
 * copies.h - copies of a package, made before the turns of their modules
 *
 * Many calls of one module may name the same package.  It is fetched in the
 * turn of the first call, and the others get copies (module_store.h).  If there
 * are enough of them, workers make these copies at once, each beside the
 * directory of its module, and in its turn a copy is moved into place.
 *
 * A copy that cannot be made is left for its turn, and only those errors count.
 */
#ifndef TFPIPE_INSTALL_COPIES_H
#define TFPIPE_INSTALL_COPIES_H

#include <stdbool.h>

#include "base/str.h"
#include "install/package/copy_tree.h"

struct copies;
struct hosts;

struct copies *copies_new(struct arena *a, struct hosts *hosts);
/* The module in dir will want the package.  true: it is the first that does,
 * which gets the package itself, as the others get copies. */
bool copies_want(struct copies *c, struct str package, struct str dir);
/* The package is complete, in `from`, and stays there until copies_end: begins
 * to copy, unless that is as quickly done in the turns. */
void copies_begin(struct copies *c, struct str package, struct str from,
		  copy_fn *how);
/* Waits for the copy for dir and moves it there.  false: none was made. */
bool copies_take(struct copies *c, struct str dir);
/* Removes the copies that were not taken. */
void copies_end(struct copies *c);

#endif
