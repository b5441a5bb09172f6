/* for_each.c - see eval.h */
#include "lang/eval/eval.h"
#include "value/type.h"

static void refuse(const struct for_each_use *x, unsigned explain,
		   const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void refuse(const struct for_each_use *x, unsigned explain,
		   const char *fmt, ...)
{
	struct diag d = { .severity = SEV_ERROR,
			  .summary = STR("Invalid for_each argument"),
			  .subject = expression_range(x->e) };
	struct diag *stored;
	va_list ap;

	va_start(ap, fmt);
	d.detail = str_c(arena_vprintf(x->ds->arena, fmt, ap));
	va_end(ap);
	stored = diags_push(x->ds, d);
	eval_explain(x->ds->arena, x->scope, NULL, x->e, explain, stored);
}

static void refuse_unknown(const struct for_each_use *x, const char *what)
{
	refuse(x, EXPLAIN_UNKNOWN,
	       "The \"for_each\" %s depends on attributes that are known only "
	       "after apply, so its keys, which name the instances, cannot be "
	       "planned. Use keys that the configuration itself fixes, and what "
	       "is known later only in values.",
	       what);
}

/* What for_each must not have, whatever its type. */
static bool is_refused(const struct for_each_use *x, const struct value *v)
{
	const size_t errors = x->ds->errors;

	if (value_is_null(v))
		refuse(x, 0,
		       "\"for_each\" is null; it must be a map or a set of strings.");
	if (value_has_mark(v, MARK_SENSITIVE))
		refuse(x, EXPLAIN_CONFIDENTIAL,
		       "Sensitive values cannot be used here: the keys show in "
		       "instance addresses.");
	if (value_has_mark(v, MARK_EPHEMERAL))
		refuse(x, EXPLAIN_CONFIDENTIAL,
		       "Ephemeral values cannot be used here: the keys show in "
		       "instance addresses.");
	return x->ds->errors != errors;
}

/* A set must hold strings, all known, none null. */
static void check_set(const struct for_each_use *x, const struct value *v)
{
	const struct type *elem = v->type->elem;

	if (elem != &type_string && elem != &type_dynamic) {
		refuse(x, 0,
		       "\"for_each\" takes sets of strings only; this is a set of %.*s.",
		       STR_ARG(type_friendly(x->scratch, elem)));
		return;
	}
	for (uint32_t i = 0; v->state == VALUE_KNOWN && i < v->len; i++)
		if (value_is_null(v->elems[i])) {
			refuse(x, 0, "A \"for_each\" set must not hold null.");
			return;
		}
}

static bool set_has_unknown(const struct value *v)
{
	return v->type->kind == TYPE_SET && v->state == VALUE_KNOWN &&
	       !value_wholly_known(v);
}

static bool may_be_each(enum type_kind k)
{
	return k == TYPE_DYNAMIC || k == TYPE_MAP || k == TYPE_OBJECT ||
	       k == TYPE_SET;
}

bool for_each_check(const struct for_each_use *x, const struct value *v)
{
	const enum type_kind k = v->type->kind;
	const bool known = value_is_known(v) && !set_has_unknown(v);
	bool refused = is_refused(x, v);

	if (k == TYPE_SET)
		check_set(x, v);
	if (!may_be_each(k))
		refuse(x, 0,
		       "\"for_each\" must be a map or a set of strings, and "
		       "this is a value of type %.*s.",
		       STR_ARG(type_friendly(x->scratch, v->type)));
	if (!known && !x->unknown_allowed)
		refuse_unknown(x, k == TYPE_SET ? "set"
				  : may_be_each(k) && k != TYPE_DYNAMIC
					  ? "map"
					  : "value");
	return !known && !refused && may_be_each(k);
}
