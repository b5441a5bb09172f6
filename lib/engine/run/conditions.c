/* conditions.c - evaluating preconditions, postconditions, assertions and
 * validations */
#include "engine/run/conditions.h"
#include "base/diag.h"
#include "engine/run/values.h"
#include "lang/eval/eval.h"
#include "lang/syntax/walk.h"
#include "value/convert.h"
#include "value/marks.h"

/* The codes of failed conditions. */
static const enum diag_code codes[] = {
	[COND_PRECONDITION] = DIAG_PRECONDITION,
	[COND_POSTCONDITION] = DIAG_POSTCONDITION,
	[COND_OUTPUT] = DIAG_OUTPUT_PRECONDITION,
	[COND_ASSERT] = DIAG_CHECK_FAILED,
	[COND_VALIDATION] = DIAG_VARIABLE_INVALID,
	[COND_TEST] = DIAG_ASSERTION,
};

struct condition {
	struct run *r;
	struct run_scope *s;
	const struct condition_use *u;
	const struct cfg_condition *c;
	struct arena *scratch;
	struct diags *ds;
	const struct value *said; /* by the message; NULL after errors */
	struct str message;       /* the author's; may be empty */
	bool message_unknown;
};

static struct diag *push(struct condition *x, enum severity sev,
			 const char *summary, struct range at,
			 struct expression shown, unsigned explain,
			 const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
static struct diag *push(struct condition *x, enum severity sev,
			 const char *summary, struct range at,
			 struct expression shown, unsigned explain,
			 const char *fmt, ...)
{
	struct diag d = { .severity = sev,
			  .summary = str_c(summary),
			  .subject = at };
	struct diag *stored;
	va_list ap;

	va_start(ap, fmt);
	d.detail = str_c(arena_vprintf(x->ds->arena, fmt, ap));
	va_end(ap);
	stored = diags_push(x->ds, d);
	if (shown.root)
		eval_explain(x->ds->arena, &x->s->scope, NULL, shown, explain,
			     stored);
	return stored;
}

/* Adds the diagnostic of a condition's outcome. */
static void push_coded(struct condition *x, enum severity sev,
		       enum diag_code code, struct range at, struct str detail)
{
	struct diag *d = push(x, sev, diag_kind(code)->summary, at,
			      x->c->condition, 0, "%.*s", STR_ARG(detail));

	d->code = code;
	d->check = str_dup(x->ds->arena, x->u->address);
}

/* Confidential messages are not shown. */
static bool message_hidden(struct condition *x, const struct value *v)
{
	bool sensitive = value_has_mark_deep(v, MARK_SENSITIVE);
	enum severity sev =
		x->u->kind == COND_VALIDATION ? SEV_ERROR : SEV_WARNING;
	const char *what = sensitive ? "sensitive" : "ephemeral";

	if (!sensitive && !value_has_mark_deep(v, MARK_EPHEMERAL))
		return false;
	push(x, sev,
	     sensitive ? "Error message refers to sensitive values"
		       : "Error message refers to ephemeral values",
	     expression_range(x->c->error_message), x->c->error_message,
	     EXPLAIN_CONFIDENTIAL,
	     "The error message contains %s values, so it is not shown.", what);
	if (x->u->kind == COND_VALIDATION)
		x->message = str_printf(
			x->ds->arena,
			"The error message holds %s values, so it is not shown.",
			what);
	return true;
}

/* Messages of variables in JSON syntax were no templates once. */
static const struct value *literal_message(struct condition *x)
{
	struct expression e = x->c->error_message;
	struct str text = expression_json_text(e);

	if (x->u->kind != COND_VALIDATION || !text.p)
		return NULL;
	push(x, SEV_WARNING, "Validation error message expression is invalid",
	     expression_range(e), e, 0,
	     "The error message cannot be evaluated, so its text is taken as it "
	     "stands. Later versions may refuse it.")
		->context = x->c->at;
	return value_string(x->scratch, text);
}

/* Errors in a message are reported even if the message is not needed. */
static void evaluate_message(struct condition *x)
{
	struct diags own = DIAGS_INIT(x->ds->arena);

	x->said = eval_expression(x->scratch, &x->s->scope, x->c->error_message,
				  &own);
	if (own.errors || x->s->failed)
		x->said = x->s->failed ? NULL : literal_message(x);
	if (!own.errors || !x->said)
		diags_append(x->ds, &own);
}

static void take_message(struct condition *x)
{
	struct range at = expression_range(x->c->error_message);
	const struct value *s;
	struct verror err;

	if (!x->said)
		return;
	s = convert(x->scratch, x->said, &type_string, &err);
	if (!s) {
		push(x, SEV_ERROR, "Invalid error message", at,
		     x->c->error_message, 0,
		     "The error message is not a text: %.*s.",
		     STR_ARG(verror_text(x->scratch, &err)));
		return;
	}
	if (!value_is_known(s)) {
		x->message_unknown = true;
		return;
	}
	if (value_is_null(s)) {
		if (x->u->kind != COND_VALIDATION)
			push(x, SEV_ERROR, "Invalid error message", at,
			     x->c->error_message, 0,
			     "The error message must not be null.");
		return;
	}
	if (!message_hidden(x, s))
		x->message = str_trim(str_dup(x->ds->arena, s->string));
}

/* Evaluation goes on, to find further errors. */
static unsigned check_references(struct condition *x)
{
	struct traversal_vec refs = { 0 };

	x->s->wrong = 0;
	if (x->u->references) {
		expression_variables(x->scratch, x->c->condition, &refs);
		expression_variables(x->scratch, x->c->error_message, &refs);
		x->s->wrong = x->u->references(x->u->data, &refs);
	}
	return x->s->wrong;
}

/* The condition as a boolean; NULL when that is settled already, as *status.
 * Of a variable nothing is known where its rule cannot be evaluated. */
static const struct value *evaluate(struct condition *x,
				    enum check_status *status)
{
	const char *invalid = x->u->kind == COND_VALIDATION
				      ? "Invalid variable validation result"
			      : x->u->kind == COND_TEST
				      ? "Invalid condition run"
				      : "Invalid condition result";
	struct range at = expression_range(x->c->condition);
	const size_t errors = x->ds->errors;
	const struct value *v, *b;
	struct verror err;
	bool wrong;

	*status = x->u->kind == COND_VALIDATION ? CHECK_UNKNOWN : CHECK_ERROR;
	if (check_references(x) && x->u->kind == COND_VALIDATION)
		return NULL;
	v = eval_expression(x->scratch, &x->s->scope, x->c->condition, x->ds);
	wrong = x->ds->errors != errors;
	evaluate_message(x);
	if (x->u->kind != COND_VALIDATION) {
		take_message(x);
		wrong = x->ds->errors != errors;
	}
	if (wrong || x->s->failed)
		return NULL;
	if (!value_is_known(v)) {
		*status = CHECK_UNKNOWN;
		if (x->u->kind == COND_ASSERT)
			push_coded(x, SEV_WARNING, DIAG_CHECK_UNKNOWN, at,
				   STR("The condition depends on values that "
				       "are known only after apply; it is "
				       "checked then."));
		else if (x->u->kind == COND_TEST)
			push(x, SEV_ERROR, "Unknown condition run", at,
			     x->c->condition, 0,
			     "The condition depends on values that are not known at this point.");
		return NULL;
	}
	*status = CHECK_ERROR;
	if (value_is_null(v)) {
		push(x, SEV_ERROR, invalid, at, x->c->condition, 0,
		     "The condition is null; it must be true or false.");
		return NULL;
	}
	b = convert(x->scratch, v, &type_bool, &err);
	if (!b)
		push(x, SEV_ERROR, invalid, at, x->c->condition, 0,
		     "The condition must be true or false: %.*s.",
		     STR_ARG(verror_text(x->scratch, &err)));
	return b;
}

static void report_validation(struct condition *x)
{
	struct range rule = x->c->at;

	if (x->message_unknown) {
		push(x, SEV_ERROR, "Invalid error message",
		     expression_range(x->c->error_message), x->c->error_message,
		     EXPLAIN_UNKNOWN,
		     "The error message depends on values that are known only after apply.");
		return;
	}
	if (!x->message.n)
		x->message = STR(
			"The value is refused; the error message could not be evaluated.");
	push_coded(x, SEV_ERROR, DIAG_VARIABLE_INVALID, x->u->subject,
		   str_printf(x->ds->arena,
			      "%.*s\n\nThis was checked by the validation rule "
			      "at %.*s:%u,%u-%u.",
			      STR_ARG(x->message), STR_ARG(rule.file),
			      rule.start.line, rule.start.column,
			      rule.end.column));
}

static void report_failure(struct condition *x)
{
	bool warn = x->u->warn || x->u->kind == COND_ASSERT;
	struct str text = x->message;

	if (x->u->kind == COND_VALIDATION) {
		report_validation(x);
		return;
	}
	if (!text.n)
		text = STR("The condition is false, but its error message is "
			   "invalid, as the other messages say.");
	push_coded(x, warn ? SEV_WARNING : SEV_ERROR, codes[x->u->kind],
		   expression_range(x->c->condition), text);
}

/* Does a variable's rule need a message that is not known yet?  It may be known
 * later, when the rule is checked again. */
static bool is_open(struct condition *x)
{
	if (x->u->kind != COND_VALIDATION)
		return false;
	take_message(x);
	return x->message_unknown && x->r->opts.phase < RUN_PLAN;
}

static void run_one(struct condition *x)
{
	const struct run_mark mark = run_mark(x->r, x->ds);
	enum check_status status;
	const struct value *b;

	if (x->r->opts.phase == RUN_VALIDATE && x->u->kind == COND_ASSERT) {
		check_references(x);
		evaluate_message(x);
		take_message(x);
		return;
	}
	b = evaluate(x, &status);
	if (b)
		status = b->boolean ? CHECK_PASS : CHECK_FAIL;
	if (status == CHECK_FAIL && is_open(x))
		status = CHECK_UNKNOWN;
	if (status == CHECK_FAIL)
		report_failure(x);
	if (!x->u->object || run_waits(&mark))
		return;
	checks_report(&x->r->checks, x->u->object, status, x->message);
	vec_push(x->r->arena, &x->r->reports,
		 (struct run_report){ x->u->object, status });
}

int run_conditions(struct run *r, struct run_scope *s,
		   const struct condition_use *u,
		   const struct cfg_condition_vec *conds, struct diags *ds)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < conds->len; i++) {
		struct arena scratch = ARENA_INIT;
		struct condition x = { .r = r,
				       .s = s,
				       .u = u,
				       .c = &conds->items[i],
				       .scratch = &scratch,
				       .ds = ds };

		s->failed = false;
		s->condition = true;
		run_one(&x);
		arena_release(&scratch);
		/* of a variable's rules only the first failure is reported */
		if (u->kind == COND_VALIDATION && ds->errors != errors)
			break;
	}
	s->wrong = 0;
	return ds->errors == errors ? 0 : -1;
}
