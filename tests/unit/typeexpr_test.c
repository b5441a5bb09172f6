/*
 * typeexpr_test.c - type constraint expressions, native and JSON
 */
#include "json/write.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"
#include "lang/eval/eval.h"
#include "show_value.h"
#include "test.h"
#include "value/type.h"

static struct arena arena;

static struct str read_type(const char *text, bool json, bool optional,
			    const struct type_defaults **d)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct source *src = source_new(&arena, STR("t"), str_c(text));
	struct expression e = json ? parse_json_expression(&arena, src, &ds)
				   : parse_expression(&arena, src, &ds);
	const struct type *t = typeexpr_read(&arena, e, optional, d, &ds);
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct str s;

	s = STR("");
	for (size_t i = 0; !t && i < ds.len; i++)
		s = str_printf(&arena, "%.*s%serror: %.*s @%u-%u", STR_ARG(s),
			       i ? "; " : "", STR_ARG(ds.items[i].summary),
			       (unsigned)ds.items[i].subject.start.column,
			       (unsigned)ds.items[i].subject.end.column);
	if (!t)
		return s;
	CHECK_ROW(!ds.errors, text);
	type_to_json(&w, t);
	s = buf_dup(&arena, &b);
	buf_release(&b);
	return s;
}

static const struct {
	const char *text, *want;
} table[] = {
	{ "string", "\"string\"" },
	{ "bool", "\"bool\"" },
	{ "number", "\"number\"" },
	{ "any", "\"dynamic\"" },
	{ "list(string)", "[\"list\",\"string\"]" },
	{ "set(number)", "[\"set\",\"number\"]" },
	{ "map(any)", "[\"map\",\"dynamic\"]" },
	{ "list", "[\"list\",\"dynamic\"]" },
	{ "map", "[\"map\",\"dynamic\"]" },
	{ "tuple([string, bool])", "[\"tuple\",[\"string\",\"bool\"]]" },
	{ "tuple([])", "[\"tuple\",[]]" },
	{ "object({})", "[\"object\",{}]" },
	{ "object({ b = string, a = list(bool) })",
	  "[\"object\",{\"a\":[\"list\",\"bool\"],\"b\":\"string\"}]" },
	{ "object({ a = optional(string), b = bool })",
	  "[\"object\",{\"a\":\"string\",\"b\":\"bool\"},[\"a\"]]" },
	{ "list(object({ a = optional(string, \"x\") }))",
	  "[\"list\",[\"object\",{\"a\":\"string\"},[\"a\"]]]" },
	/* not types */
	{ "set", "error: Invalid type specification @1-4" },
	{ "object", "error: Invalid type specification @1-7" },
	{ "tuple", "error: Invalid type specification @1-6" },
	{ "strnig", "error: Invalid type specification @1-7" },
	{ "1 + 1", "error: Invalid type specification @1-6" },
	{ "string()", "error: Invalid type specification @7-9" },
	{ "any(1)", "error: Invalid type specification @4-7" },
	{ "list()", "error: Invalid type specification @5-7" },
	{ "list(string, bool)", "error: Invalid type specification @14-18" },
	{ "list(list)", "error: Invalid type specification @6-10" },
	{ "vector(string)", "error: Invalid type specification @1-15" },
	{ "tuple(string)", "error: Invalid type specification @7-13" },
	{ "object([])", "error: Invalid type specification @8-10" },
	{ "object({ \"a\" = string })",
	  "error: Invalid type specification @10-13" },
	{ "object({ a = string, a = bool })",
	  "error: Invalid type specification @22-23" },
	{ "optional(string)", "error: Invalid type specification @1-9" },
	{ "object({ a = optional() })",
	  "error: Invalid type specification @22-24" },
	{ "object({ a = optional(bool, true, 1) })",
	  "error: Invalid type specification @22-37" },
	{ "object({ a = optional(bool, \"x\") })",
	  "error: Invalid default value for optional attribute @29-32" },
	/* An invalid type inside counts as any type, and hides no other
	 * error. */
	{ "object({ a = optional(object({ b = optional(bool, 1) }), []) })",
	  "error: Invalid default value for optional attribute @51-52; "
	  "error: Invalid default value for optional attribute @58-60" },
	{ "object({ a = optional(list(nope), true), a = x, b = set() })",
	  "error: Invalid type specification @28-32; "
	  "error: Invalid default value for optional attribute @35-39; "
	  "error: Invalid type specification @42-43; "
	  "error: Invalid type specification @56-58" },
	{ "object({ a = optional(bool, b) })",
	  "error: Variables not allowed @29-30" },
	{ "\"string\"", "error: Invalid quoted type constraints @1-9" },
	{ "\"list\"", "error: Invalid quoted type constraints @1-7" },
	{ "\"map\"", "error: Invalid quoted type constraints @1-6" },
	{ "\"number\"", "error: Invalid legacy variable type hint @1-9" },
};

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct type_defaults *d;
		struct str got = read_type(table[i].text, false, true, &d);

		CHECK_ROW(str_is(got, table[i].want), table[i].text);
		if (!str_is(got, table[i].want))
			test_note("\tgot  %.*s\n\twant %s", STR_ARG(got),
				  table[i].want);
	}
}

static void test_json(void)
{
	const struct type_defaults *d;

	CHECK_STR(read_type("\"list(string)\"", true, true, &d),
		  "[\"list\",\"string\"]");
	CHECK_STR(read_type("\"string\"", true, true, &d), "\"string\"");
	CHECK_STR(read_type("\"list\"", true, true, &d),
		  "[\"list\",\"dynamic\"]");
	CHECK_STR(read_type("\"object({a=optional(number,1)})\"", true, true,
			    &d),
		  "[\"object\",{\"a\":\"number\"},[\"a\"]]");
	CHECK(d && d->values.len == 1);
	CHECK(str_starts(read_type("12", true, true, &d), "error: "));
	CHECK(str_starts(read_type("\"lits(string)\"", true, true, &d),
			 "error: "));
}

static void test_exact(void)
{
	const struct type_defaults *d;

	CHECK(str_starts(read_type("object({ a = optional(string) })", false,
				   false, &d), "error: "));
	CHECK_STR(read_type("map(string)", false, false, NULL),
		  "[\"map\",\"string\"]");
}

static const struct type_defaults *child(const struct type_defaults *d,
					 const char *name)
{
	return d ? map_get(&d->children, str_c(name)) : NULL;
}

static void test_defaults(void)
{
	const struct type_defaults *d;
	const struct value *v;
	struct buf b = BUF_INIT;

	read_type("object({ a = string })", false, true, &d);
	CHECK(!d);
	read_type("list(tuple([bool, object({ a = optional(string, 1) })]))",
		  false, true, &d);
	d = child(child(d, ""), "1");
	CHECK(d && d->values.len == 1);
	v = d ? map_get(&d->values, STR("a")) : NULL;
	CHECK(v && v->type == &type_string);
	if (v)
		show(&arena, &b, v);
	CHECK_STR(buf_view(&b), "\"1\"");
	buf_release(&b);
	read_type("object({ o = optional(object({ x = optional(bool, true) "
		  "}), {}) })", false, true, &d);
	CHECK(d && d->values.len == 1 && child(d, "o") &&
	      child(d, "o")->values.len == 1);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_table());
	RUN(test_json());
	RUN(test_exact());
	RUN(test_defaults());
	arena_release(&arena);
	return test_done("typeexpr");
}
