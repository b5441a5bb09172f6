/* jsonsyntax_test.c - JSON syntax: errors, places, expressions */
#include "lang/eval/eval.h"
#include "lang/syntax/json_syntax.h"
#include "lang/syntax/body.h"
#include "lang/syntax/walk.h"
#include "show_expr.h"
#include "test.h"

static const struct {
	const char *src, *errors;
} rows[] = {
	{ "{}", "" },
	{ " [ {} ]\r\n", "" },
	{ "{\"a\": [1, -2.5e3, true, false, null, \"x\"]}", "" },
	{ "", "Missing value 1:1-1:1; Root value must be object 1:1-1:1" },
	{ "1", "Root value must be object 1:1-1:2" },
	{ "{} x", "Extraneous data after value 1:4-1:5" },
	{ "{\"a\" 1}", "Missing property value colon 1:6-1:7; "
	  "Root value must be object 1:1-1:2" },
	{ "{\"a\" = 1}", "Missing property value colon 1:6-1:7; "
	  "Root value must be object 1:1-1:2" },
	{ "{\"a\"}", "Missing object value 1:5-1:6; "
	  "Root value must be object 1:1-1:2" },
	{ "{a: 1}", "Invalid JSON keyword 1:2-1:3; "
	  "Invalid object property name 1:2-1:3; "
	  "Root value must be object 1:1-1:2" },
	{ "{\"a\": 1,}", "Trailing comma in object 1:8-1:9; "
	  "Root value must be object 1:1-1:2" },
	{ "{\"a\": 1", "Unclosed object 1:1-1:2; "
	  "Root value must be object 1:1-1:2" },
	{ "{\"a\": [1,]}", "Trailing comma in array 1:9-1:10; "
	  "Mismatched braces 1:11-1:12; "
	  "Root value must be object 1:1-1:2" },
	{ "{\"a\": 01}", "Invalid JSON number 1:7-1:9" },
	{ "{\"a\": 1.}", "Invalid JSON number 1:7-1:9" },
	{ "{\"a\": tru}", "Invalid JSON keyword 1:7-1:10" },
	{ "{\"a\": \"\\q\"}", "Invalid JSON string 1:10-1:11" },
	{ "{\"a\": \"\\u12g4\"}", "Invalid JSON string 1:13-1:14" },
	{ "{\"a\": \"x", "Invalid JSON string 1:9-1:10; Unclosed object "
	  "1:1-1:2; Root value must be object 1:1-1:2" },
	{ "{\"a\": @}", "Invalid start of value 1:7-1:8; Missing attribute "
	  "seperator comma 1:8-1:8; Root value must be object 1:1-1:2" },
	/* A tab is two columns, a carriage return none, a cluster one. */
	{ "{\t\"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\":\r 1.}",
	  "Invalid JSON number 1:9-1:11" },
};

static void test_errors(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct buf b = BUF_INIT;
		struct body *body = parse_json_body(
			&a, source_new(&a, STR("t"), str_c(rows[i].src)), &ds);

		CHECK_ROW(body && body->json, rows[i].src);
		buf_puts(&b, "");
		show_diags(&b, &ds);
		CHECK_STR(buf_view(&b), rows[i].errors);
		buf_release(&b);
		arena_release(&a);
	}
}

static struct expression json(struct arena *a, const char *text)
{
	struct diags ds = DIAGS_INIT(a);
	struct pos at = { 3, 5, 100 };

	return parse_json_expression(
		a, source_fragment(a, STR("t"), str_c(text), at), &ds);
}

static void test_strings(void)
{
	static const struct {
		const char *src, *text;
	} cases[] = {
		{ "\"\"", "" },
		{ "\"a\\n\\t\\/\\\"\\\\\\u00e9\"", "a\n\t/\"\\\xc3\xa9" },
		{ "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
		{ "\"\\ud83dx\\ude00\"", "\xef\xbf\xbdx\xef\xbf\xbd" },
		{ "\"a\xff" "b\"", "a\xef\xbf\xbd" "b" },
		{ "\"\\b\\f\\r\"", "\b\f\r" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena a = ARENA_INIT;
		struct expression e = json(&a, cases[i].src);

		CHECK_ROW(e.root && e.root->kind == EXPR_JSON, cases[i].src);
		CHECK_STR(e.root->json->text, cases[i].text);
		arena_release(&a);
	}
}

/* A string is a template that stands where it stood. */
static void test_template(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct expression e = json(&a, "\"x${a.b}\""), t, bad;
	struct range r;
	struct buf b = BUF_INIT;

	t = json_string_template(e, &ds);
	show_expr(&b, t.root);
	CHECK_STR(buf_view(&b), "(template \"x\" a.b)");
	r = source_range(t.src, t.root->items[1]->span);
	CHECK(r.start.line == 3 && r.start.column == 9);
	CHECK(r.start.byte == 104 && r.end.byte == 107);
	CHECK(json_string_template(e, &ds).root == t.root);
	bad = json(&a, "\"${a\"");
	CHECK(!json_string_template(bad, &ds).root);
	CHECK(!json_string_template(bad, &ds).root);
	CHECK(ds.errors == 2); /* told each time */
	buf_set_len(&b, 0);
	t = json_string_expression(&a, json(&a, "\"list(string)\""), &ds);
	show_expr(&b, t.root);
	CHECK_STR(buf_view(&b), "(list string)");
	CHECK(!json_string_expression(&a, json(&a, "1"), &ds).root);
	buf_release(&b);
	arena_release(&a);
}

static void test_variables(void)
{
	struct arena a = ARENA_INIT;
	struct traversal_vec vars = { 0 };
	struct call_vec calls = { 0 };
	struct buf b = BUF_INIT;
	struct expression e = json(&a, "{\"${a}\": [\"${f(b.c)}\", 1, \"d\"],"
				       " \"x\": \"%{if e}y%{endif}\"}");

	expression_variables(&a, e, &vars);
	for (size_t i = 0; i < vars.len; i++) {
		buf_putc(&b, ' ');
		show_traversal(&b, &vars.items[i].traversal);
	}
	CHECK_STR(buf_view(&b), " a b.c e");
	expression_calls(&a, e, &calls);
	CHECK(calls.len == 1);
	CHECK_STR(calls.items[0].name, "f");
	buf_release(&b);
	arena_release(&a);
}

static void test_static(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct expression *keys, *values;
	struct traversal_ref ref;
	struct buf b = BUF_INIT;
	size_t n;

	CHECK(!expression_traversal(&a, json(&a, "\"a.b[0]\""), &ref, &ds));
	show_traversal(&b, &ref.traversal);
	CHECK_STR(buf_view(&b), "a.b[0]");
	CHECK(source_pos(ref.src, ref.span.start).byte == 100);
	CHECK(expression_traversal(&a, json(&a, "\"a b\""), &ref, &ds));
	CHECK(expression_traversal(&a, json(&a, "1"), &ref, &ds));
	CHECK_STR(expression_keyword(json(&a, "\"all\"")), "all");
	CHECK(!expression_keyword(json(&a, "\"a.b\"")).p);
	CHECK(!expression_list(&a, json(&a, "[\"a\", 1]"), &values, &n, &ds));
	CHECK(n == 2 && values[1].root->json->kind == JSON_NODE_NUMBER);
	CHECK(expression_list(&a, json(&a, "\"a\""), &values, &n, &ds));
	CHECK(!expression_map(&a, json(&a, "{\"a\": \"b\"}"), &keys, &values,
			      &n, &ds));
	CHECK(n == 1);
	CHECK_STR(expression_keyword(keys[0]), "a");
	CHECK_STR(expression_keyword(values[0]), "b");
	CHECK(expression_map(&a, json(&a, "[]"), &keys, &values, &n, &ds));
	CHECK(ds.errors == 4);
	buf_release(&b);
	arena_release(&a);
}

static void test_depth(void)
{
	static const char *const opens[] = { "[", "{\"a\":" };

	for (size_t i = 0; i < 2; i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct buf b = BUF_INIT;

		for (size_t k = 0; k < 500000; k++)
			buf_puts(&b, opens[i]);
		parse_json_body(&a, source_new(&a, STR("t"), buf_view(&b)),
				&ds);
		CHECK(ds.len > 0);
		CHECK_STR(ds.items[0].summary, "Nesting too deep");
		buf_release(&b);
		arena_release(&a);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_errors());
	RUN(test_strings());
	RUN(test_template());
	RUN(test_variables());
	RUN(test_static());
	RUN(test_depth());
	return test_done("jsonsyntax");
}
