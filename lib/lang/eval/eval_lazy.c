/*
 * eval_lazy.c - try() and can(): functions of expressions rather than values
 */
#include "lang/eval/eval_int.h"
#include "lang/eval/func.h"

static struct str all_failed(struct func_call *c, const struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct str s;

	buf_puts(&b, "no expression succeeded:\n");
	for (size_t i = 0; i < ds->len; i++) {
		const struct diag *d = &ds->items[i];

		buf_addf(&b, "- %.*s", STR_ARG(d->summary));
		if (range_present(&d->subject))
			buf_addf(&b, " (at %.*s:%u,%u-%u)",
				 STR_ARG(d->subject.file),
				 (unsigned)d->subject.start.line,
				 (unsigned)d->subject.start.column,
				 (unsigned)d->subject.end.column);
		buf_addf(&b, "\n  %.*s\n", STR_ARG(d->detail));
	}
	buf_puts(&b, "\nAt least one of the expressions must have a value");
	s = buf_dup(c->arena, &b);
	buf_release(&b);
	return s;
}

/* Failures that are expected leave nothing behind: their diagnostics are in an
 * arena of their own. */
static const struct value *try_impl(struct func_call *c)
{
	struct arena scratch = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&scratch);
	const struct value *v = NULL;

	if (c->nargs == 0)
		return func_fail(c, -1, "at least one argument is needed");
	for (size_t i = 0; i < c->nargs && !v; i++) {
		size_t errors = ds.errors;

		v = eval_attempt(c->eval, c->exprs[i], &ds);
		if (ds.errors != errors)
			v = NULL;
	}
	if (!v) {
		c->err->arg = -1;
		c->err->message = all_failed(c, &ds);
	} else if (!value_wholly_known(v)) {
		/* An error might show only when all is known, and another
		 * expression, of another type, would be the result. */
		v = eval_still_ephemeral(c->eval, &value_unknown_dynamic, v);
	}
	arena_release(&scratch);
	return v;
}

static const struct value *can_impl(struct func_call *c)
{
	struct arena scratch = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&scratch);
	const struct value *v = eval_attempt(c->eval, c->exprs[0], &ds);

	arena_release(&scratch);
	if (ds.errors)
		return &value_false;
	if (!value_wholly_known(v))
		return value_unknown(c->arena, &type_bool);
	return &value_true;
}

static const struct func_param expressions = { "expressions", &type_dynamic, 0,
					       NULL };

static const struct func_param one_expression[] = {
	{ "expression", &type_dynamic, 0, NULL },
	{ 0 },
};

const struct func func_try = {
	.name = "try",
	.description = "The value of the first expression that has one.",
	.variadic = &expressions,
	.impl = try_impl,
	.flags = FUNC_LAZY | FUNC_NULLABLE,
};

const struct func func_can = {
	.name = "can",
	.description = "Whether the expression evaluates without an error.",
	.params = one_expression,
	.result = &type_bool,
	.impl = can_impl,
	.flags = FUNC_LAZY | FUNC_NULLABLE,
};
