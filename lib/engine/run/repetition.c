/* repetition.c - count, for_each and enabled: their values, and those that
 * instances see */
#include "engine/run/expand.h"
#include "config/check/refs.h"
#include "engine/run/run_int.h"
#include "engine/run/values.h"
#include "lang/eval/eval.h"
#include "lang/syntax/walk.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/type.h"

struct inst_key expansion_key(const struct expansion *e, size_t i)
{
	switch (e->kind) {
	case EXPAND_COUNT:
		return (struct inst_key){ KEY_INT, (int64_t)i, STR_NONE };
	case EXPAND_EACH:
		return (struct inst_key){ KEY_STRING, 0, e->keys[i] };
	default:
		return KEY_ABSENT;
	}
}

ptrdiff_t expansion_index(const struct expansion *e, struct inst_key k)
{
	switch (e->kind) {
	case EXPAND_COUNT:
		return k.kind == KEY_INT && k.i >= 0 && (size_t)k.i < e->n
			       ? (ptrdiff_t)k.i
			       : -1;
	case EXPAND_EACH:
		return k.kind == KEY_STRING ? map_index(&e->index, k.s) : -1;
	case EXPAND_SINGLE:
	case EXPAND_UNKNOWN:
		return k.kind == KEY_NONE && e->n ? 0 : -1;
	default:
		return -1;
	}
}

struct repetition expansion_repetition(struct arena *a,
				       const struct expansion *e, size_t i)
{
	struct repetition rep = { NULL, NULL, NULL };

	if (e->kind == EXPAND_UNKNOWN) {
		rep.count_index = value_unknown(a, &type_number);
		rep.each_key = value_unknown(a, &type_string);
		rep.each_value = &value_unknown_dynamic;
	} else if (e->kind == EXPAND_COUNT) {
		rep.count_index = value_int(a, (int64_t)i);
	} else if (e->kind == EXPAND_EACH) {
		rep.each_key = value_string(a, e->keys[i]);
		rep.each_value = e->values ? e->values[i] : rep.each_key;
	}
	return rep;
}

struct repetition repetition_unknown(struct run *r, bool count, bool each)
{
	struct repetition rep = { NULL, NULL, NULL };

	if (count)
		rep.count_index = value_unknown(r->arena, &type_number);
	if (each) {
		rep.each_key = value_unknown(r->arena, &type_string);
		rep.each_value = &value_unknown_dynamic;
	}
	return rep;
}

/* One evaluation of a meta-argument. */
struct meta {
	struct run_module *m;
	struct run_scope s;
	struct expression e;
	const char *summary;
	struct arena scratch;
	struct diags *ds;
	size_t errors; /* of ds before */
};

static void meta_begin(struct meta *x, struct run_module *m,
		       struct expression e, const char *summary,
		       struct diags *ds)
{
	*x = (struct meta){ .m = m,
			    .e = e,
			    .summary = summary,
			    .ds = ds,
			    .scratch = ARENA_INIT,
			    .errors = ds->errors };
	run_scope_init(&x->s, m, NULL);
}

static bool meta_failed(const struct meta *x)
{
	return x->s.failed || x->ds->errors != x->errors;
}

static void meta_error(struct meta *x, unsigned explain, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void meta_error(struct meta *x, unsigned explain, const char *fmt, ...)
{
	struct diag d = { .severity = SEV_ERROR };
	struct diag *stored;
	va_list ap;

	va_start(ap, fmt);
	d.detail = str_c(arena_vprintf(x->ds->arena, fmt, ap));
	va_end(ap);
	d.summary = str_c(x->summary);
	d.subject = expression_range(x->e);
	stored = diags_push(x->ds, d);
	eval_explain(x->ds->arena, &x->s.scope, NULL, x->e, explain, stored);
}

static bool unknown_allowed(const struct run_module *m)
{
	const struct run_options *o = &m->run->opts;

	return (o->phase == RUN_EVAL && !o->console) ||
	       o->phase == RUN_VALIDATE;
}

static void expand_count(struct run_module *m, struct expression count,
			 struct expansion *e, struct diags *ds)
{
	const struct value *v;
	struct meta x;
	int64_t n = 0;

	meta_begin(&x, m, count, "Invalid count argument", ds);
	v = eval_convert(&x.scratch, &x.s.scope, count, &type_number,
			 "Incorrect value type", ds);
	if (meta_failed(&x)) {
		arena_release(&x.scratch);
		return;
	}
	if (value_has_mark(v, MARK_EPHEMERAL))
		meta_error(&x, 0,
			   "The number of instances cannot come from an "
			   "ephemeral value, which would show as instance "
			   "keys.");
	else if (value_is_null(v))
		meta_error(&x, 0,
			   "\"count\" is null; it must be a whole number.");
	else if (!value_is_known(v) && unknown_allowed(m))
		e->kind = EXPAND_UNKNOWN;
	else if ((e->late = !value_is_known(v)))
		meta_error(&x, EXPLAIN_UNKNOWN,
			   "\"count\" depends on attributes that are known "
			   "only after apply, so the number of instances "
			   "cannot be planned.");
	else if (!value_get_int(v, &n))
		meta_error(&x, 0, "\"count\" must be a whole number.");
	else if (n < 0)
		meta_error(&x, 0, "\"count\" must be zero or more.");
	else if (n > INSTANCES_MAX)
		meta_error(&x, 0,
			   "\"count\" is more than 1,000,000, the "
			   "most instances that one object can have.");
	else
		e->kind = EXPAND_COUNT;
	e->n = e->kind == EXPAND_COUNT ? (size_t)n : 1;
	arena_release(&x.scratch);
}

static void take_each(struct run *r, const struct value *v, struct expansion *e)
{
	bool set = v->type->kind == TYPE_SET;
	bool object = v->type->kind == TYPE_OBJECT;
	struct str *keys = ARENA_ARRAY(r->arena, struct str, v->len);
	const struct value **values =
		set ? NULL
		    : ARENA_ARRAY(r->arena, const struct value *, v->len);

	e->kind = EXPAND_EACH;
	e->n = v->len;
	for (uint32_t i = 0; i < v->len; i++) {
		struct str k = set      ? v->elems[i]->string
			       : object ? v->type->attrs[i].name
					: v->keys[i];

		keys[i] = str_dup(r->arena, k);
		map_put(r->arena, &e->index, keys[i], &keys[i]);
		if (values)
			values[i] = value_copy(r->arena, v->elems[i]);
	}
	e->keys = keys;
	e->values = values;
}

static void expand_each(struct run_module *m, struct expression for_each,
			struct expansion *e, struct diags *ds)
{
	struct for_each_use use = { .e = for_each,
				    .unknown_allowed = unknown_allowed(m),
				    .ds = ds };
	const struct marks *taken;
	const struct value *v;
	struct meta x;
	bool open;

	meta_begin(&x, m, for_each, "Invalid for_each argument", ds);
	v = eval_expression(&x.scratch, &x.s.scope, for_each, ds);
	if (x.s.failed) {
		arena_release(&x.scratch);
		return;
	}
	use.scratch = &x.scratch;
	use.scope = &x.s.scope;
	open = e->late = for_each_check(&use, v);
	if (!meta_failed(&x) && !open && v->len > INSTANCES_MAX)
		meta_error(&x, 0,
			   "\"for_each\" has more than 1,000,000 "
			   "elements, the most instances that one object "
			   "can have.");
	if (open && use.unknown_allowed) {
		e->kind = EXPAND_UNKNOWN;
		e->n = 1;
	} else if (!meta_failed(&x)) {
		take_each(m->run, value_unmark(&x.scratch, v, &taken), e);
	}
	arena_release(&x.scratch);
}

static void expand_enabled(struct run_module *m, struct expression enabled,
			   struct expansion *e, struct diags *ds)
{
	const struct value *v, *b = NULL;
	struct traversal_vec refs = { 0 };
	struct refs_place here;
	struct verror err;
	struct meta x;

	meta_begin(&x, m, enabled, "Invalid enabled argument", ds);
	here = (struct refs_place){ .m = m->config,
				    .scratch = &x.scratch,
				    .ds = ds };
	expression_variables(&x.scratch, enabled, &refs);
	if (config_refs_check(&here, &refs)) /* validation does not look */
		goto out;
	v = eval_expression(&x.scratch, &x.s.scope, enabled, ds);
	if (x.s.failed)
		goto out;
	if (value_has_mark(v, MARK_SENSITIVE))
		meta_error(&x, EXPLAIN_CONFIDENTIAL,
			   "A sensitive value cannot be used here: whether "
			   "the instance exists would show it.");
	if (value_has_mark(v, MARK_EPHEMERAL))
		meta_error(&x, 0, "An ephemeral value cannot be used here.");
	if (value_is_null(v))
		meta_error(&x, 0,
			   "\"enabled\" is null; it must be true or false.");
	if (!value_is_known(v) && !unknown_allowed(m))
		meta_error(&x, EXPLAIN_UNKNOWN,
			   "\"enabled\" depends on a value that is known only "
			   "after apply, so whether the instance exists "
			   "cannot be planned.");
	if (meta_failed(&x))
		goto out;
	b = convert(&x.scratch, v, &type_bool, &err);
	if (!b) {
		meta_error(&x, 0, "Unsuitable value: %.*s.",
			   STR_ARG(verror_text(&x.scratch, &err)));
		goto out;
	}
	e->kind = value_is_known(b) ? EXPAND_SINGLE : EXPAND_UNKNOWN;
	e->n = !value_is_known(b) || b->boolean;
out:
	arena_release(&x.scratch);
}

void expansion_evaluate(struct run_module *m, struct expression count,
			struct expression for_each, struct expression enabled,
			struct expansion *e, struct diags *ds)
{
	memset(e, 0, sizeof(*e));
	if (m->run->opts.phase == RUN_VALIDATE) {
		/* Reported where the validate walk looks at it. */
		e->kind = EXPAND_UNKNOWN;
		e->n = 1;
		return;
	}
	expansion_compute(m, count, for_each, enabled, e, ds);
}

void expansion_compute(struct run_module *m, struct expression count,
		       struct expression for_each, struct expression enabled,
		       struct expansion *e, struct diags *ds)
{
	memset(e, 0, sizeof(*e)); /* EXPAND_NOT_YET */
	if (count.root) {
		expand_count(m, count, e, ds);
	} else if (for_each.root) {
		expand_each(m, for_each, e, ds);
	} else if (enabled.root) {
		expand_enabled(m, enabled, e, ds);
	} else {
		e->kind = EXPAND_SINGLE;
		e->n = 1;
	}
	if (e->kind == EXPAND_NOT_YET)
		*e = (struct expansion){ .kind = EXPAND_FAILED,
					 .late = e->late };
}
