/* fields_read_int.h - members by table, read (see fields_int.h) */
#ifndef TFPIPE_CONFIG_FIELDS_READ_INT_H
#define TFPIPE_CONFIG_FIELDS_READ_INT_H

#include "config/record/fields_int.h"
#include "config/record/record_int.h"

/* Reads the members of an object into the struct, which is empty but for what
 * other members mean.  -1: diagnosed. */
int fields_read(struct cfg_reader *r, const struct fields *f,
		const struct json *j, void *into);

#endif
