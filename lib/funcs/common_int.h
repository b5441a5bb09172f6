/* common_int.h - what the families of functions share */
#ifndef TFPIPE_FUNCS_COMMON_INT_H
#define TFPIPE_FUNCS_COMMON_INT_H

#include "funcs/funcs_int.h"

/* An unknown of type t, not null. */
const struct value *func_unknown(struct func_call *c, const struct type *t);
/* As func_fail, for result_type callbacks; always returns NULL. */
const struct type *func_fail_type(struct func_call *c, int arg, const char *fmt,
				  ...) __attribute__((format(printf, 3, 4)));
/* Argument i converted to t (the argument is at fault when it cannot be), and
 * the same without an error. */
const struct value *func_convert(struct func_call *c, int i,
				 const struct value *v, const struct type *t);
const struct value *func_try_convert(struct func_call *c, const struct value *v,
				     const struct type *t);
/* The i-th argument without its own marks, which are added to *m. */
const struct value *func_unmark(struct func_call *c, size_t i,
				const struct marks **m);
/* Is length() of this collection or tuple known? */
bool func_length_known(const struct value *v);
/* text in double quotes, escaped: how messages show strings. */
struct str func_quote(struct arena *a, struct str text);
/* The text quoted, or "(sensitive value)" and the like when m says so. */
struct str func_quote_unless_secret(struct arena *a, struct str text,
				    const struct marks *m);
/* The contents of b as a string value; releases b. */
const struct value *buf_value(struct arena *a, struct buf *b);

#endif
