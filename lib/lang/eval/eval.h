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
#ifndef TFPIPE_LANG_EVAL_H
#define TFPIPE_LANG_EVAL_H

#include "lang/syntax/ast.h"
#include "lang/eval/func.h"

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
			     const struct eval_local *locals,
			     struct expression e, struct diags *ds);

/* Fills d->values: what the variables in e are (struct diag_value), as
 * OpenTofu's snippets show them.  Unknown and confidential values are
 * mentioned only when they are the cause. */
enum explain_flags {
	EXPLAIN_UNKNOWN = 1 << 0,
	EXPLAIN_CONFIDENTIAL = 1 << 1,
};

#endif
