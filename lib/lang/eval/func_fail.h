/* func_fail.h - why a call failed, without what must not be told */
#ifndef TFPIPE_LANG_FUNC_FAIL_H
#define TFPIPE_LANG_FUNC_FAIL_H

#include "lang/eval/func.h"

/* Fails the call; always returns NULL.  %s is for words of our own; all other
 * conversions are for what comes of the arguments and are left out where these
 * are sensitive or ephemeral (unless the function sees that by itself:
 * PARAM_MARKED). */
const struct value *func_fail(struct func_call *c, int arg, const char *fmt,
			      ...) __attribute__((format(printf, 3, 4)));
void func_failv(struct func_call *c, int arg, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* What stands for a value of such marks: "(sensitive value)" and the like; NULL
 * where it may be shown. */
const char *func_hidden(const struct marks *m);

#endif
