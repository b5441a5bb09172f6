/* static.h - early evaluation of blocks of the root module */
#ifndef TFPIPE_CONFIG_STATIC_H
#define TFPIPE_CONFIG_STATIC_H

#include "config/load/load.h"
#include "schema/schema.h"

/* Evaluates an expression of the root module early, one of the block at `at`.
 * NULL after a diagnostic, or when a variable's value is not known. */
const struct value *config_static_value(
	struct config *c, const struct config_options *o, struct expression e,
	const char *subject, const struct range *at, struct diags *ds);
/* The value of e where `among` has more values, by their root names; NULL:
 * none. */
struct eval_local;
const struct value *config_static_value_among(
	struct config *c, const struct config_options *o, struct expression e,
	const struct eval_local *among, const char *subject,
	const struct range *at, struct diags *ds);

struct static_body {
	const char *subject;    /* whose arguments they are: "backend.s3" */
	const struct range *at; /* the block's header */
	/* Only references that cannot be evaluated are errors; of the rest,
	 * unsupported arguments for instance, the value is made up. */
	bool lenient;
};

/* Decodes a body early: with variables, locals, path and terraform.workspace.
 * NULL after a diagnostic, or when a variable's value is not known. */
const struct value *config_static_body(struct config *c,
				       const struct config_options *o,
				       const struct body *b,
				       const struct schema_block *schema,
				       const struct static_body *what,
				       struct diags *ds);

#endif
