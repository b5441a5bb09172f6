/*
 * moves.h - moved and removed blocks, and the moves that adding or removing
 * count implies
 *
 * Moves change the state before anything is planned.  Whether the statements
 * are valid is checked after planning, when all instances are known, because
 * errors of them explain all others.
 */
#ifndef TFPIPE_ENGINE_PLAN_MOVES_H
#define TFPIPE_ENGINE_PLAN_MOVES_H

#include "config/config.h"
#include "state/state.h"

enum move_kind { MOVE_MODULE, MOVE_RESOURCE };

/* One end of a move. The first `base` steps are the module of the block: any
 * instance of it, the same at both ends. */
struct move_endpoint {
	enum move_kind kind;
	const struct module_step *steps;
	size_t nsteps, base;
	/* No instance is named, at neither end: the whole module call (its
	 * last step stands for any key), or the whole resource. */
	bool whole;
	struct resource_addr resource; /* MOVE_RESOURCE */
	struct inst_key key;
};

struct move {
	struct move_endpoint from, to;
	struct range at;
	bool implied;
};

struct moved_instance {
	struct instance_addr from, to;
	bool implied;
	bool superseded; /* it moved on from here */
};

struct removal {
	struct target from; /* module steps without keys mean any */
	bool destroy;
	const struct cfg_removed *config;
};

struct moves {
	VEC(struct move) moves;
	VEC(struct removal) removals;
	struct map results;      /* new address -> struct moved_instance * */
	VEC(struct str) blocked; /* "X could not move to Y" */
};

/* Collects the statements of the configuration and what the state implies;
 * invalid ones are diagnosed. */
int moves_collect(struct arena *a, const struct config *c,
		  const struct state *s, struct moves *m, struct diags *ds);

/* The address that the object at this one had before; this one if it did not
 * move. */
const struct instance_addr *moves_origin(const struct moves *m,
					 const struct instance_addr *i);
bool moves_explicit(const struct moves *m, const struct instance_addr *i);
/* The last removed block that covers the address; NULL: none. */
const struct removal *moves_removal(const struct moves *m,
				    const struct instance_addr *i);

/* After planning: cycles, ambiguity, "still exists", …  The functions say
 * whether an object was planned as one of the configuration: none that
 * targeting leaves out; when destroying none at all, and no modules but the
 * root. */
struct moves_world {
	void *data;
	bool (*module_exists)(void *data, struct module_addr m);
	bool (*call_planned)(void *data, const struct cfg_call *c);
	bool (*resource_exists)(void *data, const struct instance_addr *r);
	bool (*instance_exists)(void *data, const struct instance_addr *i);
	bool destroying;
};

#endif
