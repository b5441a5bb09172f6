/* file_int.h - file, filebase64, fileexists */
#ifndef TFPIPE_FUNCS_FILE_INT_H
#define TFPIPE_FUNCS_FILE_INT_H

#include "funcs/funcs_int.h"

/* Reads the file a path argument means; 0, or -1 with c->err filled. */
int func_read_file(struct func_call *c, struct str path, const struct marks *m,
		   struct buf *out);

#endif
