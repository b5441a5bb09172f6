/*
 * eval_test.c - the evaluator: one row an expression
 *
 * A result is written as its JSON, with what JSON cannot say around it:
 * unknown(TYPE …), sensitive(…), TYPE:null.  A failure is written as the
 * summaries of its errors, in order.
 */
#include "base/diag.h"
#include "json/json.h"
#include "lang/eval/eval.h"
#include "lang/eval/eval_int.h"
#include "lang/eval/func.h"
#include "lang/syntax/parse.h"
#include "show_value.h"
#include "test.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"

static struct arena arena;

/* --- a scope --- */

static const struct value *str_value(const char *s)
{
	return value_string(&arena, str_c(s));
}

static const struct value *strings(const char *a, const char *b)
{
	const struct value *v[] = { str_value(a), str_value(b) };

	return value_list(&arena, &type_string, v, 2);
}

static const struct value *object2(const char *k1, const struct value *v1,
				   const char *k2, const struct value *v2)
{
	const struct str keys[] = { str_c(k1), str_c(k2) };
	const struct value *vals[] = { v1, v2 };

	return value_object(&arena, keys, vals, 2);
}

static const struct value *bounded(int64_t lo, int64_t hi)
{
	struct refinement r = { .not_null = true, .min_inclusive = true,
				.max_inclusive = true,
				.len_max = UINT64_MAX };

	r.min = value_int(&arena, lo);
	r.max = value_int(&arena, hi);
	return value_unknown_refined(&arena, &type_number, &r);
}

static const struct value *with_length(uint64_t lo, uint64_t hi)
{
	struct refinement r = { .not_null = true, .len_min = lo,
				.len_max = hi };

	return value_unknown_refined(&arena, type_list(&type_string), &r);
}

static const struct value *lookup(struct str n)
{
	const struct type_attr attr = { STR_INIT("a"), &type_string, false };
	const struct value *o;

	if (str_is(n, "s"))
		return str_value("hello");
	if (str_is(n, "n"))
		return value_int(&arena, 42);
	if (str_is(n, "yes"))
		return &value_true;
	if (str_is(n, "list"))
		return strings("a", "b");
	if (str_is(n, "set")) {
		const struct value *v[] = { str_value("y"), str_value("x") };

		return value_set(&arena, &type_string, v, 2);
	}
	if (str_is(n, "map")) {
		const struct str k[] = { STR("k"), STR("j") };
		const struct value *v[] = { str_value("1"), str_value("2") };

		return value_map(&arena, &type_string, k, v, 2);
	}
	if (str_is(n, "obj"))
		return object2("a", str_value("x"), "b", &value_true);
	if (str_is(n, "objs")) {
		o = object2("a", str_value("x"), "b", &value_true);
		return value_list(&arena, o->type, &o, 1);
	}
	if (str_is(n, "null_s"))
		return value_null(&arena, &type_string);
	if (str_is(n, "null_list"))
		return value_null(&arena, type_list(&type_string));
	if (str_is(n, "unk"))
		return &value_unknown_dynamic;
	if (str_is(n, "unk_s"))
		return value_unknown(&arena, &type_string);
	if (str_is(n, "unk_n"))
		return value_unknown(&arena, &type_number);
	if (str_is(n, "unk_b"))
		return value_unknown(&arena, &type_bool);
	if (str_is(n, "unk_list"))
		return value_unknown(&arena, type_list(&type_string));
	if (str_is(n, "unk_map"))
		return value_unknown(&arena, type_map(&type_string));
	if (str_is(n, "unk_obj"))
		return value_unknown(&arena, type_object(&attr, 1));
	if (str_is(n, "small"))
		return bounded(1, 5);
	if (str_is(n, "large"))
		return bounded(10, 20);
	if (str_is(n, "two_or_three"))
		return with_length(2, 3);
	if (str_is(n, "secret"))
		return value_with_marks(&arena, str_value("pw"),
					&marks_sensitive);
	if (str_is(n, "secret_list"))
		return value_with_marks(&arena, strings("p", "q"),
					&marks_sensitive);
	if (str_is(n, "secret_yes"))
		return value_with_marks(&arena, &value_true,
					&marks_sensitive);
	return NULL;
}

/* The steps that were handed over, as text: chain.a[0].b */
static const struct value *chain_text(const struct ref *r)
{
	struct buf b = BUF_INIT;
	const struct value *v;

	buf_str(&b, r->root);
	for (size_t i = 0; i < r->nsteps; i++) {
		const struct ref_step *s = &r->steps[i];

		if (s->is_attr)
			buf_addf(&b, ".%.*s", STR_ARG(s->name));
		else if (!value_is_known(s->key))
			buf_puts(&b, "[?]");
		else if (s->key->type == &type_string)
			buf_addf(&b, "[%.*s]", STR_ARG(s->key->string));
		else
			buf_addf(&b, "[%g]", value_get_double(s->key));
	}
	v = value_string(&arena, buf_dup(&arena, &b));
	buf_release(&b);
	return v;
}

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct value *v;
	struct range at = source_range(r->src, r->span);

	(void)data;
	(void)ev;
	if (str_is(r->root, "chain")) {
		*used = r->nsteps;
		return chain_text(r);
	}
	if (!str_is(r->root, "var"))
		return NULL;
	v = r->nsteps && r->steps[0].is_attr ? lookup(r->steps[0].name) : NULL;
	*used = v ? 1 : r->nsteps;
	if (v)
		return v;
	diag_error(ds, &at, "Reference to undeclared input variable", "none");
	return &value_unknown_dynamic;
}

static struct str root_name(void *data, size_t i)
{
	(void)data;
	return i == 0 ? STR("var") : STR_NONE;
}

/* --- functions --- */

static const struct value *upper(struct func_call *c)
{
	char *p = arena_strndup(c->arena, c->args[0]->string.p,
				c->args[0]->string.n);

	if (!*p)
		return func_fail(c, 0, "must not be empty");
	for (char *q = p; *q; q++)
		if (*q >= 'a' && *q <= 'z')
			*q -= 'a' - 'A';
	return value_string(c->arena, str_c(p));
}

static const struct value *sum(struct func_call *c)
{
	const struct value *v = &value_zero;
	int64_t n, total = 0;

	for (size_t i = 0; i < c->nargs; i++)
		if (value_get_int(c->args[i], &n))
			total += n;
	if (total < 0)
		return func_fail(c, -1, "negative sum");
	v = value_int(c->arena, total);
	return v;
}

static const struct value *describe(struct func_call *c)
{
	return str_value(value_is_null(c->args[0]) ? "null"
			 : !value_is_known(c->args[0]) ? "unknown"
			 : c->args[0]->marks ? "marked" : "plain");
}

static const struct type *same_type(struct func_call *c)
{
	return c->args[0]->type;
}

static const struct value *same(struct func_call *c)
{
	return c->args[0];
}

static const struct value *mark(struct func_call *c)
{
	return value_with_marks(c->arena, c->args[0], &marks_sensitive);
}

static const struct func_param string_param[] = {
	{ "str", &type_string, 0, "" }, { 0 },
};
static const struct func_param any_param[] = {
	{ "value", &type_dynamic, 0, "" }, { 0 },
};
static const struct func_param all_param[] = {
	{ "value", &type_dynamic,
	  PARAM_NULL | PARAM_UNKNOWN | PARAM_DYNAMIC | PARAM_MARKED, "" },
	{ 0 },
};
static const struct func_param numbers = { "numbers", &type_number, 0, "" };

static const struct func *function(void *data, struct str name)
{
	static const struct func table[] = {
		{ .name = "upper", .params = string_param,
		  .result = &type_string, .impl = upper },
		{ .name = "sum", .variadic = &numbers,
		  .result = &type_number, .impl = sum },
		{ .name = "describe", .params = all_param,
		  .result = &type_string, .impl = describe },
		{ .name = "same", .params = any_param,
		  .result_type = same_type, .impl = same },
		{ .name = "secret", .params = all_param,
		  .result_type = same_type, .impl = mark,
		  .flags = FUNC_NULLABLE },
		{ .name = "now", .result = &type_string, .impl = same,
		  .flags = FUNC_IMPURE },
	};

	(void)data;
	if (str_is(name, "try"))
		return &func_try;
	if (str_is(name, "can"))
		return &func_can;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (str_is(name, table[i].name))
			return &table[i];
	return NULL;
}

static struct str function_name(void *data, size_t i)
{
	static const char *const names[] = { "upper", "sum", "try" };

	(void)data;
	return i < 3 ? str_c(names[i]) : STR_NONE;
}

static const struct scope scope = {
	.resolve = resolve, .function = function,
	.function_name = function_name, .root_name = root_name,
	.pure_only = true,
};

/* --- running --- */

static const struct value *run(const char *text, struct diags *ds)
{
	struct source *src = source_new(&arena, STR("test"), str_c(text));
	struct expression e = parse_expression(&arena, src, ds);

	if (!e.root || ds->errors)
		return &value_unknown_dynamic;
	return eval_expression(&arena, &scope, e, ds);
}

static struct str result(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	const struct value *v = run(text, &ds);

	return show_result(&arena, v, &ds);
}

static const struct {
	const char *expr, *want;
} table[] = {
	/* operators */
	{ "1 + 2 * 3", "7" },
	{ "7 / 2", "3.5" },
	{ "7 % 3", "1" },
	{ "-7 % 3", "-1" },
	{ "5 % 0", "5" },
	{ "-(3)", "-3" },
	{ "\"4\" + true", "error: Invalid operand" },
	{ "\"4\" + 1", "5" },
	{ "[] + {}", "error: Invalid operand; Invalid operand" },
	{ "null + 1", "error: Operation failed" },
	{ "0 / 0", "error: Operation failed" },
	{ "1/0 - 1/0", "error: Operation failed" },
	{ "9223372036854775807 + 1", "9223372036854775808" },
	{ "1 == \"1\"", "false" },
	{ "[1, 2] == [1, 2]", "true" },
	{ "null == var.null_s", "true" },
	{ "{a = 1} != {a = 2}", "true" },
	{ "var.unk == 1", "unknown(bool not null)" },
	{ "var.small == 7", "false" },
	{ "var.small < var.large", "true" },
	{ "var.small > var.large", "false" },
	{ "var.small >= var.large", "unknown(bool not null)" },
	{ "var.small < 3", "unknown(bool not null)" },
	{ "var.unk_n + 1", "unknown(number not null)" },
	{ "-var.unk_n", "unknown(number not null)" },
	{ "!var.unk_b", "unknown(bool not null)" },
	{ "!null", "error: Operation failed" },
	{ "var.secret == \"pw\"", "sensitive(true)" },
	{ "[var.secret] == null", "sensitive(false)" },
	/* logic: the deciding side alone counts */
	{ "true && false", "false" },
	{ "false && var.unk_b", "false" },
	{ "var.unk_b && false", "false" },
	{ "true || upper(\"\")", "true" },
	{ "upper(\"\") == \"x\" || true", "true" },
	{ "false || upper(\"\")", "error: Invalid function argument" },
	{ "var.unk_b && true", "unknown(bool not null)" },
	{ "null && true", "false" },
	{ "null || true", "true" },
	{ "null || false", "error: Operation failed" },
	{ "var.secret_yes || false", "sensitive(true)" },
	/* conditionals */
	{ "true ? 1 : \"x\"", "\"1\"" },
	{ "false ? [1] : []", "[]" },
	{ "true ? null : 1", "number:null" },
	{ "true ? {a = 1} : {b = 2}", "{a:1}" },
	{ "true ? {a = 1} : {a = []}",
	  "error: Inconsistent conditional result types" },
	{ "true ? 1 : upper(\"\")", "1" },
	{ "true ? 1 : var.nope",
	  "error: Reference to undeclared input variable" },
	{ "null ? 1 : 2", "error: Null condition" },
	{ "[] ? 1 : 2", "error: Incorrect condition type" },
	{ "\"true\" ? 1 : 2", "1" },
	{ "var.unk_b ? 1 : 7", "unknown(number not null >=1 <=7)" },
	{ "var.unk_b ? var.small : 30",
	  "unknown(number not null >=1 <=30)" },
	{ "var.unk_b ? var.unk_n : 1", "unknown(number)" },
	{ "var.unk_b ? null : null", "dynamic:null" },
	{ "var.unk_b ? var.list : var.two_or_three",
	  "unknown(list of string not null len 2-3)" },
	{ "var.unk_b ? \"a\" : \"b\"", "unknown(string not null)" },
	{ "var.secret_yes ? 1 : 2", "sensitive(1)" },
	{ "true ? 1 : var.secret", "sensitive(\"1\")" },
	/* templates */
	{ "\"a${var.s}b\"", "\"ahellob\"" },
	{ "\"${var.n}\"", "42" },
	{ "\"${var.list}\"", "[\"a\",\"b\"]" },
	{ "\"n: ${var.n} ${true}\"", "\"n: 42 true\"" },
	{ "\"x${null}\"", "error: Invalid template interpolation value" },
	{ "\"x${[]}\"", "error: Invalid template interpolation value" },
	{ "\"abc-${var.unk_s}-x\"",
	  "unknown(string not null \"abc-\")" },
	{ "\"abc${var.unk_s}\"", "unknown(string not null \"ab\")" },
	{ "\"a${var.secret}\"", "sensitive(\"apw\")" },
	{ "\"%{ for x in var.list }<${x}>%{ endfor }\"",
	  "\"<a><b>\"" },
	{ "\"%{ if var.yes }y%{ else }n%{ endif }\"", "\"y\"" },
	{ "\"a%{ for x in var.unk_list }<${x}>%{ endfor }\"",
	  "unknown(string not null)" },
	/* collections */
	{ "[1, \"a\", null]", "[1,\"a\",dynamic:null]" },
	{ "{a = 1, \"b\" = 2, (var.s) = 3}", "{a:1,b:2,hello:3}" },
	{ "{a = 1, a = 2}", "{a:2}" },
	{ "{true = 1, null = 2}", "{null:2,true:1}" },
	{ "{a.b = 1}", "error: Ambiguous attribute key" },
	{ "{(null) = 1}", "error: Null value as key" },
	{ "{([]) = 1}", "error: Incorrect key type" },
	{ "{(var.unk_s) = 1}", "unknown(dynamic)" },
	{ "{(var.secret) = 1}", "sensitive({pw:1})" },
	/* for */
	{ "[for x in var.list : upper(x)]", "[\"A\",\"B\"]" },
	{ "[for i, x in var.list : \"${i}${x}\"]", "[\"0a\",\"1b\"]" },
	{ "[for k, v in var.map : \"${k}${v}\"]", "[\"j2\",\"k1\"]" },
	{ "[for k, v in var.set : k]", "[\"x\",\"y\"]" },
	{ "[for k, v in var.obj : k if v == true]", "[\"b\"]" },
	{ "{for x in var.list : x => upper(x)}", "{a:\"A\",b:\"B\"}" },
	{ "{for x in var.list : \"k\" => x...}", "{k:[\"a\",\"b\"]}" },
	{ "{for x in [1, 2, 3] : x % 2 => x...}", "{0:[2],1:[1,3]}" },
	{ "{for x in var.list : \"k\" => x}", "error: Duplicate object key" },
	{ "[for x in null : x]", "error: Iteration over null value" },
	{ "[for x in 5 : x]", "error: Iteration over non-iterable value" },
	{ "[for x in var.list : x if null]", "error: Condition is null" },
	{ "[for x in var.list : x if []]",
	  "error: Invalid 'for' condition" },
	{ "[for x in [true, null] : 1 if x]",
	  "error: Invalid 'for' condition" },
	{ "{for x in [null] : x => 1}", "error: Invalid object key" },
	{ "{for x in [[]] : x => 1}", "error: Invalid object key" },
	{ "[for x in var.unk_list : x]", "unknown(dynamic)" },
	{ "[for x in var.list : x if var.unk_b]", "unknown(dynamic)" },
	{ "{for x in [var.unk_s] : x => 1}", "unknown(dynamic)" },
	{ "[for x in var.secret_list : x]",
	  "sensitive([\"p\",\"q\"])" },
	{ "[for x in var.list : x if var.secret_yes]",
	  "sensitive([\"a\",\"b\"])" },
	{ "[for x in [1, 2] : [for y in [x, 3] : x * y]]",
	  "[[1,3],[4,6]]" },
	/* splats */
	{ "var.objs[*].a", "[\"x\"]" },
	{ "var.objs.*.a", "[\"x\"]" },
	{ "var.obj[*].a", "[\"x\"]" },
	{ "var.obj.*.nope", "error: Unsupported attribute" },
	{ "var.null_s[*]", "[]" },
	{ "var.null_list[*]", "error: Splat of null value" },
	{ "var.s[*]", "[\"hello\"]" },
	{ "var.unk[*].a", "unknown(dynamic)" },
	{ "var.unk_s[*]", "unknown(dynamic)" },
	{ "var.two_or_three[*]",
	  "unknown(list of string not null len 2-3)" },
	{ "[[1, 2], [3]][*][0]", "[1,3]" },
	{ "[[{a = 1}], []][*][*].a", "[[1],[]]" },
	{ "var.secret_list[*]", "sensitive([\"p\",\"q\"])" },
	/* access */
	{ "var.list[1]", "\"b\"" },
	{ "var.list[\"1\"]", "\"b\"" },
	{ "var.list[2]", "error: Invalid index" },
	{ "var.list[-1]", "error: Invalid index" },
	{ "var.list[0.5]", "error: Invalid index" },
	{ "var.list[\"x\"]", "error: Invalid index" },
	{ "var.list[null]", "error: Invalid index" },
	{ "var.list.0", "\"a\"" },
	{ "var.map[\"k\"]", "\"1\"" },
	{ "var.map.k", "\"1\"" },
	{ "var.map[\"z\"]", "error: Invalid index" },
	{ "var.map.z", "error: Missing map element" },
	{ "var.obj[\"a\"]", "\"x\"" },
	{ "var.obj[0]", "error: Invalid index" },
	{ "var.obj.z", "error: Unsupported attribute" },
	{ "var.objs.a", "error: Unsupported attribute" },
	{ "var.set[0]", "error: Invalid index" },
	{ "var.s.x", "error: Unsupported attribute" },
	{ "var.s[0]", "error: Invalid index" },
	{ "var.null_list[0]", "error: Attempt to index null value" },
	{ "null.a", "error: Attempt to get attribute from null value" },
	{ "{a = [10, 20]}.a[1]", "20" },
	{ "[1, 2][var.unk_n]", "unknown(dynamic)" },
	{ "var.list[var.unk_n]", "unknown(string)" },
	{ "var.unk_list[0]", "unknown(string)" },
	{ "var.unk_map.x", "unknown(string)" },
	{ "var.unk_obj.a", "unknown(string)" },
	{ "var.unk_obj.b", "error: Unsupported attribute" },
	{ "var.unk.a.b[3]", "unknown(dynamic)" },
	{ "var.secret_list[0]", "sensitive(\"p\")" },
	{ "var.list[secret(0)]", "sensitive(\"a\")" },
	/* references go to the scope whole, keys evaluated */
	{ "chain.a.b", "\"chain.a.b\"" },
	{ "chain.a[0].b", "\"chain.a[0].b\"" },
	{ "chain.a[1 + 1].b[\"k\"]", "\"chain.a[2].b[k]\"" },
	{ "(chain.a)[var.n].b", "\"chain.a[42].b\"" },
	{ "chain.a[var.unk_n].b", "\"chain.a[?].b\"" },
	{ "[for chain in [{a = 1}] : chain.a]", "[1]" },
	{ "[for i in [0, 1] : chain.r[i].id]",
	  "[\"chain.r[0].id\",\"chain.r[1].id\"]" },
	{ "chain.a[upper(\"\")].b", "error: Invalid function argument" },
	{ "vra.x", "error: Unknown variable" },
	/* calls */
	{ "upper(\"a\")", "\"A\"" },
	{ "upper(1)", "\"1\"" },
	{ "upper([])", "error: Invalid function argument" },
	{ "provider::a(1)", "error: Unable to parse provider function" },
	{ "provider::a::b::c::d()",
	  "error: Unable to parse provider function" },
	{ "upper(null)", "error: Invalid function argument" },
	{ "upper(\"\")", "error: Invalid function argument" },
	{ "upper()", "error: Not enough function arguments" },
	{ "upper(1, 2)", "error: Too many function arguments" },
	{ "uper(1)", "error: Call to unknown function" },
	{ "core::nope(1)", "error: Call to unknown function" },
	{ "what::nope(1)", "error: Unknown function namespace" },
	{ "sum(1, 2, 3)", "6" },
	{ "sum([1, 2]...)", "3" },
	{ "sum(1, var.unk_list...)", "unknown(dynamic)" },
	{ "sum(null...)", "error: Invalid expanding argument value" },
	{ "sum(1...)", "error: Invalid expanding argument value" },
	{ "sum(-1)", "error: Error in function call" },
	{ "upper(var.unk_s)", "unknown(string not null)" },
	{ "upper(var.unk)", "unknown(string not null)" },
	{ "same(var.unk)", "unknown(dynamic)" },
	{ "same(var.unk_list)", "unknown(list of string not null)" },
	{ "upper(var.secret)", "sensitive(\"PW\")" },
	{ "upper(secret(var.unk_s))", "sensitive(unknown(string not null))" },
	{ "describe(null)", "\"null\"" },
	{ "describe(var.unk)", "\"unknown\"" },
	{ "describe(var.secret)", "\"marked\"" },
	{ "sum(var.secret_list...)", "error: Invalid function argument; "
	  "Invalid function argument" },
	{ "now()", "unknown(string not null)" },
	/* try and can */
	{ "try(upper(\"\"), 1)", "1" },
	{ "try(var.obj.z, var.map.z, \"d\")", "\"d\"" },
	{ "try(var.unk_s, 1)", "unknown(dynamic)" },
	{ "try([var.unk_s], 1)", "unknown(dynamic)" },
	{ "try(upper(\"\"))", "error: Error in function call" },
	{ "try()", "error: Error in function call" },
	{ "try(var.nope, 1)",
	  "error: Reference to undeclared input variable" },
	{ "try(var.secret, 1)", "sensitive(\"pw\")" },
	{ "can(var.obj.z)", "false" },
	{ "can(var.obj.a)", "true" },
	{ "can(var.unk_s)", "unknown(bool)" },
	{ "can(var.secret)", "true" },
	{ "can()", "error: Not enough function arguments" },
};

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str got = result(table[i].expr);

		CHECK_ROW(str_is(got, table[i].want), table[i].expr);
		if (!str_is(got, table[i].want))
			test_note("\tgot  %.*s\n\twant %s", STR_ARG(got),
				  table[i].want);
	}
}

/* The parts of a diagnostic besides its summary. */
static void test_diagnostics(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	const struct diag *d;

	run("[for x in var.list : [var.obj.z, var.secret.q]]", &ds);
	CHECK(ds.errors == 4);
	d = &ds.items[0];
	CHECK_STR(d->summary, "Unsupported attribute");
	CHECK(d->subject.start.column == 30 && d->subject.end.column == 32);
	CHECK(d->nvalues == 1);
	if (d->nvalues) {
		CHECK_STR(d->values[0].traversal, "var.obj");
		CHECK_STR(d->values[0].statement,
			  "is object with 2 attributes");
	}
	/* a confidential value is not mentioned */
	CHECK(ds.len == 4 && ds.items[1].nvalues == 0);

	ds = (struct diags)DIAGS_INIT(&arena);
	run("[for x in var.list : x + var.n]", &ds);
	CHECK(ds.errors == 2);
	CHECK_STR(ds.items[1].summary, "Invalid operand");
	CHECK(ds.items[1].nvalues == 1);
	if (ds.items[1].nvalues) {
		CHECK_STR(ds.items[1].values[0].traversal, "x");
		CHECK_STR(ds.items[1].values[0].statement, "is \"b\"");
	}
	CHECK(range_present(&ds.items[1].context));

	ds = (struct diags)DIAGS_INIT(&arena);
	run("upper(var.list)", &ds);
	CHECK(ds.errors == 1);
	CHECK_STR(ds.items[0].call, "upper");
	CHECK(ds.items[0].subject.start.column == 7);
	CHECK_STR(ds.items[0].values[0].statement,
		  "is list of string with 2 elements");

	/* the same bad reference for each element is reported once */
	ds = (struct diags)DIAGS_INIT(&arena);
	run("[for x in [1, 2, 3] : var.nope]", &ds);
	CHECK(ds.errors == 1 && ds.len == 1);

	ds = (struct diags)DIAGS_INIT(&arena);
	run("uper(1)", &ds);
	CHECK(str_find(ds.items[0].detail, STR("upper")) >= 0);
	ds = (struct diags)DIAGS_INIT(&arena);
	run("vra.x", &ds);
	CHECK(str_find(ds.items[0].detail, STR("\"var\"")) >= 0);
}

static void test_explain(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("t"), STR(
		"[var.unk_s, var.two_or_three, var.secret, var.unk]"));
	struct expression e = parse_expression(&arena, src, &ds);
	struct diag d = { 0 };

	eval_explain(&arena, &scope, NULL, e, 0, &d);
	CHECK(d.nvalues == 2);
	eval_explain(&arena, &scope, NULL, e,
		     EXPLAIN_UNKNOWN | EXPLAIN_CONFIDENTIAL, &d);
	CHECK(d.nvalues == 4);
	CHECK_STR(d.values[0].statement, "has a sensitive value");
	CHECK_STR(d.values[1].statement, "is a list of string with between 2"
		  " and 3 elements, known only after apply");
	CHECK_STR(d.values[2].statement, "will be known only after apply");
	CHECK_STR(d.values[3].statement,
		  "is a string, known only after apply");
}

static void test_convert(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("t"), STR("var.s"));
	struct expression e = parse_expression(&arena, src, &ds);
	const struct value *v;

	v = eval_convert(&arena, &scope, e, &type_string, NULL, &ds);
	CHECK(!ds.len && v->type == &type_string);
	v = eval_convert(&arena, &scope, e, &type_number, NULL, &ds);
	CHECK(ds.errors == 1 && v->type == &type_number);
	CHECK_STR(ds.items[0].summary, "Incorrect value type");
	eval_convert(&arena, &scope, e, &type_bool, "Wrong", &ds);
	CHECK_STR(ds.items[1].summary, "Wrong");
}

static void test_deprecated(void)
{
	static const struct deprecation cause = {
		STR_INIT("module.a.out"), STR_INIT("use other")
	};
	const struct marks m = { MARK_DEPRECATED | MARK_SENSITIVE, 1,
				 &cause };
	struct diags ds = DIAGS_INIT(&arena);
	struct range at = RANGE_NONE;
	const struct value *v = value_with_marks(&arena, str_value("x"), &m);

	v = object2("a", v, "b", &value_true);
	v = eval_report_deprecated(&arena, v, &at, &ds);
	CHECK(ds.len == 1 && ds.errors == 0);
	CHECK_STR(ds.items[0].summary,
		  "Value derived from a deprecated source");
	CHECK(str_find(ds.items[0].detail, STR("module.a.out")) >= 0);
	CHECK(!value_has_mark_deep(v, MARK_DEPRECATED));
	CHECK(value_has_mark_deep(v, MARK_SENSITIVE));
}

/* Without a scope nothing can be referred to or called. */
static void test_no_scope(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("t"), STR("[x, f(1)]"));
	struct expression e = parse_expression(&arena, src, &ds);

	eval_expression(&arena, NULL, e, &ds);
	CHECK(ds.errors == 2);
	CHECK_STR(ds.items[0].summary, "Variables not allowed");
	CHECK_STR(ds.items[1].summary, "Function calls not allowed");
}

/* Hostile depth ends in a diagnostic, also through a scope that evaluates. */
static void test_depth(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct eval ev = { .arena = &arena, .diags = &ds, .top = &ds,
			   .scope = &scope, .depth = 100000 };
	struct source *src = source_new(&arena, STR("t"), STR("-1"));
	struct expression e = parse_expression(&arena, src, &ds);

	eval_sub(&ev, &scope, e, &ds);
	CHECK(ds.errors == 1);
	CHECK_STR(ds.items[0].summary, "Expression nested too deeply");
}

static void test_many_errors(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct buf b = BUF_INIT;

	buf_puts(&b, "[for x in [");
	for (int i = 0; i < 5000; i++)
		buf_puts(&b, "0,");
	buf_puts(&b, "] : x.y]");
	run(b.p, &ds);
	CHECK(ds.errors >= 100 && ds.errors <= 1001);
	buf_release(&b);
}

/* Loops that move their results after each element make the same values. */
static void test_loops_apart(void)
{
	const size_t room = eval_loop_room;

	eval_loop_room = 0;
	test_table();
	eval_loop_room = room;
}

static size_t total_of(const char *text)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct source *src = source_new(&a, STR("test"), str_c(text));
	struct expression e = parse_expression(&a, src, &ds);
	const struct value *v = eval_expression(&a, &scope, e, &ds);
	size_t total = a.total;

	CHECK(!ds.errors && v->len == 40);
	arena_release(&a);
	return total;
}

static void list_of_40(struct buf *b)
{
	buf_putc(b, '[');
	for (int i = 0; i < 40; i++)
		buf_addf(b, "%d,", i);
	buf_putc(b, ']');
}

static void add_loop(struct buf *b, const char *head, const char *name)
{
	buf_puts(b, head);
	buf_addf(b, "for %s in ", name);
	list_of_40(b);
	buf_puts(b, " : ");
}

/* Of 64,000 texts nothing but whether they are equal is wanted. */
static void test_loop_memory(void)
{
	struct buf b = BUF_INIT;
	const size_t bound = 4 << 20;

	add_loop(&b, "[", "x");
	add_loop(&b, "[", "y");
	add_loop(&b, "[", "z");
	buf_puts(&b, "\"a long text of ${x}, ${y} and ${z}\"] == []]]");
	CHECK(total_of(b.p) < bound);
	buf_set_len(&b, 0);
	add_loop(&b, "[", "x");
	add_loop(&b, "{", "y");
	buf_puts(&b, "\"${x} ${y}\" => [");
	add_loop(&b, "", "z");
	buf_puts(&b, "\"a long text of ${x}, ${y} and ${z}\"] == []}]");
	CHECK(total_of(b.p) < bound);
	buf_release(&b);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_table());
	RUN(test_loops_apart());
	RUN(test_loop_memory());
	RUN(test_diagnostics());
	RUN(test_explain());
	RUN(test_convert());
	RUN(test_deprecated());
	RUN(test_no_scope());
	RUN(test_depth());
	RUN(test_many_errors());
	arena_release(&arena);
	return test_done("eval");
}
