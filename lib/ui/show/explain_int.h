/*
 * explain_int.h - why a plan has a change: what its files share
 *
 * An explanation is a tree.  At the top is the change, below each node what
 * made it: a rule, an attribute, the expression that an attribute is from, what
 * that refers to, and at the ends what somebody can change.  It is made of what
 * the stream says and nothing is evaluated: of the last run the stream has
 * objects alone, so of variables and local values the present values are shown.
 */
#ifndef TFPIPE_UI_SHOW_EXPLAIN_INT_H
#define TFPIPE_UI_SHOW_EXPLAIN_INT_H

#include "json/json.h"
#include "ui/show/explain.h"
#include "ui/show/show.h"

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

/* explain.c: the plan, looked up, and the rules */

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
