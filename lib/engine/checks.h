/*
 * checks.h - condition results: preconditions, postconditions, check blocks,
 * variable validations
 *
 * Results are kept per configuration object and per instance of it, in the
 * order of evaluation of conditions; they end as `check` records (published
 * shape) and as check_results of the state.
 */
#ifndef TFPIPE_ENGINE_CHECKS_H
#define TFPIPE_ENGINE_CHECKS_H

#include "config/config.h"
#include "state/state.h"

enum check_status { CHECK_UNKNOWN, CHECK_PASS, CHECK_FAIL, CHECK_ERROR };

enum check_kind {
	CHECK_RESOURCE,
	CHECK_OUTPUT,
	CHECK_BLOCK,
	CHECK_VARIABLE,
};

struct check_object { /* one instance */
	struct str address;
	struct inst_key key;      /* resources */
	struct module_addr module;
	enum check_status status; /* worst of its conditions */
	VEC(struct str) problems; /* error messages of failed conditions */
};

struct check_group { /* one configuration object with conditions */
	enum check_kind kind;
	struct cfg_module *module;
	struct resource_addr resource; /* CHECK_RESOURCE */
	struct str name;               /* other kinds */
	struct str address;            /* module.a.terraform_data.b, check.c */
	bool expanded;                 /* objects are known */
	VEC(struct check_object *) objects;
	struct map by_address;
};

struct checks {
	struct arena *arena;
	struct map groups; /* config address -> struct check_group * */
};

/* Registers all objects of the configuration that have conditions. */
void checks_init(struct checks *c, struct arena *a, const struct config *cfg);
/* NULL: the object has no conditions. */
struct check_group *checks_group(const struct checks *c, struct str address);
struct check_object *checks_object(struct checks *c, struct check_group *g,
				   struct str address);
/* One condition's result; message only with CHECK_FAIL (empty: none). */
void checks_report(struct checks *c, struct check_object *o,
		   enum check_status s, struct str message);

/* `check` records, published shape, sorted by address. */
void checks_records(struct stream_out *o, const struct checks *c);
/* Into st->checks, for the state file. */
void checks_to_state(struct state *st, const struct checks *c);

const char *check_status_name(enum check_status s);

#endif
