/*
 * overrides.h - edits of what tf-eval and tf-graph worked out
 *
 * A value of a local, the instances of an object, an edge of the graph: they
 * replace those of the configuration.  tf-plan finds them among the records of
 * the stages before, and writes those that it used as records `edited`, which
 * tf-apply reads (tf-stream(5), EDITING).
 */
#ifndef TFPIPE_ENGINE_RUN_OVERRIDES_H
#define TFPIPE_ENGINE_RUN_OVERRIDES_H

#include "engine/run/run.h"
#include "graph/graph.h"
#include "stream/stream.h"

struct overrides {
	struct map values;     /* of locals: address -> const struct value * */
	struct map expansions; /* address -> const struct json *, the record */
	struct graph_link_vec links; /* edges: from depends on to */
};

static inline bool overrides_any(const struct overrides *o)
{
	return o->values.len || o->expansions.len || o->links.len;
}

/* A record local_value, expansion or edited, borrowed; if its address is among
 * those of `only` (NULL: any).  One that holds nothing, as of an ephemeral
 * value, is nothing. */
int overrides_read(struct arena *a, struct overrides *o, struct str line,
		   const struct map *only, struct diags *ds);
/* As records `edited`. */
void overrides_write(struct stream_out *out, const struct overrides *o);

/* The value that was given to a local; NULL: none was. */
const struct value *override_value(const struct run_module *m, struct str name);
/* The record of the object's instances; NULL: nobody edited it.  kind and name
 * as for run_address. */
const struct json *override_instances(const struct run_module *m,
				      const char *kind, struct str name);
/* expansion_evaluate by that record.  Keys that were added to a for_each need a
 * set, where their values are the keys. */
void override_expansion(struct run_module *m, const struct json *record,
			struct expression count, struct expression for_each,
			struct expression enabled, struct expansion *e,
			struct diags *ds);

/* Reports overrides of objects that do not exist; called at the end of a run,
 * for only then all instances of modules are known. */
void overrides_check(struct run *r, struct diags *ds);

/* Reports an edited record that cannot be used. */
int override_refused(struct diags *ds, const char *record, struct str address,
		     const char *why);

#endif
