/* func_fail.h - errors of function calls, without confidential values */
#ifndef TFPIPE_LANG_FUNC_FAIL_H
#define TFPIPE_LANG_FUNC_FAIL_H

#include "lang/eval/func.h"

/* Fails the call; always returns NULL.  %s is for our own words; all other
 * conversions are for data from the arguments, and are left out if these are
 * sensitive or ephemeral (unless the function handles marks itself:
 * PARAM_MARKED). */
const struct value *func_fail(struct func_call *c, int arg, const char *fmt,
			      ...) __attribute__((format(printf, 3, 4)));
void func_failv(struct func_call *c, int arg, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* The placeholder for a value with these marks: "(sensitive value)" and the
 * like; NULL if it may be shown. */
const char *func_hidden(const struct marks *m);

#endif
