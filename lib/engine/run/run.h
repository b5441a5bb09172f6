/*
 * run.h - what planning and applying share: one run over one configuration
 *
 * A struct run holds the configuration, the variables, the tree of module
 * instances, the instances of each resource, the values that references see,
 * the providers, the planned changes and the check results.
 *
 * Named values (variables, locals, outputs, expansions) are evaluated on
 * demand and memoised, so nothing needs to be scheduled for them: whoever
 * evaluates an expression must only be sure that all resources it depends on
 * are done (the graph's business).  References are resolved along their
 * traversal: r[count.index].id touches one instance, module.m["k"].x one
 * output.  The value of a whole resource is built once.
 *
 * Memory: run->arena lives as long as the run.  Evaluation for one instance
 * uses a scratch arena (struct run_slot); what is kept is copied.
 *
 * A diagnostic belongs to whoever asks first; a later user of a value that
 * failed gets value_unknown_dynamic and its struct run_scope.failed is set: it
 * must not go on, and need not report anything.
 */
#ifndef TFPIPE_ENGINE_RUN_RUN_H
#define TFPIPE_ENGINE_RUN_RUN_H

#include "config/config.h"
#include "engine/change/change.h"
#include "engine/run/checks.h"
#include "engine/run/inputs.h"
#include "lang/spec/spec.h"
#include "provider/provider.h"
#include "state/state.h"

struct run;
struct run_module;
struct run_resource;
struct run_instance;
struct run_provider;
struct overrides;

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
	bool console;             /* RUN_EVAL as the console has it: types of
				     resources are known, repetition is not */
	bool refresh;             /* default true; -refresh=false */
	bool importing;           /* one object, by the command: what resources
				     are given is not looked at */
	unsigned parallelism;     /* default 10; slots */
	struct target_set only;
	struct str workspace;     /* "default" */
	struct str timestamp;     /* RFC 3339: plantimestamp() */
	struct str dir;           /* root module's directory: path.root */
	struct str original_dir;  /* path.cwd: where the tool was started */
	struct provider_source *providers; /* how providers are found */
	const struct overrides *overrides; /* what was edited; NULL: nothing */
};

/* What a resource's or module call's count / for_each / enabled said. */
enum expansion_kind {
	EXPAND_NOT_YET,
	EXPAND_SINGLE,   /* no repetition: one instance without key; with
	                    enabled = false none (n == 0) */
	EXPAND_COUNT,    /* n */
	EXPAND_EACH,     /* keys and values, keys sorted */
	EXPAND_UNKNOWN,  /* RUN_EVAL and RUN_VALIDATE only: treated as one
	                    instance with unknown repetition data */
	EXPAND_FAILED,   /* reported */
};

struct expansion {
	enum expansion_kind kind;
	size_t n;
	const struct str *keys;
	const struct value *const *values; /* NULL in a set: value = key */
	struct map index;                  /* each: key -> position + 1 */
};
/* The i-th key; the position of a key, or -1. */
struct inst_key expansion_key(const struct expansion *e, size_t i);
ptrdiff_t expansion_index(const struct expansion *e, struct inst_key k);

/* count.index, each.key, each.value; NULL where there is none. */
struct repetition {
	const struct value *count_index, *each_key, *each_value;
};
struct repetition expansion_repetition(struct arena *a,
				       const struct expansion *e, size_t i);

/* A memoised value. */
struct run_memo {
	const struct value *value; /* NULL: not evaluated yet */
	struct run_asked *waits;   /* until this is over it is but a stand-in */
	size_t asked;              /* run->asked when it was begun */
	bool running;              /* being evaluated: a cycle if met again */
	bool failed;
};

/* A module call in one instance of the calling module. */
struct run_call {
	struct cfg_call *config;
	struct run_module *module;    /* the calling instance */
	struct expansion exp;
	struct run_module **children; /* exp.n of them, once expanded */
	struct run_memo whole;        /* value of module.x */
	struct map args;              /* see module_argument */
	bool args_read;
};

/* An instance of a module. */
struct run_module {
	struct run *run;
	struct cfg_module *config;
	struct run_module *parent; /* NULL: root */
	struct run_call *call;     /* NULL: root */
	struct module_addr addr;
	struct str path;           /* printed addr */
	struct repetition rep;     /* of the call, for the child's variables */
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
	struct state_resource *prior;  /* in the state; may be NULL */
	struct expansion exp;
	struct run_instance *instances; /* exp.n of them */
	/* In the state but not in the expansion, and not planned to go:
	 * references see them. */
	VEC(struct run_instance *) extra;
	const struct value *whole;      /* memo of run_resource_value */
	const struct value *unknown;    /* memo, when validating */
	bool plain;                     /* no attribute is deprecated */
	bool pending_changes;           /* some instance has a change that
	                                   is not a no-op */
};

/* An instance that the configuration asks for. */
struct run_instance {
	struct run_resource *resource;
	struct inst_key key;
	/* What references see: planned, read, applied.  NULL: nothing set
	 * yet; then the prior state's object, or unknown. */
	const struct value *value;
	const struct value *seen, *seen_of; /* memo: seen_of with marks */
	struct change *change;   /* NULL: none planned */
	struct run_provider *provider;
	bool excluded;           /* by -target or -exclude */
	bool gone;               /* refresh-only: there is no such object */
	bool failed;             /* planning it failed */
	void *data;              /* the phase's own */
};

/* A scratch arena and the right to keep a provider busy: there are
 * -parallelism of them. */
struct run_slot {
	struct arena arena;     /* reset when the slot is given back */
	struct run *run;
	struct run_slot *next;  /* free list */
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
	struct inputs inputs;          /* root variables, raw */
	struct state *previous;        /* as the stream brought it */
	struct state *prior;           /* upgraded, moved, refreshed */
	struct state *state;           /* apply: the new state being made */
	struct run_module *root;
	const char *base_dir;          /* the root module's, for files */
	struct checks checks;
	struct change_vec changes;     /* in order of planning */
	struct map change_index;       /* address [+ " (deposed x)"] */
	struct map providers;          /* config address text -> instances */
	struct map provider_configs;   /* config address without key */
	struct provider_set *last_provider_set; /* that was asked for */
	struct map provider_processes; /* addr text -> unconfigured provider:
	                                  schemas, functions */
	/* Apply: what the plan was made with; see apply.h.  May be NULL. */
	const struct map *planned_providers;
	/* The last provider that a schema was asked of. */
	struct provider_addr schema_addr;
	struct provider *schema_provider;
	/* run_resource_schema: most resources are like the one before */
	const struct provider_schema *schema_of;
	const struct resource_schema *schema_found;
	enum resource_mode schema_mode;
	struct map provider_opening;   /* addr text -> struct diags *: what
					* nobody was told yet */
	struct map provider_taken;     /* those of them that serve somebody */
	struct map functions;          /* made for this run, by full name;
	                                  see calls.c */
	size_t asked;                  /* how often evaluations met calls whose
	                                  outcome is not known */
	struct run_asked *asked_last;
	struct outcome *outcomes; /* of all calls of functions (calls.c) */
	VEC(struct run_report) reports; /* of conditions, to take them back */
	struct map module_lists;       /* path -> instances, see run_modules */
	VEC(struct run_slot *) slots;
	struct run_slot *free_slots;
	struct run_wait *slot_waiters, **slot_waiters_tail;
	struct run_wait *free_waits;
};

/* --- making (run.c) --- */

/* Everything is borrowed.  previous may be NULL (an empty state). */
struct run *run_new(struct arena *a, struct loop *l, struct config *c,
		    struct state *previous, const struct run_options *o,
		    struct diags *ds);
/* As if nothing had been evaluated yet. */
void run_forget_values(struct run *r);
/* Closes the providers. */
void run_free(struct run *r);

/* --- modules and expansion (expand.c) --- */

/* The instance at an address; NULL if the configuration has none (any more).
 * Expands calls on the way. */
struct run_module *run_module(struct run *r, struct module_addr m,
			      struct diags *ds);
/* Expanded; look at exp.kind. */
struct run_call *run_call(struct run_module *m, const struct cfg_call *c,
			  struct diags *ds);
struct run_module_vec VEC_OF(struct run_module *);
/* All instances of a static module, in order of their addresses.  *failed is
 * set when some call on the way could not be expanded. */
void run_modules(struct run *r, const struct cfg_module *c,
		 struct run_module_vec *out, bool *failed, struct diags *ds);
/* A resource, expanded; NULL if it is not in the configuration. */
struct run_resource *run_resource(struct run_module *m,
				  const struct resource_addr *addr,
				  struct diags *ds);
/* By key, among instances and extra; NULL if there is none. */
struct run_instance *run_instance(struct run_resource *r, struct inst_key k);
/* References still see what the state holds at this key, though it is no longer
 * asked for. */
void run_keep_visible(struct run_resource *rr, struct inst_key key);
struct instance_addr run_instance_addr(const struct run_instance *i);
/* How an object of this instance of a module is called: kind is "local.",
 * "output." and so on, or "" where name says it. */
struct str run_address(struct arena *a, const struct run_module *m,
		       const char *kind, struct str name);
/* Evaluates the three meta-arguments ("Invalid count argument", …).  e->kind is
 * EXPAND_FAILED afterwards when it could not be done. */
void expansion_evaluate(struct run_module *m, struct expression count,
			struct expression for_each, struct expression enabled,
			struct expansion *e, struct diags *ds);

/* --- values (values.c, scope.c) --- */

const struct value *run_variable(struct run_module *m,
				 const struct cfg_variable *v,
				 bool *failed, struct diags *ds);
const struct value *run_local(struct run_module *m, const struct cfg_local *l,
			      bool *failed, struct diags *ds);
/* As the caller of the module sees it (marks of sensitive, ephemeral,
 * deprecated added). */
const struct value *run_output(struct run_module *m,
			       const struct cfg_output *o, bool *failed,
			       struct diags *ds);
/* The value of r as a whole: object, tuple, object of objects. */
const struct value *run_resource_value(struct run_resource *r);
/* One instance, as a reference sees it. */
const struct value *run_instance_value(struct run_instance *i);
/* Sets what references see; v must live in run->arena. */
void run_instance_set(struct run_instance *i, const struct value *v);

/* Decodes an object of the state by its schema; marks from
 * sensitive_attributes and from the schema are added. NULL with a diagnostic
 * when it does not fit. */
const struct value *run_decode_state(struct arena *a,
				     const struct resource_schema *schema,
				     const struct state_instance *i,
				     const struct instance_addr *addr,
				     struct diags *ds);

/* Evaluation in a module instance.  Usage:
 *	struct run_scope s;
 *	run_scope_init(&s, module, &rep);
 *	v = body_decode(arena, body, schema, &s.scope, NULL, ds);
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
	/* What has been said of the references (REFS_... of config/refs.h) and
	 * is not said again: they are unknown, or there is nothing at all. */
	unsigned wrong;
	bool failed;      /* something used had failed before */
	bool condition;   /* see resolve_self() */
	bool self_only;   /* destroy provisioners: self, count, each, path */
	bool outputs;     /* output.x means something: check rules of tests */
};
void run_scope_init(struct run_scope *s, struct run_module *m,
		    const struct repetition *rep);

/* --- changes (changes.c) --- */

void run_change_add(struct run *r, struct change *c);
struct change *run_change(const struct run *r, const struct instance_addr *i,
			  struct str deposed);

/* --- providers (providers.c) --- */

enum provider_state {
	PROVIDER_IDLE,
	PROVIDER_STARTING,
	PROVIDER_READY,
	PROVIDER_FAILED, /* reported */
};

struct run_provider {
	struct provider_config_addr addr; /* key included */
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

/* The schema of a type; opens (but does not configure) the provider when
 * needed.  NULL with a diagnostic, unless ds is NULL or somebody was told
 * before why the provider cannot be opened. */
const struct provider_schema *run_provider_schema(struct run *r,
						  struct provider_addr p,
						  struct diags *ds);
const struct resource_schema *run_resource_schema(struct run *r,
						  struct provider_addr p,
						  const struct resource_addr *t,
						  struct diags *ds);

/* Which provider instance serves this instance: evaluates provider =
 * aws[each.key], looks the configuration up.  NULL with a diagnostic. */
struct run_provider *run_provider_for(struct run_module *m,
				      const struct cfg_resource *c,
				      const struct repetition *rep,
				      struct diags *ds);
/* The instance `key` of a configuration, by its absolute address (key in it
 * ignored); config NULL: implied. Diagnoses "Provider instance not present" in
 * the name of `user`, an instance (deposed: empty, or its deposed key). */
struct run_provider *run_provider_at(struct run *r,
				     const struct provider_config_addr *addr,
				     const struct cfg_provider *config,
				     struct inst_key key, struct str user,
				     struct str deposed, struct diags *ds);
/* Which instances a configuration of m has. */
const struct expansion *run_provider_expansion(struct run_module *m,
					       const struct cfg_provider *p,
					       struct diags *ds);
/* All instances of a configuration; *failed when it cannot be expanded. */
struct run_provider_vec VEC_OF(struct run_provider *);
void run_provider_instances(struct run *r,
			    const struct provider_config_addr *addr,
			    const struct cfg_provider *config,
			    struct run_provider_vec *out, bool *failed,
			    struct diags *ds);

/* Opens, validates and configures p once, then calls fn (never from inside
 * this call); p->state is PROVIDER_READY or PROVIDER_FAILED. */
typedef void run_provider_fn(void *data, struct run_provider *p);
void run_provider_get(struct run *r, struct run_provider *p,
		      run_provider_fn *fn, void *data);
/* Would what is asked of it wait for room, with a limit on processes?  Then
 * work that has not begun gives its slot back, and asks for one again when
 * run_provider_wake calls `again` (never from inside this call). */
bool run_provider_asleep(const struct run *r, const struct run_provider *p);
void run_provider_wake(struct run *r, struct run_provider *p,
		       void (*again)(void *data), void *data);
/* All at once, gracefully or finally. */
void run_providers_stop(struct run *r);

/* Adds a provider's diagnostics: attribute paths become ranges in body (may be
 * NULL), address is added. Returns -1 if there was an error. */
int run_provider_diags(struct diags *ds, const struct provider_request *q,
		       const struct body *body, struct str address);

/* --- functions of providers (calls.c) --- */

/* An evaluation that meets a call whose outcome is not known yet goes on with
 * an unknown value.  Who begins evaluating takes a mark; if it has to wait, the
 * diagnostics since are dropped, and again is called to do it all once more
 * when the outcome is there.  So nothing that counts may be done before it is
 * asked. */
struct run_mark {
	struct run *run;
	struct diags *ds;
	struct diags_mark said;
	size_t asked, reports;
};
struct run_mark run_mark(struct run *r, struct diags *ds);
bool run_must_wait(const struct run_mark *m, void (*again)(void *data),
		   void *data);
/* The question alone. */
bool run_waits(const struct run_mark *m);
/* For who has nothing else to do: waits, running the loop.  true: evaluate
 * again. */
bool run_settle(struct run_mark *m);

/* --- slots (slots.c) --- */

/* Calls fn with a slot, never from inside this call. */
typedef void run_slot_fn(void *data, struct run_slot *s);
void run_slot_get(struct run *r, run_slot_fn *fn, void *data);
void run_slot_put(struct run_slot *s);

/* --- conditions (conditions.c) --- */

enum condition_kind {
	COND_PRECONDITION,
	COND_POSTCONDITION,
	COND_OUTPUT,
	COND_ASSERT,
	COND_VALIDATION,
};
struct condition_use {
	enum condition_kind kind;
	struct check_object *object; /* NULL: results are not kept */
	struct str address;          /* of what has the conditions */
	bool warn;                   /* failures are warnings */
	/* COND_VALIDATION: the variable, and where its value stands */
	const struct cfg_variable *variable;
	struct range subject;
	/* Checks what a condition and its message name together, before they
	 * are evaluated; returns bits of config/refs.h.  NULL: that is done. */
	unsigned (*references)(void *data, const struct traversal_vec *refs);
	void *data;
};
/* An infinite number in v, which is to be stored at the address, is an error:
 * state files are JSON, which has none. */
int run_refuse_infinity(const struct value *v, const struct range *at,
			struct str address, struct diags *ds);

/* Evaluates conditions in s (set s->self where self is allowed), reports each
 * to the check object and to ds.  Failures are errors, with u->warn and of
 * check blocks warnings; what is unknown yet is left for later.  Returns -1 on
 * an error. */
int run_conditions(struct run *r, struct run_scope *s,
		   const struct condition_use *u,
		   const struct cfg_condition_vec *conds, struct diags *ds);

#endif
