/* static_check_int.h - what early evaluation may not use; see static.c */
#ifndef TFPIPE_CONFIG_STATIC_CHECK_INT_H
#define TFPIPE_CONFIG_STATIC_CHECK_INT_H

#include "config/load/loader_int.h"
#include "lang/syntax/walk.h"

struct eval_local;

/* The objects being evaluated: a chain from the use to the definition. */
struct static_frame {
	const struct static_frame *outer;
	struct loader *loader;
	struct cfg_module *module;
	const char *subject; /* "module.a.source", "local.x" */
	struct range at;
	const void *object; /* the definition, to notice circles */
	bool *unknown;      /* set when something is not known yet */
	/* Set when what the expression itself refers to has errors; or NULL. */
	bool *failed;
	const struct eval_local *among; /* values besides; or NULL */
};

struct static_uses { /* of one expression */
	struct traversal_vec vars;
	struct call_vec calls;
};

void static_uses(struct arena *a, struct expression e, struct static_uses *out);
/* Nothing that is known only later, no function of a provider. */
int static_check(const struct static_frame *f, const struct static_uses *uses,
		 struct diags *ds);
/* After an error in a dependency of f: reports that f depends on it. */
void static_explain(const struct static_frame *f, const char *subject,
		    struct diags *ds);
/* The argument that the call of f's module gives to the variable; may be
 * NULL. */
const struct attribute *static_argument(const struct static_frame *f,
					struct str name);

#endif
