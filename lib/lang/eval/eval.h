/*
 * eval.h - the evaluator: a pure function of an expression and a scope
 *
 * Unknown and error are values: evaluation always yields a value; when
 * diagnostics were added the value is value_unknown_dynamic or what could be
 * made.  Errors that resolve reports count whether or not the value is used: as
 * in OpenTofu, a bad reference in an unused arm of a conditional or inside
 * try() is an error.  A reference is resolved along its traversal: the
 * evaluator collects root name and steps (keys of [..] already evaluated) and
 * asks the scope, which consumes as many steps as it likes and returns the
 * value there; the evaluator applies the rest.
 */
#ifndef TFPIPE_LANG_EVAL_EVAL_H
#define TFPIPE_LANG_EVAL_EVAL_H

#include "lang/syntax/ast.h"
#include "lang/eval/func.h"
#include "value/convert.h"

struct ref_step {
	bool is_attr;            /* .name, else [key] */
	struct str name;         /* is_attr */
	const struct value *key; /* known or unknown, may be marked */
	struct span span;
};

/* A reference as the evaluator meets it. */
struct ref {
	struct str root;
	struct span root_span;
	const struct source *src;
	const struct ref_step *steps;
	size_t nsteps;
	struct span span; /* root and all steps */
};

struct eval; /* one evaluation: arena, diagnostics, scope */

struct scope {
	/* Resolves a prefix of r: sets *used to the number of steps consumed
	 * and returns the value; reports problems to ds and returns
	 * value_unknown_dynamic (with *used = r->nsteps).  Returns NULL
	 * without a diagnostic if the root name means nothing here: the
	 * evaluator reports "Unknown variable" with suggestions. */
	const struct value *(*resolve)(void *data, struct eval *ev,
				       const struct ref *r, size_t *used,
				       struct diags *ds);
	/* Finds a function by name ("abs", "core::abs",
	 * "provider::x::f"); NULL if there is none. */
	const struct func *(*function)(void *data, struct str name);
	/* Is there a provider of this local name, for the message about a
	 * function it has not?  May be NULL. */
	bool (*provider)(void *data, struct str local_name);
	/* For "did you mean": the i-th function name, STR_NONE after the
	 * last.  May be NULL. */
	struct str (*function_name)(void *data, size_t i);
	/* The i-th of the root names that resolve knows, sorted, NONE after the
	 * last.  May be NULL. */
	struct str (*root_name)(void *data, size_t i);
	void *data;
	const char *base_dir;      /* file functions resolve against it */
	struct str plan_timestamp; /* RFC 3339; empty: not known yet */
	bool pure_only;            /* planning: FUNC_IMPURE yields unknown */
	bool validating;           /* variables are unknown in any case */
	bool console;              /* type() is allowed */
};

struct eval {
	struct arena *arena; /* results live here */
	struct diags *diags;
	const struct scope *scope;
	const struct source *src;        /* of the expression being evaluated */
	const struct eval_local *locals; /* innermost for/splat variable */
	const struct value *item;        /* element of the innermost splat */
	struct diags *top; /* the caller's, where resolve reports */
	size_t told;       /* what it had when this began */
	int depth;
	unsigned template_depth; /* nested templatefile calls */
	bool quiet; /* inside try or can: diagnostics get no value list */
};

const struct value *eval_expression(struct arena *a, const struct scope *s,
				    struct expression e, struct diags *ds);

/* Evaluates and converts: on mismatch a diagnostic with the expression's range
 * ("Invalid value for …" is the caller's: summary may be NULL for the
 * default "Incorrect attribute value type"-like text). */
const struct value *eval_convert(struct arena *a, const struct scope *s,
				 struct expression e, const struct type *t,
				 const char *summary, struct diags *ds);

/* With extra local variables around (dynamic-block iterators, template
 * variables): names looked up before the scope. */
struct eval_local {
	const struct eval_local *outer;
	struct str name;
	const struct value *value;
};
const struct value *eval_with_locals(struct arena *a, const struct scope *s,
				     const struct eval_local *locals,
				     struct expression e, struct diags *ds);

/* The expression's value and, apart, its diagnostics: for lazy functions (try,
 * can), and others that go on after a failure. */
const struct value *eval_attempt(struct eval *ev, const struct expr *e,
				 struct diags *ds);

/*
 * v, ephemeral if it is not wholly known and may come to hold something of `of`
 * that is.  OpenTofu forgets all marks of many an unknown result and finds them
 * again when applying.  So does this for sensitivity, to make equal plans.  Not
 * so for what is ephemeral, which would be refused only half-way through an
 * apply; but while validating all variables are unknown, whatever they turn out
 * to be.
 */
const struct value *eval_still_ephemeral(struct eval *ev, const struct value *v,
					 const struct value *of);

/* For functions that evaluate other texts (templatefile, templatestring), and
 * scopes that evaluate while they resolve: e in scope s, as a part of the
 * running evaluation ev, whose depth and template_depth carry over. */
const struct value *eval_sub(struct eval *ev, const struct scope *s,
			     struct expression e, struct diags *ds);

/* Fills d->values: what the variables in e are (struct diag_value), as
 * OpenTofu's snippets show them.  Unknown and confidential values are
 * mentioned only when they are the cause. */
enum explain_flags {
	EXPLAIN_UNKNOWN = 1 << 0,
	EXPLAIN_CONFIDENTIAL = 1 << 1,
};

/*
 * eval_access.c: attribute and index access on values, on every type, with the
 * language's rules for null, unknown and marked ones
 */

/* Single steps, with HCL's diagnostics: v.name, v[key]. */
const struct value *eval_get_attr(struct arena *a, const struct value *v,
				  struct str name, const struct range *at,
				  struct diags *ds);
const struct value *eval_get_index(struct arena *a, const struct value *v,
				   const struct value *key,
				   const struct range *at, struct diags *ds);

/* eval_call.c: names of functions in calls */

/* provider::LOCAL::FUNCTION or provider::LOCAL::ALIAS::FUNCTION, taken apart;
 * false when the name is neither.  alias may be empty. */
bool func_of_provider(struct str name, struct func_of_provider *out);

/*
 * eval_diag.c: diagnostics of the evaluator: what the variables in the
 * expression at fault are, suggestions for misspelt names, deprecations
 */

void eval_explain(struct arena *a, const struct scope *s,
		  const struct eval_local *locals, struct expression e,
		  unsigned flags, struct diag *d);
/* Warns "Value derived from a deprecated source" for each deprecation in v and
 * returns v without them (eval_expression and eval_convert do so). */
const struct value *eval_report_deprecated(struct arena *a,
					   const struct value *v,
					   const struct range *at,
					   struct diags *ds);

/* eval_ref.c: references: a variable and all steps written after it */

/* The innermost of that name; NULL: there is none. */
const struct eval_local *eval_find_local(const struct eval_local *locals,
					 struct str name);

/* expression_static.c: what an expression says without being evaluated; see
 * ast.h */

/* The range for an error about the expression as a whole, when all of it would
 * be too much: the opening bracket, the operator, a string without its quotes;
 * OpenTofu's "start range". */
struct span expression_start(struct expression e);
/* Written in quotes or as a heredoc (and not just one "${...}"). */
bool expression_is_quoted(struct expression e);
/* Static readings of an expression (no evaluation); each returns -1 and adds a
 * diagnostic if the expression is not of that form. */
/* The text of a string in JSON syntax, which is no template then; STR_NONE of
 * everything else. */
struct str expression_json_text(struct expression e);
/* a.b["c"][0] as an absolute traversal; JSON: a string holding one. */
int expression_traversal(struct arena *a, struct expression e,
			 struct traversal_ref *out, struct diags *ds);
/* As above, relative: name or .name (ignore_changes). */
int expression_rel_traversal(struct arena *a, struct expression e,
			     struct traversal_ref *out, struct diags *ds);
/* [x, y]: the element expressions. */
int expression_list(struct arena *a, struct expression e,
		    struct expression **items, size_t *n, struct diags *ds);
/* {k = v}: pairs. */
int expression_map(struct arena *a, struct expression e,
		   struct expression **keys, struct expression **values,
		   size_t *n, struct diags *ds);
/* A bare keyword such as `all`, `any`; STR_NONE if it is not one. */
struct str expression_keyword(struct expression e);

/*
 * typeexpr.c: type constraint expressions: string, list(any),
 * object({ a = optional(string, "x") }), and the quoted legacy forms
 */

/* Reads e as a type constraint.  *defaults (may be NULL) gets the defaults of
 * optional attributes, or NULL if there are none; default expressions are
 * constants.  Returns NULL with diagnostics ("Invalid type specification") on
 * error. allow_optional: whether optional() may occur. */
const struct type *typeexpr_read(struct arena *a, struct expression e,
				 bool allow_optional,
				 const struct type_defaults **defaults,
				 struct diags *ds);

/*
 * for_each.c: what the value of a for_each may be: a map, object or set of
 * strings, not null, with keys that are known and that may be shown
 */

struct for_each_use { /* the argument, and where it was evaluated */
	struct arena *scratch;
	const struct scope *scope;
	struct expression e;
	bool unknown_allowed; /* keys may be unknown */
	struct diags *ds;
};

/* Reports all errors of the value, even if its evaluation had errors.  Returns
 * whether the keys are not known yet, and nothing else is wrong. */
bool for_each_check(const struct for_each_use *x, const struct value *v);

#endif
