/*
 * funcs_rows.h - table-driven tests of functions: an expression, and what the
 * console shows for it, or '!' and a part of the error's text
 *
 * Names that expressions may use: u_str, u_num, u_list, u_map, u_any (unknown
 * values), s_str, s_list (sensitive), e_str (ephemeral), n_str (a null).
 */
#ifndef TFPIPE_TESTS_UNIT_FUNCS_ROWS_H
#define TFPIPE_TESTS_UNIT_FUNCS_ROWS_H

#include "base/diag.h"
#include "funcs/table.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "test.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/value.h"
#include "value/type.h"

struct row {
	const char *expr, *want;
};

static const struct value *row_variable(struct arena *a, struct str name)
{
	const struct value *s = value_string(a, STR("secret"));

	if (str_is(name, "u_str"))
		return value_unknown(a, &type_string);
	if (str_is(name, "u_num"))
		return value_unknown(a, &type_number);
	if (str_is(name, "u_list"))
		return value_unknown(a, &type_list_string);
	if (str_is(name, "u_map"))
		return value_unknown(a, type_map(&type_string));
	if (str_is(name, "u_any"))
		return &value_unknown_dynamic;
	if (str_is(name, "s_str"))
		return value_with_marks(a, s, &marks_sensitive);
	if (str_is(name, "s_list"))
		return value_with_marks(a, value_list(a, &type_string, &s, 1),
					&marks_sensitive);
	if (str_is(name, "e_str"))
		return value_with_marks(a, s, &marks_ephemeral);
	if (str_is(name, "n_str"))
		return value_null(a, &type_string);
	return NULL;
}

static const struct value *row_resolve(void *data, struct eval *ev,
				       const struct ref *r, size_t *used,
				       struct diags *ds)
{
	(void)data;
	(void)ds;
	*used = 0;
	return row_variable(ev->arena, r->root);
}

static const struct func *row_function(void *data, struct str name)
{
	(void)data;
	return funcs_lookup(name);
}

/* Appends the console's text for v, with '!' or an unknown's refinements. */
static void row_render(struct buf *b, struct arena *a, const struct value *v)
{
	const struct refinement *r = v->state == VALUE_UNKNOWN ? v->refined
							       : NULL;

	value_render(b, v);
	if (v->state != VALUE_UNKNOWN || v->marks)
		return;
	buf_addf(b, " %.*s", STR_ARG(type_friendly(a, v->type)));
	if (r && r->not_null)
		buf_puts(b, " not null");
	if (r && r->prefix.n)
		buf_addf(b, " prefix %.*s", STR_ARG(r->prefix));
	if (r && r->min)
		buf_addf(b, " min %.*s",
			 STR_ARG(value_number_text(a, r->min)));
	if (r && type_is_collection(v->type) && r->len_max != UINT64_MAX)
		buf_addf(b, " %llu..%llu elements",
			 (unsigned long long)r->len_min,
			 (unsigned long long)r->len_max);
}

/* Evaluates a row's expression and appends the result as tables have it. */
static inline void row_eval(struct buf *b, struct arena *a,
			    const struct row *row)
{
	const struct scope s = { .resolve = row_resolve,
				 .function = row_function, .base_dir = ".",
				 .console = true };
	struct diags ds = DIAGS_INIT(a);
	struct source *src = source_new(a, STR("test"), str_c(row->expr));
	struct expression e = parse_expression(a, src, &ds);
	const struct value *v = &value_unknown_dynamic;

	if (e.root)
		v = eval_expression(a, &s, e, &ds);
	if (diags_failed(&ds))
		buf_addf(b, "!%.*s: %.*s", STR_ARG(ds.items[0].summary),
			 STR_ARG(ds.items[0].detail));
	else
		row_render(b, a, v);
}

static inline void check_row(const struct row *row)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	bool ok;

	row_eval(&b, &a, row);
	ok = row->want[0] == '!'
		     ? b.len && b.p[0] == '!' && strstr(b.p, row->want + 1)
		     : str_is(buf_view(&b), row->want);
	CHECK_ROW(ok, row->expr);
	if (!ok)
		test_note("  got  %.*s\n  want %s", STR_ARG(buf_view(&b)),
			  row->want);
	buf_release(&b);
	arena_release(&a);
}

#define CHECK_ROWS(rows)                                                   \
	do {                                                               \
		for (size_t i_ = 0; i_ < sizeof(rows) / sizeof(rows[0]);   \
		     i_++)                                                 \
			check_row(&(rows)[i_]);                            \
	} while (0)

#endif
