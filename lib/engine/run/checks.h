/*
 * checks.h - condition results: preconditions, postconditions, check blocks,
 * variable validations
 *
 * Results are kept per configuration object and per instance of it; they end
 * as `check_result` records (published shape) and as check_results of the
 * state.  An instance whose conditions were not all evaluated counts as
 * unknown.
 */
#ifndef TFPIPE_ENGINE_RUN_CHECKS_H
#define TFPIPE_ENGINE_RUN_CHECKS_H

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
	struct inst_key key; /* resources */
	struct module_addr module;
	size_t passed, failed, errors; /* of the group's total conditions */
	VEC(struct str) problems;      /* error messages of failed conditions */
};

struct check_group { /* one configuration object with conditions */
	enum check_kind kind;
	struct cfg_module *module;
	struct resource_addr resource; /* CHECK_RESOURCE */
	struct str name;               /* other kinds */
	struct str address;            /* module.a.terraform_data.b, check.c */
	size_t total;                  /* conditions of an instance */
	bool expanded;                 /* the instances are known */
	VEC(struct check_object *) objects;
	struct map by_address;
};

struct checks {
	struct arena *arena;
	struct map groups; /* config address -> struct check_group * */
};

/* Registers all objects of the configuration that have conditions. */
void checks_init(struct checks *c, struct arena *a, const struct config *cfg);
/* NULL: the object has no conditions. kind and name as in struct check_group;
 * resource only for CHECK_RESOURCE. */
struct check_group *checks_group(const struct checks *c,
				 const struct cfg_module *m,
				 enum check_kind kind, struct str name,
				 const struct resource_addr *resource);
/* The instances of an object are known from now on, be there any or not;
 * nothing where it has no conditions.  Arguments as above. */
void checks_expanded(const struct checks *c, const struct cfg_module *m,
		     enum check_kind kind, struct str name,
		     const struct resource_addr *resource);
/* The instance, made if needed (address is copied). */
struct check_object *checks_object(struct checks *c, struct check_group *g,
				   struct module_addr module,
				   struct inst_key key, struct str address);
/* One condition's result; message only with CHECK_FAIL (empty: none). */
void checks_report(struct checks *c, struct check_object *o,
		   enum check_status s, struct str message);
/* All of its conditions as they were found before: status, the messages of
 * those that failed in problems. */
void checks_settle(struct checks *c, const struct check_group *g,
		   struct check_object *o, enum check_status s,
		   const struct str_vec *problems);
/* As if the latest such report had not been made. */
void checks_take_back(struct check_object *o, enum check_status s);

/* `check_result` records, published shape, sorted by address. */
void checks_records(struct stream_out *o, const struct checks *c);
/* Into st->checks, for the state file. */
void checks_to_state(struct state *st, const struct checks *c);

enum check_status check_status_from_name(struct str name); /* or unknown */

#endif
