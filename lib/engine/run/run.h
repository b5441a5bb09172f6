/*
 * run.h - what planning and applying share: one run over one configuration
 *
 * A struct run holds the configuration, the variables, the tree of module
 * instances, the instances of each resource, the values that references see,
 * the providers, the planned changes and the check results.
 *
 * Named values (variables, locals, outputs, expansions) are evaluated on demand
 * and memoised, so nothing needs to be scheduled for them: the caller that
 * evaluates an expression must only be sure that all resources it depends on
 * are done (the graph's task).  References are resolved along their traversal:
 * r[count.index].id touches one instance, module.m["k"].x one output.  The
 * value of a whole resource is built once.
 *
 * Memory: run->arena lives as long as the run.  Evaluation for one instance
 * uses a scratch arena (struct run_slot); what is kept is copied.
 *
 * A diagnostic goes to the first user of a value; a later user of a value that
 * failed gets value_unknown_dynamic and its struct run_scope.failed is set: it
 * must not go on, and need not report anything.
 */
#ifndef TFPIPE_ENGINE_RUN_RUN_H
#define TFPIPE_ENGINE_RUN_RUN_H

#include "config/config.h"
#include "engine/change/change.h"
#include "engine/run/checks.h"
#include "engine/run/inputs.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "provider/provider.h"
#include "schema/schema.h"
#include "state/state.h"

struct overrides;
struct run;
struct run_instance;
struct run_module;
struct run_provider;
struct run_resource;

enum run_phase {
	RUN_EVAL,     /* tf-eval: resources are unknown, expansion may be */
	RUN_VALIDATE, /* nothing is expanded, all is unknown */
	RUN_PLAN,
	RUN_APPLY,
};

enum run_mode { RUN_NORMAL, RUN_DESTROY, RUN_REFRESH_ONLY };

struct run_options {
	enum run_phase phase;
	enum run_mode mode;
	bool console;               /* RUN_EVAL as the console has it: types of
				     resources are known, repetition is not */
	bool refresh;               /* default true; -refresh=false */
	bool minimal_refresh;       /* only what is to change */
	int64_t refresh_older_than; /* seconds; 0: whenever it was read */
	bool importing;       /* one object, by the command: what resources
				     are given is not looked at */
	unsigned parallelism; /* slots; 0: the default, 10 */
	struct target_set only;
	struct str workspace;    /* "default" */
	struct str timestamp;    /* RFC 3339: plantimestamp() */
	struct str dir;          /* root module's directory: path.root */
	struct str original_dir; /* path.cwd: where the tool was started */
	struct provider_source *providers; /* how providers are found */
	const struct overrides *overrides; /* edits; NULL: none */
	struct encryption *encryption; /* of states that are read; or NULL */
};

/* The result of a resource's or module call's count / for_each / enabled. */
enum expansion_kind {
	EXPAND_NOT_YET, /* being worked out */
	EXPAND_SINGLE,  /* no repetition: one instance without key; with
	                    enabled = false none (n == 0) */
	EXPAND_COUNT,   /* n */
	EXPAND_EACH,    /* keys and values, keys sorted */
	EXPAND_UNKNOWN, /* RUN_EVAL and RUN_VALIDATE only: treated as one
	                    instance with unknown repetition data */
	EXPAND_FAILED,  /* reported */
};

struct expansion {
	enum expansion_kind kind;
	size_t n;
	const struct str *keys;
	const struct value *const *values; /* NULL in a set: value = key */
	struct map index;                  /* each: key -> position + 1 */
	bool late; /* FAILED: for it is known only after apply */
};

/* count.index, each.key, each.value; NULL where there is none. */
struct repetition {
	const struct value *count_index, *each_key, *each_value;
};

/* A memoised value. */
struct run_memo {
	const struct value *value; /* NULL: not evaluated yet */
	struct run_asked *waits;   /* until this is over, a placeholder */
	size_t asked;              /* run->asked when it was begun */
	size_t doubts;             /* run->doubts then */
	bool doubtful; /* it may come to something else later, known or not */
	bool running;  /* being evaluated: a cycle if met again */
	bool failed;
};

/* A module call in one instance of the calling module. */
struct run_call {
	struct cfg_call *config;
	struct run_module *module; /* the calling instance */
	struct expansion exp;
	struct run_module **children; /* exp.n of them, once expanded */
	struct run_memo whole;        /* value of module.x */
	struct map args;              /* see run_module_argument */
	bool args_read;
};

/* An instance of a module. */
struct run_module {
	struct run *run;
	struct cfg_module *config;
	struct run_module *parent; /* NULL: root */
	struct run_call *call;     /* NULL: root */
	struct module_addr addr;
	struct str path;       /* printed addr */
	struct repetition rep; /* of the call, for the child's variables */
	/* by index in the maps of config; allocated when first needed */
	struct run_memo *variables, *locals, *outputs;
	struct run_call **calls;
	struct run_resource **managed, **data, **ephemeral;
};

/* A resource in one instance of its module. */
struct run_resource {
	struct cfg_resource *config;
	struct run_module *module;
	const struct resource_schema *schema; /* NULL: not available */
	struct state_resource *prior;         /* in the state; may be NULL */
	struct expansion exp;
	struct run_instance *instances; /* exp.n of them */
	/* In the state but not in the expansion, and not planned to go:
	 * references see them. */
	VEC(struct run_instance *) extra;
	const struct value *whole;   /* memo of run_resource_value */
	const struct value *unknown; /* memo, when validating */
	bool plain;                  /* no attribute is deprecated */
	bool pending_changes;        /* some instance has a change that
	                                   is not a no-op */
};

/* An instance that the configuration asks for. */
struct run_instance {
	struct run_resource *resource;
	struct inst_key key;
	/* The value that references see: planned, read, applied.  NULL: not set
	 * yet; then the prior state's object, or unknown. */
	const struct value *value;
	const struct value *seen, *seen_of; /* memo: seen_of with marks */
	struct change *change;              /* NULL: none planned */
	struct run_provider *provider;
	bool excluded; /* by -target or -exclude */
	bool gone;     /* refresh-only: there is no such object */
	bool failed;   /* planning it failed */
	void *data;    /* the phase's own */
};

/* A scratch arena and the right to keep a provider busy: there are
 * -parallelism of them. */
struct run_slot {
	struct arena arena; /* reset when the slot is given back */
	struct run *run;
	struct run_slot *next; /* free list */
};

struct run_module_vec VEC_OF(struct run_module *);

/* Evaluation in a module instance.  Usage:
 *	struct run_scope s;
 *	run_scope_init(&s, module, &rep);
 *	v = body_decode(arena, body, schema, &s.scope, ds);
 *	if (s.failed || diags_failed(ds)) … */
struct run_scope {
	struct scope scope;
	struct run *run;
	struct run_module *module;
	struct repetition rep;
	const struct value *self; /* NULL: self is not available */
	/* replaces the module's own variables, for validations */
	const struct cfg_variable *own_variable;
	const struct value *own_value;
	/* Errors of the references (REFS_... of config/check/refs.h) that were
	 * reported and are not repeated: they are unknown, or have no value at
	 * all. */
	unsigned wrong;
	bool failed;    /* something used had failed before */
	bool condition; /* self means the object: scope_self() */
	bool self_only; /* destroy provisioners: self, count, each, path */
	bool outputs;   /* output.x means something: check rules of tests */
};

enum provider_state {
	PROVIDER_IDLE,
	PROVIDER_STARTING,
	PROVIDER_READY,
	PROVIDER_FAILED, /* reported */
};

struct run_provider {
	struct provider_config_addr addr;  /* key included */
	struct str text;                   /* of addr */
	const struct cfg_provider *config; /* NULL: implied, empty */
	struct run_module *module;         /* where config is evaluated */
	struct repetition rep;             /* of provider for_each */
	struct provider *provider;
	enum provider_state state;
	struct run_wait *waiters;
	struct provider_request request; /* of validation and configuration */
	struct body *body;               /* config's, or empty */
};
struct run_provider_vec VEC_OF(struct run_provider *);

/* A place in an evaluation to go back to (calls.c). */
struct run_mark {
	struct run *run;
	struct diags *ds;
	struct diags_mark said;
	size_t asked, reports;
};

struct run_report {
	struct check_object *object;
	enum check_status status;
};

struct run {
	struct arena *arena;
	struct loop *loop;
	struct config *config;
	struct run_options opts;
	struct diags *diags;
	struct inputs inputs;   /* root variables, raw */
	struct state *previous; /* as the stream brought it */
	struct state *prior;    /* upgraded, moved, refreshed */
	struct state *state;    /* apply: the new state being made */
	struct run_module *root;
	struct map aside; /* path -> struct run_module *: run_module_aside */
	const char *base_dir; /* the root module's, for files */
	struct checks checks;
	struct change_vec changes;   /* in order of planning */
	struct map change_index;     /* address [+ " (deposed x)"] */
	struct map providers;        /* config address text -> instances */
	struct map provider_configs; /* config address without key */
	struct provider_set *last_provider_set; /* that was asked for */
	struct map provider_processes; /* addr text -> unconfigured provider:
	                                  schemas, functions */
	/* Apply: what the plan was made with; see apply.h.  May be NULL. */
	const struct map *planned_providers;
	/* Outputs of called modules that keep the value which was planned:
	 * address -> const struct value *.  May be NULL. */
	const struct map *planned_outputs;
	/* The last provider that a schema was asked of. */
	struct provider_addr schema_addr;
	struct provider *schema_provider;
	/* run_resource_schema: most resources are like the one before */
	const struct provider_schema *schema_of;
	const struct resource_schema *schema_found;
	enum resource_mode schema_mode;
	struct map provider_opening; /* addr text -> struct diags *: not
					* reported yet */
	struct map provider_taken;   /* those of them that are in use */
	struct map functions;        /* made for this run, by full name;
	                                  see calls.c */
	size_t asked;                /* how often evaluations met calls whose
	                                  outcome is not known */
	struct run_asked *asked_last;
	/* How often evaluations met what is unknown, or a function that looks
	 * elsewhere: what comes of it may be another value when all is done. */
	size_t doubts;
	struct outcome *outcomes; /* of all calls of functions (calls.c) */
	VEC(struct run_report) reports; /* of conditions, to take them back */
	struct map defaults; /* of variables of called modules, see values.c */
	/* Apply: resources to which nothing happens, by their pointers: what
	 * their repetition refers to may not be done when they are named. */
	struct map idle;
	struct map module_lists; /* path -> instances, see run_modules */
	VEC(struct run_slot *) slots;
	struct run_slot *free_slots;
	struct run_wait *slot_waiters, **slot_waiters_tail;
	struct run_wait *free_waits;
};

/* Sets *n to -parallelism, checked; 0 is the default.  -1: diagnosed. */
int run_parallelism(long given, unsigned *n, struct diags *ds);
/* Everything is borrowed.  previous may be NULL (an empty state). */
struct run *run_new(struct arena *a, struct loop *l, struct config *c,
		    struct state *previous, const struct run_options *o,
		    struct diags *ds);
/* As if nothing had been evaluated yet. */
void run_forget_values(struct run *r);
/* Closes the providers. */
void run_free(struct run *r);

/* changes.c: the changes of a run, by address */

void run_change_add(struct run *r, struct change *c);
/* The change of an object that is not deposed. */
struct change *run_change(const struct run *r, const struct instance_addr *i);

/* slots.c: at most -parallelism instances are worked on at a time */

/* Calls fn with a slot, never from inside this call. */
typedef void run_slot_fn(void *data, struct run_slot *s);
void run_slot_get(struct run *r, run_slot_fn *fn, void *data);
void run_slot_put(struct run_slot *s);

#endif
