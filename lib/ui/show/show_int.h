/* show_int.h - what the files of this room share */
#ifndef TFPIPE_UI_SHOW_SHOW_INT_H
#define TFPIPE_UI_SHOW_SHOW_INT_H

#include "ui/show/show.h"
#include "ui/diff/diff.h"
#include "state/state.h"
#include "ui/outputs.h"
#include "json/write.h"
#include "json/json.h"
#include "ui/show/explain.h"

/* config_expr.c: expressions and bodies in `configuration` */

/* Writes the value if it needs neither references nor functions, and the
 * references, also those in arms that are not taken. */
void config_expression_json(struct jw *w, struct expression e);
/* Writes a member unless it is empty. */
void config_member_unless_empty(struct jw *w, const char *name,
				const struct buf *object);
void config_member_expression(struct jw *w, const char *name,
			      struct expression e);
/* `expressions`: one for each argument of the body, nested as its blocks are;
 * an attribute that is given as blocks is one expression. */
void config_expressions_json(struct jw *w, const struct body *body,
			     const struct schema_block *schema);
/* The attributes of a body whose schema is not known, as `expressions`. */
void config_attributes_json(struct jw *w, const struct body *body);

/*
 * config_json.c: `configuration` of the published plan representation:
 * modules and what they hold
 */

/* `configuration`; that of one module for itself where schemas is NULL. */
void config_json(struct jw *w, const struct config *c,
		 const struct map *schemas);

/* config_json.c: what the files of config_json share */

struct config_providers {
	struct map entries; /* key -> struct provider_entry * */
};

/* config_providers.c: `provider_config` of the published configuration */

/* The provider configurations of all modules, written or implied. */
void config_providers_collect(struct config_providers *ps, struct arena *a,
			      const struct config *c);
/* `provider_config`: those that no parent has. */
void config_providers_json(struct jw *w, struct arena *a,
			   const struct config_providers *ps,
			   const struct map *schemas);
/* The key of the one that a resource uses. */
struct str config_provider_key(const struct config_providers *ps,
			       struct arena *a, const struct cfg_resource *r);

/* drift.c: changes made outside, as far as they matter to the plan */

/* Narrows the difference of a resource_drift record to what was relevant to the
 * plan.  False: nothing was. */
bool shown_drift_relevant(struct arena *a, const struct shown *s,
			  const struct shown_change *c, struct diff_input *in);

/*
 * plan_json.c: the published plan representation (format version 1.2),
 * assembled from the records of a plan stream
 */

/* The published plan representation (show -json PLAN).  -1: an object of the
 * prior state cannot be shown; *why says why, in s's arena. */
int plan_json(struct jw *w, const struct shown *s, struct str *why);

/* part_select.c: what of a plan or a state is shown, by -select */

/* Is the change shown?  -1: diagnosed. */
int shown_select(struct shown *s, struct str line, bool *shown,
		 struct diags *ds);
/* When all is read. */
void shown_select_finish(struct shown *s, struct diags *ds);
/* Takes the objects that are not shown out of a state. */
int shown_select_state(struct shown *s, const struct state *st,
		       struct diags *ds);

/* part.c: a plan or a state of which a part is shown */

/* The record `selection`. */
int shown_keep_part(struct shown *s, struct str line, struct diags *ds);
/* Says so, before all else; what: of how many. */
void shown_parts_text(struct view *v, const struct shown *s, const char *what,
		      const char *more);
void shown_parts_json(struct jw *w, const struct shown *s);

/* state_checks.c: `checks` of the published state representation */

/* Its "checks" member, if there are any. */
void state_checks_json(struct jw *w, const struct state *st);

/*
 * state_object.c: the values of a state's objects, to be shown
 *
 * Only a schema tells which attributes are secret, so what has none, or does
 * not fit it, is not shown: not as JSON either, whose readers count on the
 * types of the schema.
 */

struct state_objects {
	struct arena *arena;
	const struct map *schemas; /* as in struct shown */
	bool any;        /* objects without a schema, or that do not fit it,
			   have the types of their JSON */
	bool schemaless; /* those without a schema have them, and are sensitive
			    as a whole */
	struct str why;  /* why the first object has no value */
	const struct shown *part_of; /* tells what was left out; or NULL */
};

/* The value of an object, marked, in a.  *schema: NULL where it is not by one.
 * NULL, with o->why in o->arena, when the object cannot be shown. */
const struct value *state_object(struct state_objects *o, struct arena *a,
				 const struct state_resource *r,
				 const struct state_instance *i,
				 const struct resource_schema **schema);

/* state_json.c: the published representation of a state */

/* The published state representation.  -1: an object cannot be shown, as
 * objects->why says, and what was written is of no use. */
int state_json(struct jw *w, const struct state *st,
	       struct state_objects *objects);

/* state_list.c: the objects of a state in the order they are shown */

struct state_entry { /* one object */
	const struct state_resource *r;
	const struct state_instance *i; /* NULL: the resource has none */
};

struct state_entry_vec VEC_OF(struct state_entry);

/* Sorted by address; a module's resources, then the modules in it. empty: with
 * resources that are kept without instances. */
void state_entries(struct arena *a, const struct state *st, bool empty,
		   struct state_entry_vec *out);

/* state_text.c: a state as people read it: tofu show, tofu state show */

/* A state as people read it.  -1: an object cannot be shown, as objects->why
 * says, and nothing is. */
int state_text(struct view *v, const struct state *st,
	       struct state_objects *objects);
/* One object of it (state show); -1 as above. */
int state_instance_text(struct buf *b, const struct state_resource *r,
			const struct state_instance *i,
			struct state_objects *objects, struct diff_style st);

/*
 * explain.c: why a plan has a change
 *
 * An explanation is a tree.  At the top is the change, below each node what
 * made it: a rule, an attribute, the expression that an attribute is from, what
 * that refers to, and at the ends what somebody can change.  It is made of what
 * the stream says and nothing is evaluated: of the last run the stream has
 * objects alone, so of variables and local values the present values are shown.
 */

enum {
	EXPLAIN_DEPTH = 20, /* nodes on the way from the change to its source */
	EXPLAIN_WIDTH = 20, /* below one node; the rest is counted */
};

struct why_vec VEC_OF(struct why *);

struct why {
	const char *kind; /* "attribute", "variable", … (tf-show(1)) */
	struct str name;  /* an address or the path of an attribute; or empty */
	struct str says;  /* in words; may be empty */
	struct str expr, at; /* the source text, on one line, and FILE:LINE */
	/* Values.  NULL: there is none. */
	const struct json *before, *after;
	bool changes; /* one becomes the other; else after is what it is */
	bool unknown; /* after is known after the apply */
	bool secret;
	bool expr_secret;
	struct why_vec from;
	size_t more; /* that are left out of from */
};

/* A step of a path: a name, or an index in decimal. */
struct why_path VEC_OF(struct str);

/* Where an expression is evaluated. */
struct why_scope {
	const struct cfg_module *module;
	struct module_addr addr;
	const struct cfg_resource *resource; /* whose count and each; or */
	const struct cfg_call *call;
	struct inst_key key;
	bool secret; /* what it makes is hidden */
	/* Of the value that the one reference leads to; NULL: all of it. */
	const struct why_path *rest;
	int depth;
};

/* A change, or what was changed outside. */
struct explained {
	struct shown_change c;
	struct diff_input in; /* once it was asked for */
	bool has_in;
	bool data; /* no change: a data source that answers otherwise */
	struct why_scope scope;
	const struct schema_block *schema;
};
struct explained_vec VEC_OF(struct explained *);

struct explain {
	struct arena *a;
	struct shown *s;
	struct explain_records *records;
	bool show_sensitive;
	struct map by_resource; /* address without its key -> explained_vec */
	struct map by_address;  /* -> struct explained * */
	struct map drift;       /* the same */
	struct map seen;        /* nodes that have been explained */
};

/* The plan, looked up, and the rules */

/* The instances of a resource in a module instance; NULL: there are none. */
const struct explained_vec *explain_instances(struct explain *x,
					      struct module_addr m,
					      struct resource_addr r);
const struct diff_input *explain_values(struct explain *x, struct explained *e);
struct why *why_new(struct explain *x, const char *kind, struct str name);
void why_add(struct explain *x, struct why_vec *to, struct why *w);
struct str explain_at(struct explain *x, const struct range *r);
/* Was this told already?  It is from now on. */
bool explain_again(struct explain *x, struct str what);
/* In words: "is created". */
const char *explain_action(enum diff_action action);
/* What makes the change: rules, then attributes. */
void explain_causes(struct explain *x, struct explained *e, int depth,
		    struct why_vec *out);

/* explain_attr.c: the attributes of a change */

/* The attributes that differ, and their causes; those that force a replacement
 * first. */
void explain_attributes(struct explain *x, struct explained *e, int depth,
			struct why_vec *out);
/* What a reference to this part of the object gets from its change; NULL: the
 * same as before. */
struct why *explain_part(struct explain *x, struct explained *e,
			 const struct why_path *path, int depth);
/* The attributes that the configuration does not decide. */
void explain_ignored(struct explain *x, struct explained *e,
		     struct why_vec *out);
/* The path within what has this address. */
struct str explain_path_in(struct explain *x, struct str of,
			   const struct why_path *path);
const struct json *explain_json_at(const struct json *j,
				   const struct why_path *path);

/* explain_data.c: a data source that was read anew: its provider, and its
 * values, where e has its schema */
struct str explain_answer_provider(struct explain *x, struct str address);
void explain_answer(struct explain *x, struct explained *e);

/* explain_chain.c: the way back along references */

/* Sets what the node is from: the text of the expression, and what it refers
 * to, as far as that can have changed. */
void explain_expression(struct explain *x, const struct why_scope *in,
			struct expression e, const struct why_path *path,
			struct why *w);
/* The references alone. */
void explain_references(struct explain *x, const struct why_scope *in,
			const struct traversal_vec *refs, struct why *w);
/* The value of the expression where it is a constant, a variable or a local
 * value; else NULL. */
const struct json *explain_constant(struct explain *x,
				    const struct why_scope *in,
				    struct expression e, bool *secret);

/* explain_put.c: written */

void explain_text(struct view *v, struct str head, const struct why_vec *why);
void explain_json(struct jw *w, const struct why_vec *why);

#endif
