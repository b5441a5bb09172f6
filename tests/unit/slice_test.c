/* slice_test.c - members of an object without a tree; base64 */
#include "test.h"

#include "base/base64.h"
#include "json/slice.h"

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
	buf_putc(&many, '{');
	for (int i = 0; i < 40; i++)
		buf_addf(&many, "%s\"m%d\":%d", i ? "," : "", i, i);
	buf_putc(&many, '}');
	check_tree(many.p, many.p);
	for (int i = 0; i < 20; i++)
		buf_puts(&deep, "{\"a\":");
	buf_putc(&deep, '1');
	for (int i = 0; i < 20; i++)
		buf_putc(&deep, '}');
	check_tree(deep.p, "-");
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
	RUN(test_base64());
	return test_done("slice");
}
