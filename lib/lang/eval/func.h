/*
 * func.h - what the evaluator needs to know of a function
 *
 * The table itself is in funcs/; provider functions are made by provider/.
 */
#ifndef TFPIPE_LANG_EVAL_FUNC_H
#define TFPIPE_LANG_EVAL_FUNC_H

#include "value/convert.h"

struct eval;
struct expr;

struct func_param {
	const char *name; /* NULL ends the list */
	const struct type *type;
	unsigned flags;
	const char *description;
};

enum func_param_flags {
	PARAM_NULL = 1 << 0,    /* accepts null */
	PARAM_UNKNOWN = 1 << 1, /* accepts unknown (else: result unknown) */
	PARAM_DYNAMIC = 1 << 2, /* accepts dynamically-typed unknown */
	PARAM_MARKED = 1 << 3,  /* sees marks (else: removed, result marked) */
};

/* Why a function failed. arg: index of the argument at fault, or -1 for the
 * call as a whole. */
struct func_error {
	int arg;
	struct str message;
};

struct func_call {
	struct arena *arena; /* results live here */
	struct eval *eval;   /* scope: base directory, functions, … */
	const struct func *func;
	const struct value *const *args; /* converted to the parameter types */
	/* The argument expressions; FUNC_LAZY gets only these (args is NULL)
	 * and evaluates them with eval_attempt.  With f(xs...) the expanded
	 * elements appear as EXPR_LITERAL. */
	const struct expr *const *exprs;
	size_t nargs;
	/* Marks taken off the arguments before the call; they decide what
	 * func_fail may show. */
	const struct marks *hidden;
	struct func_error *err;
};

struct func {
	const char *name;
	const char *description;
	const char *summary; /* of provider functions; else NULL */
	const struct func_param *params;
	const struct func_param *variadic; /* NULL: none */
	/* Result type where it does not depend on the arguments; else NULL. */
	const struct type *result;
	/* Result type from the arguments (some may be unknown); NULL: error in
	 * c->err.  Used when result is NULL and some argument is unknown. */
	const struct type *(*result_type)(struct func_call *c);
	/* NULL: error in c->err. */
	const struct value *(*impl)(struct func_call *c);
	unsigned flags;
	void *data; /* for functions made at run time */
};

/* That of the argument with the number; NULL: there is none. */
static inline const struct func_param *func_param_at(const struct func *f,
						     size_t i)
{
	for (size_t n = 0; f->params[n].name; n++)
		if (n == i)
			return &f->params[n];
	return f->variadic;
}

enum func_flags {
	FUNC_IMPURE = 1 << 0, /* unknown while planning: timestamp, uuid, … */
	FUNC_NULLABLE =
		1 << 1,     /* result may be null (no not-null refinement) */
	FUNC_LAZY = 1 << 2, /* try, can: gets expressions, see eval.h */
	FUNC_ELSEWHERE = 1 << 3, /* looks at files, or at this machine or run */
};

/* May the same arguments get another answer? */
static inline bool func_looks_elsewhere(const struct func *f)
{
	return f->flags & (FUNC_IMPURE | FUNC_ELSEWHERE);
}

/* The name of a function of a provider, taken apart (func_of_provider). */
struct func_of_provider {
	struct str local, alias, function;
};

/* try() and can(): part of the language, listed in the table of functions like
 * all others. */
extern const struct func func_try, func_can;

/* func_fail.c: errors of function calls, without confidential values */

/* Fails the call; always returns NULL.  %s is for our own words; all other
 * conversions are for data from the arguments, and are left out if these are
 * sensitive or ephemeral (unless the function handles marks itself:
 * PARAM_MARKED). */
const struct value *func_fail(struct func_call *c, int arg, const char *fmt,
			      ...) __attribute__((format(printf, 3, 4)));
void func_failv(struct func_call *c, int arg, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* The placeholder for a value with these marks: "(sensitive value)" and the
 * like; NULL if it may be shown. */
const char *func_hidden(const struct marks *m);

#endif
