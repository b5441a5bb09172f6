/*
 * object_plan.h - planning one object of a managed resource with its provider
 *
 * validate - let the provider plan - check what it planned - decide the action
 * - plan again from nothing if the object is to be replaced (lifecycle
 * document, "planned state").  tf-plan does this with what is known before,
 * tf-apply once more with what is known then.
 *
 * Whoever plans makes the calls (`call`): it has the provider, the slot and the
 * place of diagnostics.
 */
#ifndef TFPIPE_ENGINE_RUN_OBJECT_PLAN_H
#define TFPIPE_ENGINE_RUN_OBJECT_PLAN_H

#include "engine/run/run.h"

struct object_plan {
	/* in */
	struct arena *arena;          /* results, too */
	struct diags *ds;
	struct str address, provider; /* in words */
	const struct schema_block *schema;
	const struct cfg_lifecycle *lifecycle;
	const struct value *config;   /* with marks */
	const struct value *object;   /* as it is, with marks; NULL: none */
	bool tainted;                 /* planned as if there were none */
	struct str private_data;
	const struct value *identity, *meta; /* may be NULL */
	bool forced;                  /* to be replaced in any case */
	bool cbd;                     /* how: create_before_destroy */
	/* Fills in who asks and sends q; once the answer's diagnostics are in
	 * ds, object_plan_answered follows.  Where there are errors it may be
	 * left out: the planning has ended. */
	void (*call)(struct object_plan *x, enum provider_call call);
	/* ds says whether it worked. */
	void (*done)(struct object_plan *x);
	void *data;                   /* of the two */
	struct provider_request *q;
	/* out */
	bool legacy;                  /* the provider's type system */
	enum action action;
	enum reason reason;
	const struct value *before;   /* null: nothing */
	const struct value *planned;  /* with marks */
	struct str planned_private;
	const struct value *planned_identity;
	struct path_vec replace;      /* why it is to be replaced */
	/* The answer to come repeats the warnings of an earlier one. */
	bool quiet;
	/* inner */
	const struct value *prior, *config_ignored;
	enum provider_call asked;
};

void object_plan_start(struct object_plan *x);
void object_plan_answered(struct object_plan *x);

#endif
