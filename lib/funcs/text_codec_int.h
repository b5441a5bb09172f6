/* text_codec_int.h - character encodings; see text_int.h */
#ifndef TFPIPE_FUNCS_TEXT_CODEC_INT_H
#define TFPIPE_FUNCS_TEXT_CODEC_INT_H

#include "funcs/text_int.h"

/* From and to UTF-8.  Return 0; -1 if something cannot be represented or means
 * nothing; -2 if the machine does not know the encoding. */
int encoding_encode(const struct encoding *e, struct buf *out, struct str s);
int encoding_decode(const struct encoding *e, struct buf *out, struct str s);

#endif
