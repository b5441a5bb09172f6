/* encoding_int.h - base64decode, base64encode, urldecode, urlencode */
#ifndef TFPIPE_FUNCS_ENCODING_INT_H
#define TFPIPE_FUNCS_ENCODING_INT_H

#include "funcs/funcs_int.h"

/* Base64 as functions read it: line breaks are ignored.  Returns 0, or -1 with
 * *bad set to the offset of the first wrong byte (encoding.c). */
int encoding_base64_read(struct buf *b, struct str text, size_t *bad);

#endif
