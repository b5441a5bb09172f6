/* lock_int.h - taking, describing and handing on the lock of a state */
#ifndef TFPIPE_STATE_LOCK_INT_H
#define TFPIPE_STATE_LOCK_INT_H

#include <fcntl.h>
#include "state/backend/backend.h"

struct lock_info lock_info_new(struct arena *a, const char *operation);
void lock_info_write(struct buf *out, const struct lock_info *l);
int lock_info_read(struct arena *a, struct str text, struct lock_info *out);
/* "Lock Info:" and its lines, as OpenTofu prints them. */
void lock_info_print(struct buf *out, const struct lock_info *l);

/* As backend_load_error. */
int backend_lock_error(struct backend *b, struct str why, struct diags *ds);
/* The same of an attempt that may have taken the lock as `id`, and could not
 * give it back. */
int backend_lock_left(struct backend *b, struct str id, struct str why,
		      struct diags *ds);
int backend_unlock_error(struct backend *b, struct str why, struct diags *ds);

#endif
