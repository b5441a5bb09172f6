/* value_test.c - making, looking, equality, sets, marks, refinements, text */
#include "test.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"
#include "value/string.h"

static struct arena arena = ARENA_INIT;
static struct arena *const A = &arena;

static const struct value *S(const char *s)
{
	return value_string(A, str_c(s));
}

static const struct value *N(const char *s)
{
	return value_number_parse(A, str_c(s));
}

static const struct value *secret(const struct value *v)
{
	return value_with_marks(A, v, &marks_sensitive);
}

/* A compact way to see a value: type kinds by their brackets, unknown "?",
 * null "~", sensitive "!" before. */
static void show(struct buf *b, const struct value *v)
{
	static const char *const open[] = { [TYPE_LIST] = "[",
					    [TYPE_SET] = "{|",
					    [TYPE_MAP] = "{",
					    [TYPE_TUPLE] = "<",
					    [TYPE_OBJECT] = "(" };
	static const char *const close[] = { [TYPE_LIST] = "]",
					     [TYPE_SET] = "|}",
					     [TYPE_MAP] = "}",
					     [TYPE_TUPLE] = ">",
					     [TYPE_OBJECT] = ")" };

	if (value_has_mark(v, MARK_SENSITIVE))
		buf_putc(b, '!');
	if (v->state != VALUE_KNOWN) {
		buf_putc(b, v->state == VALUE_NULL ? '~' : '?');
		return;
	}
	switch (v->type->kind) {
	case TYPE_BOOL:
		buf_puts(b, v->boolean ? "true" : "false");
		return;
	case TYPE_NUMBER:
		buf_str(b, value_number_text(A, v));
		return;
	case TYPE_STRING:
		str_quote(b, v->string);
		return;
	default:
		break;
	}
	buf_puts(b, open[v->type->kind]);
	for (uint32_t i = 0; i < v->len; i++) {
		if (i)
			buf_putc(b, ' ');
		if (v->type->kind == TYPE_MAP)
			buf_addf(b, "%.*s=", STR_ARG(v->keys[i]));
		if (v->type->kind == TYPE_OBJECT)
			buf_addf(b, "%.*s=", STR_ARG(v->type->attrs[i].name));
		show(b, v->elems[i]);
	}
	buf_puts(b, close[v->type->kind]);
}

static struct str shown(const struct value *v)
{
	struct buf b = BUF_INIT;

	show(&b, v);
	return buf_take(A, &b);
}

/* --- strings --- */

static void test_nfc(void)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "abc", "abc" },
		{ "e\xcc\x81", "\xc3\xa9" },
		{ "\xc3\xa9", "\xc3\xa9" },
		{ "\xe2\x84\xab", "\xc3\x85" },		/* angstrom sign */
		{ "\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80" }, /* jamo */
		{ "q\xcc\x87\xcc\xa3", "q\xcc\xa3\xcc\x87" },   /* reorder */
		{ "\xef\xac\x81", "\xef\xac\x81" }, /* ligature: not canonical */
		{ "\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac" },
		{ "\xe3\x81\x8b\xe3\x82\x99", "\xe3\x81\x8c" },
		/* invalid bytes stay, what is between them is normalised */
		{ "\xff\xfe", "\xff\xfe" },
		{ "e\xcc\x81\xff" "e\xcc\x81", "\xc3\xa9\xff\xc3\xa9" },
		{ "e\xff\xcc\x81", "e\xff\xcc\x81" },
		{ "\xed\xa0\x80\xf4\x90\x80\x80",
		  "\xed\xa0\x80\xf4\x90\x80\x80" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_STR(S(rows[i][0])->string, rows[i][1]);
	CHECK(value_equal_unmarked(S("e\xcc\x81"), S("\xc3\xa9")));
}

static void test_quote(void)
{
	static const char *const rows[][2] = {
		{ "", "\"\"" },
		{ "a\"b\\", "\"a\\\"b\\\\\"" },
		{ "\a\b\t\n\v\f\r", "\"\\a\\b\\t\\n\\v\\f\\r\"" },
		{ "\x01\x1b\x7f", "\"\\x01\\x1b\\x7f\"" },
		{ "\xc3\xa9", "\"\xc3\xa9\"" },
		{ "\xc2\xa0", "\"\\u00a0\"" },
		{ "\xe2\x80\xa8", "\"\\u2028\"" },
		{ "\xef\xbb\xbf", "\"\\ufeff\"" },
		{ "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"" },
		{ "\xf3\xa0\x80\x81", "\"\\U000e0001\"" },
		{ "\xff", "\"\\xff\"" },
		{ "\xf0\x91\xbc\x80", "\"\xf0\x91\xbc\x80\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf b = BUF_INIT;

		str_quote(&b, str_c(rows[i][0]));
		CHECK_STR(buf_view(&b), rows[i][1]);
		buf_release(&b);
	}
}

static void test_safe_prefix(void)
{
	static const char *const rows[][2] = {
		{ "", "" },	    { "a", "" },
		{ "abc", "ab" },    { "abc-", "abc-" },
		{ "abc1", "abc" },  { "abc/", "abc/" },
		{ "abc=", "abc" },  { "a\n", "a" },
		{ "a\r", "a" },	    { "ab\r\n", "ab" },
		{ "a b", "a " },    { "a ", "a " },
		{ "--", "--" },	    { "-", "-" },
		{ "1", "" },	    { "12", "1" },
		{ "a<", "a" },	    { "\xe6\x97\xa5\xe6\x9c\xac",
				      "\xe6\x97\xa5" },
		{ "abc\xc3\xa9", "abc" }, { "e\xcc\x81", "" },
		{ "x:\xc3\xa9-", "x:\xc3\xa9-" },
		{ "a-\nb-", "a-" }, { "a\rb-", "a" },
		{ "a\r\nb-", "a\r\nb-" }, { "a\xe1\x86\xa8", "" },
		{ "a\xe2\x98\x83", "a" }, { "a\xf0\x9f\x91\x8d", "a" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_STR(str_safe_prefix(A, str_c(rows[i][0])), rows[i][1]);
}

/* --- composite values --- */

static void test_making(void)
{
	struct str names[] = { STR("b"), STR("a"), STR("b"), STR("e\xcc\x81") };
	const struct value *vals[] = { S("1"), S("2"), S("3"), S("4") };
	const struct value *m = value_map(A, &type_string, names, vals, 4);
	const struct value *o = value_object(A, names, vals, 4);
	const struct value *t = value_tuple(A, vals, 2);
	const struct value *l = value_list(A, &type_string, vals, 3);

	CHECK_STR(shown(m), "{a=\"2\" b=\"3\" \xc3\xa9=\"4\"}");
	CHECK_STR(shown(o), "(a=\"2\" b=\"3\" \xc3\xa9=\"4\")");
	CHECK_STR(shown(t), "<\"1\" \"2\">");
	CHECK_STR(shown(l), "[\"1\" \"2\" \"3\"]");
	CHECK_STR(value_get(m, STR("b"))->string, "3");
	CHECK_STR(value_get(o, STR("a"))->string, "2");
	CHECK(value_get(m, STR("c")) == NULL);
	CHECK(value_get(o, STR("c")) == NULL);
	CHECK(value_get(l, STR("a")) == NULL);
	CHECK(value_get(value_unknown(A, o->type), STR("a")) == NULL);
	CHECK(o->type == value_object_of(A, o->type, o->elems)->type);
	CHECK(value_wholly_known(o));
	vals[1] = value_unknown(A, &type_string);
	t = value_tuple(A, vals, 2);
	CHECK(!value_wholly_known(t));
	CHECK(!value_wholly_known(value_tuple(A, &t, 1)));
	CHECK(value_null(A, &type_dynamic) == &value_null_dynamic);
	CHECK(value_unknown(A, &type_dynamic) == &value_unknown_dynamic);
}

static void test_many_names(void)
{
	enum { COUNT = 500 };
	struct str names[COUNT];
	const struct value *vals[COUNT], *o, *m;
	bool found = true;

	for (int i = 0; i < COUNT; i++) {
		int k = i * 7919 % COUNT;

		names[i] = str_printf(A, "name%d", k);
		vals[i] = value_int(A, k);
	}
	o = value_object(A, names, vals, COUNT);
	m = value_map(A, &type_number, names, vals, COUNT);
	CHECK(o->len == COUNT && m->len == COUNT);
	for (int i = 0; i < COUNT; i++) {
		found &= value_get(o, names[i]) == vals[i];
		found &= value_get(m, names[i]) == vals[i];
	}
	CHECK(found);
}

/* --- sets --- */

static void test_primitive_sets(void)
{
	const struct value *s[] = { S("b"), S("a"), value_null(A, &type_string),
				    S("b"), value_unknown(A, &type_string),
				    S("B"), S("\xc3\xa9"), S("e\xcc\x81"),
				    value_unknown(A, &type_string),
				    value_null(A, &type_string), S("") };
	const struct value *n[] = { N("10"), N("9"), N("-1"), N("0.5"),
				    N("10.0"), value_int(A, 9), N("1e30"),
				    value_double(A, 0.5), N("-0"), N("0") };
	const struct value *b[] = { &value_true, &value_false, &value_true };
	const struct value *d[] = { N("0.1"), value_double(A, 0.1) };
	const struct value *set;

	CHECK_STR(shown(value_set(A, &type_string, s, 11)),
		  "{|\"\" \"B\" \"a\" \"b\" \"\xc3\xa9\" ? ? ~|}");
	set = value_set(A, &type_number, n, 10);
	CHECK_STR(shown(set), "{|-1 -0 0 0.5 9 10 "
			      "1000000000000000000000000000000|}");
	CHECK(value_set_has(set, N("9")) && value_set_has(set, N("0")));
	CHECK(!value_set_has(set, N("8")));
	CHECK_STR(shown(value_set(A, &type_bool, b, 3)), "{|false true|}");
	CHECK_STR(shown(value_set(A, &type_number, d, 2)), "{|0.1|}");
	CHECK(value_set(A, &type_number, d, 2)->elems[0] == d[0]);
	CHECK_STR(shown(value_set(A, &type_bool, NULL, 0)), "{||}");
}

static const struct value *pair(const struct value *x, const struct value *y)
{
	struct str names[] = { STR("k"), STR("v") };
	const struct value *vals[] = { x, y };

	return value_object(A, names, vals, 2);
}

static void test_composite_sets(void)
{
	const struct value *o[] = {
		pair(S("b"), N("1")),  pair(S("a"), N("10")),
		pair(S("a"), N("9")),  pair(S("b"), N("1.0")),
		pair(S("B"), N("1")),  pair(S("a"), value_null(A, &type_number)),
	};
	const struct value *close[] = {
		pair(S("x"), N("12345678901")), pair(S("x"), N("12345678902")),
		pair(S("x"), N("12345678901")), pair(S("x"), N("12345678900")),
		pair(S("x"), N("12345678902")),
	};
	const struct value *unknown[] = {
		pair(S("b"), value_unknown(A, &type_number)),
		pair(S("b"), value_unknown(A, &type_number)),
		pair(S("a"), N("1")),
		value_unknown(A, o[0]->type),
	};
	const struct value *set = value_set(A, o[0]->type, o, 6);

	/* "10" sorts before "9": the bytes of the spelling count */
	CHECK_STR(shown(set),
		  "{|(k=\"B\" v=1) (k=\"a\" v=10) (k=\"a\" v=9) "
		  "(k=\"a\" v=~) (k=\"b\" v=1)|}");
	for (int i = 0; i < 6; i++)
		CHECK(value_set_has(set, o[i]));
	CHECK(!value_set_has(set, pair(S("c"), N("1"))));
	set = value_set(A, close[0]->type, close, 5);
	CHECK_STR(shown(set),
		  "{|(k=\"x\" v=12345678901) (k=\"x\" v=12345678902) "
		  "(k=\"x\" v=12345678900)|}");
	CHECK(value_set_has(set, close[4]));
	CHECK(!value_set_has(set, pair(S("x"), N("12345678903"))));
	set = value_set(A, unknown[0]->type, unknown, 4);
	CHECK_STR(shown(set), "{|(k=\"a\" v=1) (k=\"b\" v=?) (k=\"b\" v=?) ?|}");
	CHECK(set->inner_unknown);
}

static void test_set_marks(void)
{
	const struct value *in[] = { secret(S("b")), S("a"), S("b") };
	const struct value *set = value_set(A, &type_string, in, 3);

	CHECK_STR(shown(set), "!{|\"a\" \"b\"|}");
	CHECK(!set->inner_marks);
}

static void test_large_set(void)
{
	enum { COUNT = 20000 };
	const struct value **in = arena_alloc(A, COUNT * sizeof(*in));
	const struct value *set;

	for (int i = 0; i < COUNT; i++) /* same ten digits, half twice */
		in[i] = pair(S("x"), value_int(A, 1000000000000000 + i / 2));
	set = value_set(A, in[0]->type, in, COUNT);
	CHECK(set->len == COUNT / 2);
	CHECK(value_equal_unmarked(set, value_set(A, in[0]->type, set->elems,
						  set->len)));
}

/* --- equality --- */

static void test_equals(void)
{
	const struct value *u = value_unknown(A, &type_string);
	const struct value *un = value_unknown(A, &type_number);
	const struct value *null = value_null(A, &type_string);
	const struct value *nn = value_refine_not_null(A, u);
	const struct value *dyn = &value_unknown_dynamic;
	const struct value *t1 = pair(S("a"), un), *t2 = pair(S("b"), un);
	struct refinement r = refinement_none;
	const struct value *pre, *big;
	struct {
		const struct value *x, *y;
		const char *want;
	} rows[] = {
		{ S("a"), S("a"), "true" },
		{ S("a"), S("b"), "false" },
		{ S("1"), N("1"), "false" },
		{ N("1"), N("1.0"), "true" },
		{ N("0"), N("-0"), "true" },
		{ null, value_null(A, &type_number), "true" },
		{ null, &value_null_dynamic, "true" },
		{ null, S("a"), "false" },
		{ null, u, "?" },
		{ null, nn, "false" },
		{ null, dyn, "?" },
		{ S("a"), u, "?" },
		{ S("a"), un, "false" },
		{ S("a"), dyn, "?" },
		{ u, un, "?" },
		{ u, u, "?" },
		{ t1, t1, "?" },
		{ t1, t2, "false" },
		{ pair(S("a"), N("1")), pair(S("a"), N("1")), "true" },
		{ pair(S("a"), N("1")), pair(S("a"), S("1")), "false" },
		{ value_tuple(A, &u, 1), value_tuple(A, &null, 1), "?" },
		{ value_tuple(A, &dyn, 1), value_tuple(A, &u, 1), "?" },
		{ value_tuple(A, &dyn, 1), value_tuple(A, NULL, 0), "false" },
		{ value_list(A, &type_string, &u, 1),
		  value_list(A, &type_string, NULL, 0), "false" },
		{ value_list(A, &type_string, &null, 1),
		  value_list(A, &type_string, &null, 1), "true" },
		{ value_set(A, &type_string, &u, 1),
		  value_set(A, &type_string, NULL, 0), "?" },
		{ value_set(A, t1->type, &t1, 1),
		  value_set(A, t1->type, &t1, 1), "false" },
		{ secret(S("a")), S("a"), "!true" },
		{ secret(S("a")), null, "!false" },
		{ pair(secret(S("a")), N("1")), pair(S("a"), N("1")),
		  "!true" },
		{ pair(secret(S("a")), N("1")),
		  value_null(A, pair(S("a"), N("1"))->type), "false" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK_STR(shown(value_equals(A, rows[i].x, rows[i].y)),
			  rows[i].want);
		CHECK_STR(shown(value_equals(A, rows[i].y, rows[i].x)),
			  rows[i].want);
	}
	r.prefix = STR("ab");
	pre = value_unknown_refined(A, &type_string, &r);
	CHECK_STR(shown(value_equals(A, pre, S("abc"))), "?");
	CHECK_STR(shown(value_equals(A, pre, S("a"))), "false");
	r = refinement_none;
	r.min = N("5");
	big = value_unknown_refined(A, &type_number, &r);
	CHECK_STR(shown(value_equals(A, big, N("5"))), "false");
	CHECK_STR(shown(value_equals(A, big, N("6"))), "?");
	r.min_inclusive = true;
	big = value_unknown_refined(A, &type_number, &r);
	CHECK_STR(shown(value_equals(A, big, N("5"))), "?");
	CHECK_STR(shown(value_equals(A, big, N("4.9"))), "false");
}

static void test_identical(void)
{
	const struct value *u = value_unknown(A, &type_string);
	const struct value *nn = value_refine_not_null(A, u);

	CHECK(value_identical(u, value_unknown(A, &type_string)));
	CHECK(!value_identical(u, nn));
	CHECK(value_identical(nn, value_refine_not_null(A, u)));
	CHECK(!value_identical(S("a"), secret(S("a"))));
	CHECK(value_equal_unmarked(S("a"), secret(S("a"))));
	CHECK(!value_identical(pair(secret(S("a")), u), pair(S("a"), u)));
	CHECK(value_equal_unmarked(pair(secret(S("a")), u), pair(S("a"), u)));
	CHECK(!value_identical(value_null(A, &type_string),
			       &value_null_dynamic));
	CHECK(value_identical(N("1"), value_int(A, 1)));
	CHECK(value_identical(N("0.1"), value_double(A, 0.1)));
}

/* --- marks --- */

static void test_marks(void)
{
	struct deprecation d1 = { STR("module.a.output.x"), STR("old") };
	struct deprecation d2 = { STR("module.a.output.y"), STR("old") };
	struct marks m1 = { MARK_DEPRECATED, 1, &d1 };
	struct marks m2 = { MARK_DEPRECATED | MARK_SENSITIVE, 1, &d2 };
	const struct marks *u = marks_union(A, &m1, &m2), *taken;
	const struct value *v = pair(secret(S("a")), N("1")), *w;

	CHECK(u->ndeprecations == 2 && (u->bits & MARK_SENSITIVE));
	CHECK(marks_union(A, u, &m1) == u && marks_union(A, &m2, u) == u);
	CHECK(marks_union(A, NULL, u) == u && marks_union(A, u, NULL) == u);
	CHECK(v->inner_marks && !v->marks);
	CHECK(value_has_mark_deep(v, MARK_SENSITIVE));
	CHECK(!value_has_mark(v, MARK_SENSITIVE));
	w = value_unmark_deep(A, v, &taken);
	CHECK_STR(shown(w), "(k=\"a\" v=1)");
	CHECK(taken && taken->bits == MARK_SENSITIVE && !w->inner_marks);
	CHECK(value_unmark_deep(A, w, &taken) == w && !taken);
	w = value_with_marks(A, v, u);
	w = value_without_marks(A, w, MARK_DEPRECATED);
	CHECK_STR(shown(w), "!(k=!\"a\" v=1)");
	CHECK(!value_has_mark(w, MARK_DEPRECATED) &&
	      w->marks->ndeprecations == 0);
	w = value_without_marks(A, w, MARK_SENSITIVE);
	CHECK_STR(shown(w), "(k=\"a\" v=1)");
	CHECK(!value_has_mark_deep(w, MARK_SENSITIVE));
	w = value_unmark(A, value_with_marks(A, v, &m1), &taken);
	CHECK(taken == &m1 && w->inner_marks);
	CHECK(value_with_marks(A, w, NULL) == w);
}

/* --- refinements --- */

static const struct value *refined(const struct type *t, struct refinement r)
{
	return value_unknown_refined(A, t, &r);
}

static void test_refinements(void)
{
	struct refinement r = refinement_none;
	const struct value *v;

	CHECK(refined(&type_string, r)->refined == NULL);
	r.not_null = true;
	CHECK(refined(&type_dynamic, r) == &value_unknown_dynamic);
	r.min = N("3");
	r.max = N("3.0");
	r.min_inclusive = r.max_inclusive = true;
	CHECK_STR(shown(refined(&type_number, r)), "3");
	CHECK(refined(&type_bool, r)->refined->min == NULL);
	r.not_null = false;
	CHECK_STR(shown(refined(&type_number, r)), "?");
	r = refinement_none;
	r.not_null = true;
	r.len_min = r.len_max = 2;
	CHECK_STR(shown(refined(type_list(&type_string), r)), "[? ?]");
	CHECK_STR(shown(refined(type_map(&type_string), r)), "?");
	CHECK_STR(shown(refined(type_set(&type_string), r)), "?");
	r.len_min = r.len_max = 1;
	CHECK_STR(shown(refined(type_set(&type_string), r)), "{|?|}");
	r.len_min = r.len_max = 0;
	CHECK_STR(shown(refined(type_list(&type_string), r)), "[]");
	CHECK_STR(shown(refined(type_map(&type_string), r)), "{}");
	CHECK_STR(shown(refined(type_set(&type_string), r)), "{||}");
	r.not_null = false;
	v = refined(type_set(&type_string), r);
	CHECK_STR(shown(v), "?");
	CHECK_STR(shown(value_refine_not_null(A, secret(v))), "!{||}");
	CHECK(!value_definitely_not_null(v));
	CHECK(value_definitely_not_null(S("a")));
	CHECK(!value_definitely_not_null(value_null(A, &type_string)));
	CHECK(value_definitely_not_null(&value_unknown_bool));
}

static void test_length(void)
{
	const struct value *some[] = { S("a"), value_unknown(A, &type_string),
				       value_unknown(A, &type_string) };
	const struct value *v, *n;
	struct refinement r = refinement_none;

	CHECK_STR(shown(value_length(A, value_tuple(A, some, 3))), "3");
	CHECK_STR(shown(value_length(A, pair(some[0], some[1]))), "2");
	CHECK_STR(shown(value_length(
			  A, value_unknown(A, value_tuple(A, some, 3)->type))),
		  "3");
	CHECK_STR(shown(value_length(A, value_list(A, &type_string, some, 3))),
		  "3");
	CHECK_STR(shown(value_length(A, secret(value_list(A, &type_string,
							  some, 1)))),
		  "!1");
	CHECK_STR(shown(value_length(A, value_set(A, &type_string, some + 1,
						  1))),
		  "1");
	n = value_length(A, value_set(A, &type_string, some, 3));
	CHECK_STR(shown(n), "?");
	CHECK_STR(shown(n->refined->min), "1");
	CHECK_STR(shown(n->refined->max), "3");
	CHECK(n->refined->not_null);
	n = value_length(A, value_unknown(A, type_list(&type_string)));
	CHECK_STR(shown(n->refined->min), "0");
	CHECK_STR(shown(n->refined->max), "9223372036854775807");
	r.len_min = r.len_max = 4;
	v = refined(type_map(&type_bool), r);
	CHECK_STR(shown(value_length(A, v)), "4");
	n = value_length(A, &value_unknown_dynamic);
	CHECK(n->refined->not_null && n->type == &type_number);
}

static void test_copy(void)
{
	struct arena other = ARENA_INIT, from = ARENA_INIT;
	struct deprecation d = { STR("by"), STR("msg") };
	struct marks m = { MARK_DEPRECATED, 1, &d };
	struct refinement r = refinement_none;
	struct str names[] = { STR("a"), STR("b"), STR("c"), STR("d") };
	const struct value *vals[4], *v, *w;

	r.prefix = str_dup(&from, STR("pre"));
	vals[0] = value_string(&from, str_dup(&from, STR("text")));
	vals[1] = value_number_parse(&from, STR("1.25"));
	vals[2] = value_unknown_refined(&from, &type_string, &r);
	vals[3] = value_with_marks(
		&from, value_map(&from, &type_bool, names, NULL, 0), &m);
	v = value_object(&from, names, vals, 4);
	w = value_copy(&other, v);
	CHECK(value_identical(v, w));
	arena_release(&from);
	CHECK_STR(value_get(w, STR("a"))->string, "text");
	CHECK_STR(value_number_text(A, value_get(w, STR("b"))), "1.25");
	CHECK_STR(value_get(w, STR("c"))->refined->prefix, "pre");
	CHECK_STR(value_get(w, STR("d"))->marks->deprecations[0].by, "by");
	CHECK(value_copy(&other, &value_true) == &value_true);
	arena_release(&other);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_nfc());
	RUN(test_quote());
	RUN(test_safe_prefix());
	RUN(test_making());
	RUN(test_many_names());
	RUN(test_primitive_sets());
	RUN(test_composite_sets());
	RUN(test_set_marks());
	RUN(test_large_set());
	RUN(test_equals());
	RUN(test_identical());
	RUN(test_marks());
	RUN(test_refinements());
	RUN(test_length());
	RUN(test_copy());
	arena_release(&arena);
	mpfr_free_cache();
	return test_done("value");
}
