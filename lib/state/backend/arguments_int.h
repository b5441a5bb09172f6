/*
 * arguments_int.h - the arguments of a backend block, as its file reads them
 *
 * One that is not set has what its line in schemas.c says: what an environment
 * variable holds, or a default.
 */
#ifndef TFPIPE_STATE_ARGUMENTS_INT_H
#define TFPIPE_STATE_ARGUMENTS_INT_H

#include "state/backend/backend_int.h"

/* The value that is set; NULL: none is.  Of an object: that of its member. */
const struct value *argument_value(const struct backend *b, const char *name);
const struct value *argument_member(const struct value *object,
				    const char *name);
/* The text of a value; STR_NONE if that is NULL, or no text. */
struct str argument_string(const struct value *v);
/* STR_NONE (p is NULL): there is none. */
struct str argument_text(const struct backend *b, const char *name);
/* False and 0 where there is none; -1 after a diagnostic about what the
 * environment has. */
int argument_flag(const struct backend *b, const char *name, bool *out,
		  struct diags *ds);
int argument_number(const struct backend *b, const char *name, int64_t *out,
		    struct diags *ds);
/* An error for each argument that must be there, but is not. */
int arguments_required(const struct backend *b, struct diags *ds);
/* "Invalid backend configuration": what is wrong with an argument. */
int argument_error(const struct backend *b, struct diags *ds, const char *name,
		   const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
