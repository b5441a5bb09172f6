/* relevant_int.h - what the files of relevant share */
#ifndef TFPIPE_ENGINE_PLAN_RELEVANT_INT_H
#define TFPIPE_ENGINE_PLAN_RELEVANT_INT_H

#include "engine/plan/plan_int.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"

/* A module as references name it: the keys of its address are those that were
 * written, so that it may stand for several instances, or for none. */
struct relevant_module {
	const struct cfg_module *config;
	struct relevant_module *parent;
	struct module_addr addr;
	struct str path;
	struct map *args; /* of the call, by name */
};

struct followed {
	struct relevant_module *m;
	const struct cfg_resource *in; /* the resource it is in, or NULL */
	const struct traversal_ref *t;
};

struct relevant {
	struct plan *p;
	struct arena a;
	struct arena scratch; /* for one reference */
	struct buf key;
	struct map seen;
	struct map modules; /* relevant_module by path */
	struct map args;    /* of calls, by the path of what they call */
	VEC(struct followed) queue;
	size_t next;
};

/* Queues the references of an expression, or of a body, in module m; in: the
 * resource that it configures, or NULL. */
void relevant_expression(struct relevant *x, struct relevant_module *m,
			 const struct cfg_resource *in, struct expression e);
void relevant_body(struct relevant *x, struct relevant_module *m,
		   const struct cfg_resource *in, const struct body *b,
		   const struct schema_block *schema);

#endif
