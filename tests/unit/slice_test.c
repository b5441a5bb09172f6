/* slice_test.c - JSON text without a tree: scanned, sliced, copied; base64 */
#include "json/write.h"
#include "json/tree.h"
#include "test.h"
#include "base/base64.h"
#include "json/read.h"

/* name=value pairs joined with |, "bad" at the end when malformed */
static void check(const char *json, const char *want)
{
	struct json_slice s = JSON_SLICE_INIT(str_c(json));
	struct buf b = BUF_INIT;

	while (json_slice_next(&s))
		buf_addf(&b, "%.*s=%.*s|", STR_ARG(s.name), STR_ARG(s.value));
	if (s.bad)
		buf_puts(&b, "bad");
	CHECK_STR(buf_view(&b), want);
	buf_release(&b);
}

static void test_slices(void)
{
	check("{}", "");
	check(" { } ", "");
	check("{\"a\":1}", "a=1|");
	check("{\"a\" : [1,{\"b\":\"}]\"}] , \"c\":null}",
	      "a=[1,{\"b\":\"}]\"}]|c=null|");
	check("{\"q\":\"x\\\"y\",\"r\":\"\\\\\",\"t\":\"\"}",
	      "q=\"x\\\"y\"|r=\"\\\\\"|t=\"\"|");
	check("{\"a\":-1.5e3 }", "a=-1.5e3|");
	check("", "bad");
	check("[1]", "bad");
	check("{\"a\":1", "a=1|bad");
	check("{\"a\":1,}", "a=1|bad");
	check("{\"a\"}", "bad");
	check("{\"a\":}", "bad");
	check("{\"a\":\"x", "bad");
	check("{\"a\":[1,2", "bad");
	check("{a:1}", "bad");
	check("{\"a\":1 \"b\":2}", "a=1|bad");
	check("{\"a\":1,\"b\":01}", "a=1|b=0|bad");
	check("{\"a\":[1}}", "bad");
	check("{\"a\":1,\"b\":[\"\\q\"],\"c\":2}", "a=1|bad");
	check("{\"a\":\"\n\"}", "bad");
}

/* The tree written again; "-" where there is none. */
static void check_tree(const char *json, const char *want)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	static const char *const skip[] = { "skip", "this", NULL };
	const struct json *j = json_slice_tree(&a, str_c(json), skip);

	if (j)
		jw_json(&w, j);
	else
		buf_puts(&b, "-");
	CHECK_STR(buf_view(&b), want);
	buf_release(&b);
	arena_release(&a);
}

static void test_trees(void)
{
	struct buf many = BUF_INIT, deep = BUF_INIT;

	check_tree("{}", "{}");
	check_tree("{\"a\":{\"b\":\"x\",\"skip\":[1]},\"c\":[1,[]],\"d\":[]}",
		   "{\"a\":{\"b\":\"x\"},\"c\":[1,[]],\"d\":[]}");
	check_tree("{\"a\":\"x\\n\\\"\",\"b\":null,\"c\":-1.5e3}",
		   "{\"a\":\"x\\n\\\"\",\"b\":null,\"c\":-1.5e3}");
	check_tree("", "-");
	check_tree("[1]", "-");
	check_tree("{\"a\":1}x", "-");
	check_tree("{\"a\":nul}", "-");
	check_tree("{\"a\":01}", "-");
	check_tree("{\"a\":{\"b\":1]}", "-");
	check_tree("{\"a\":\"\xc3\xa9\",\"this\":0}", "{\"a\":\"\xc3\xa9\"}");
	check_tree("{\"a\":\"\xc3\"}", "-");
	check_tree("{\n \"a\" : [ true , {\"b\":\"\\u00e9\"} ]\n}",
		   "{\"a\":[true,{\"b\":\"\xc3\xa9\"}]}");
	check_tree("{\"a\":[]}", "{\"a\":[]}");
	check_tree("{\"a\":[ ]}", "{\"a\":[]}");
	check_tree("{\"a\":[1,]}", "-");
	check_tree("{\"a\":[,1]}", "-");
	check_tree("{\"a\":[1 2]}", "-");
	check_tree("{\"a\":[1}", "-");
	check_tree("{\"a\":[1}}", "-");
	check_tree("{\"a\":-}", "-");
	check_tree("{\"a\":-0,\"b\":10}", "{\"a\":-0,\"b\":10}");
	check_tree("{\"a\":False}", "-");
	check_tree("{\"a\x01\":1}", "-");
	check_tree("{\"a\":\"\t\"}", "-");
	check_tree("{\"a\\n\":1}", "{\"a\\n\":1}");
	check_tree("{\"a\":\"\\q\"}", "-");
	check_tree(" {\"a\":1.50e+3} ", "{\"a\":1.50e+3}");
	check_tree("{\"skip\":[01],\"a\":1}", "-");
	check_tree("{\"\\u0073kip\":1,\"a\":{\"this\":1}}", "{\"a\":{}}");
	buf_putc(&many, '{');
	for (int i = 0; i < 40; i++)
		buf_addf(&many, "%s\"m%d\":%d", i ? "," : "", i, i);
	buf_putc(&many, '}');
	check_tree(many.p, many.p);
	for (int depth = 1000; depth <= 1001; depth++) {
		buf_set_len(&deep, 0);
		for (int i = 0; i < depth; i++)
			buf_puts(&deep, "{\"a\":");
		buf_putc(&deep, '1');
		for (int i = 0; i < depth; i++)
			buf_putc(&deep, '}');
		check_tree(deep.p, depth == 1000 ? deep.p : "-");
	}
	buf_release(&many);
	buf_release(&deep);
}

static void test_strings(void)
{
	struct arena a = ARENA_INIT;

	CHECK_STR(json_slice_str(&a, STR("\"abc\"")), "abc");
	CHECK_STR(json_slice_str(&a, STR("\"a\\\"\\u00e9\"")), "a\"\xc3\xa9");
	CHECK_STR(json_slice_str(&a, STR("\"\\\\\\/\\b\\f\\n\\r\\t\\\"\"")),
		  "\\/\b\f\n\r\t\"");
	CHECK(json_slice_str(&a, STR("\"\xff\"")).p == NULL);
	CHECK(json_slice_str(&a, STR("12")).p == NULL);
	CHECK(json_slice_str(&a, STR("\"a\\q\"")).p == NULL);
	CHECK_STR(json_slice_str(&a, STR("\"\\ud800x\"")),
		  "\xef\xbf\xbdx");
	arena_release(&a);
}

/* Texts, each with its error and where that is; NULL: none. */
static const struct scan_row {
	const char *text, *error;
	size_t at;
} scans[] = {
	{ " {\"a\" : [1, -2.5e+3, true, false, null, {}, []]} ", NULL, 0 },
	{ "\"\\u00e9 \\n more than sixteen bytes of it \\ud800\"", NULL, 0 },
	{ "", "unexpected end of text", 0 },
	{ "[1,]", "expected a value", 3 },
	{ "[1 2]", "expected ',' or a closing bracket", 3 },
	{ "[1}", "expected ',' or a closing bracket", 2 },
	{ "{\"a\" 1}", "expected ':'", 5 },
	{ "{a:1}", "expected a member name", 1 },
	{ "{\"a\":1,}", "expected a member name", 7 },
	{ "\"abc", "unterminated string", 4 },
	{ "\"abc\\", "unterminated string", 5 },
	{ "\"\\n\\n\\q\"", "invalid escape in string", 6 },
	{ "\"\\u00g0\"", "invalid escape in string", 2 },
	{ "\"seventeen bytes: \t\"", "control character in string", 18 },
	{ "\"\xc3\xa9\t\"", "control character in string", 3 },
	{ "1.", "invalid number", 2 },
	{ "-", "invalid number", 1 },
	{ "1e+", "invalid number", 3 },
	{ "01", "text after the value", 1 },
	{ "{} {}", "text after the value", 3 },
};

static void test_scans(void)
{
	struct arena a = ARENA_INIT;
	struct buf deep = BUF_INIT;
	struct json_scan s;

	for (size_t i = 0; i < sizeof(scans) / sizeof(*scans); i++) {
		const struct scan_row *r = &scans[i];

		s = json_scan_start(&a, str_c(r->text));
		CHECK_ROW((json_scan_value(&s, NULL) || json_scan_end(&s)) ==
			  (r->error != NULL), r->text);
		if (r->error) {
			CHECK_STR(str_c(s.error), r->error);
			CHECK_ROW(s.p == s.start + r->at, r->text);
		}
	}
	for (int depth = 1000; depth <= 1001; depth++) {
		buf_set_len(&deep, 0);
		for (int i = 0; i < depth; i++)
			buf_putc(&deep, '[');
		for (int i = 0; i < depth; i++)
			buf_putc(&deep, ']');
		s = json_scan_start(&a, buf_view(&deep));
		CHECK(!json_scan_value(&s, NULL) == (depth == 1000));
	}
	buf_release(&deep);
	arena_release(&a);
}

/* Text written again: compact, and at a depth of one. */
static void test_texts(void)
{
	static const char *const rows[][3] = {
		{ " [ 1 , { } , [ ] ] ", "[1,{},[]]",
		  "[\n    1,\n    {},\n    []\n  ]" },
		{ "{\"<\" :\"&\\u003e\\/\\n\xe2\x80\xa8\xe2\x80\x9c\"}",
		  "{\"\\u003c\":\"\\u0026\\u003e\\/\\n\\u2028\xe2\x80\x9c\"}",
		  "{\n    \"\\u003c\": \"\\u0026\\u003e\\/\\n\\u2028"
		  "\xe2\x80\x9c\"\n  }" },
		{ "null", "null", "null" },
	};
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (int k = 0; k < 2; k++) {
			struct jw w = { .out = &b, .html = true,
					.indent = 2 * k, .depth = k,
					.keyed = true };

			buf_set_len(&b, 0);
			jw_text(&w, str_c(rows[i][0]));
			CHECK_STR(buf_view(&b), rows[i][1 + k]);
			CHECK(w.depth == k);
		}
	}
	buf_release(&b);
}

/* Text of several forms is known as such, as json_one_form says. */
static void test_varied(void)
{
	static const struct {
		const char *text;
		bool varied;
	} rows[] = {
		{ "{\"a\":[1,\"x\\n\\\"\",true,null,-12]}", false },
		{ "[1.0]", true },	{ "[1e+2]", true },
		{ "[\"\\u00e9\"]", true }, { "[\"\\/\"]", true },
		{ "[\"<\"]", true },	{ "[1000000000000000]", true },
		{ "[\"\xe2\x80\xa8\"]", true },
	};
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct jw w = { .out = &b, .html = true };

		buf_set_len(&b, 0);
		jw_text(&w, str_c(rows[i].text));
		CHECK_ROW(w.varied == rows[i].varied, rows[i].text);
	}
	buf_release(&b);
}

static void test_base64(void)
{
	static const char *const rows[][2] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" },
		{ "\xff\xfe\xfd", "//79" },
	};
	struct arena a = ARENA_INIT;
	struct str out;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK_STR(base64_encode(&a, str_c(rows[i][0])), rows[i][1]);
		CHECK(base64_decode(&a, str_c(rows[i][1]), &out));
		CHECK_STR(out, rows[i][0]);
	}
	CHECK(!base64_decode(&a, STR("Zg="), &out));
	CHECK(!base64_decode(&a, STR("Z==="), &out));
	CHECK(!base64_decode(&a, STR("Zg==Zg=="), &out));
	CHECK(!base64_decode(&a, STR("Zm9\n"), &out));
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_slices());
	RUN(test_trees());
	RUN(test_strings());
	RUN(test_scans());
	RUN(test_texts());
	RUN(test_varied());
	RUN(test_base64());
	return test_done("slice");
}
