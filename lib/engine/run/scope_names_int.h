/*
 * scope_names_int.h - names with a meaning in all scopes: count, each, path,
 * terraform, self
 */
#ifndef TFPIPE_ENGINE_SCOPE_NAMES_INT_H
#define TFPIPE_ENGINE_SCOPE_NAMES_INT_H

#include "engine/run/run.h"

struct range scope_range(const struct ref *r);
/* The range of root and the first n steps. */
struct range scope_prefix_range(const struct ref *r, size_t n);
/* An error; the unknown value to go on with. */
const struct value *scope_wrong(struct diags *ds, struct range at,
				const char *summary, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* count.NAME and so on; name is r's first step. */
const struct value *scope_count(struct run_scope *s, const struct ref *r,
				struct str name, struct diags *ds);
const struct value *scope_each(struct run_scope *s, const struct ref *r,
			       struct str name, struct diags *ds);
const struct value *scope_path(struct run_scope *s, struct eval *ev,
			       const struct ref *r, struct str name,
			       struct diags *ds);
const struct value *scope_terraform(struct run_scope *s, struct eval *ev,
				    const struct ref *r, struct str name,
				    struct diags *ds);
const struct value *scope_self(struct run_scope *s, const struct ref *r,
			       struct diags *ds);

#endif
