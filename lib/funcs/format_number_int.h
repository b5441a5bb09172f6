/* format_number_int.h - numbers in format(): see format_int.h */
#ifndef TFPIPE_FUNCS_FORMAT_NUMBER_INT_H
#define TFPIPE_FUNCS_FORMAT_NUMBER_INT_H

#include "funcs/format_int.h"

/* Would it take more than FORMAT_MAX digits without an exponent? */
bool format_too_long(const struct value *v);
/* A known, finite or infinite number with e, E, f, g or G; without precision g
 * writes as many digits as distinguish the number from all others. */
void format_float(struct buf *b, const struct value *v,
		  const struct verb *verb);
/* With b, d, o, x or X; -1 if the number is not whole. */
int format_integer(struct buf *b, const struct value *v,
		   const struct verb *verb);

#endif
