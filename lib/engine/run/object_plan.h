/*
 * object_plan.h - planning one object of a managed resource with its provider
 *
 * validate - let the provider plan - check what it planned - decide the action
 * - plan again from nothing if the object is to be replaced (lifecycle
 * document, "planned state").  tf-plan does this with what is known before,
 * tf-apply once more with what is known then.
 *
 * Each function but the last fills in the request or takes its answer; the
 * calls are a worker's (worker.h), in the order of the functions here.
 */
#ifndef TFPIPE_ENGINE_RUN_OBJECT_PLAN_H
#define TFPIPE_ENGINE_RUN_OBJECT_PLAN_H

#include "engine/run/run.h"

struct object_plan {
	/* in */
	struct arena *arena; /* results, too */
	struct diags *ds;
	struct str address, provider; /* in words */
	const struct schema_block *schema;
	const struct cfg_lifecycle *lifecycle;
	const struct value *config; /* with marks */
	const struct value *object; /* as it is, with marks; NULL: none */
	bool tainted;               /* planned as if there were none */
	struct str private_data;
	const struct value *identity; /* may be NULL */
	bool forced;                  /* to be replaced in any case */
	bool cbd;                     /* how: create_before_destroy */
	struct provider_request *q;
	/* out */
	bool legacy; /* the provider's type system */
	enum action action;
	enum reason reason;
	const struct value *before;  /* null: nothing */
	const struct value *planned; /* with marks, but of a replacement
	                              * without those of the schema */
	struct str planned_private;
	const struct value *planned_identity;
	struct path_vec replace; /* why it is to be replaced */
	/* The answer to come repeats the warnings of an earlier one. */
	bool quiet;
	/* inner */
	const struct value *prior, *config_ignored;
};

/* Fills in the request to validate the configuration. */
void object_plan_validate(struct object_plan *x);
/* Fills in the request to plan it. */
void object_plan_ask(struct object_plan *x);
/* Takes the answer to that.  true: the object is to be replaced, and q asks
 * once more, for one made from nothing. */
bool object_plan_take(struct object_plan *x);
/* Takes the answer to that. */
void object_plan_take_replacement(struct object_plan *x);

#endif
