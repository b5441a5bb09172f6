/* fields_write_int.h - members by table, written (see fields_int.h) */
#ifndef TFPIPE_CONFIG_FIELDS_WRITE_INT_H
#define TFPIPE_CONFIG_FIELDS_WRITE_INT_H

#include "config/record/fields_int.h"
#include "config/record/record_int.h"

/* The members of an object, or a record, that is begun. */
void fields_write(struct cfg_writer *wr, struct jw *w, const struct fields *f,
		  const void *from);

#endif
