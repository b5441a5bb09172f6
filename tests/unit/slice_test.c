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

static void test_strings(void)
{
	struct arena a = ARENA_INIT;

	CHECK_STR(json_slice_str(&a, STR("\"abc\"")), "abc");
	CHECK_STR(json_slice_str(&a, STR("\"a\\\"\\u00e9\"")), "a\"\xc3\xa9");
	CHECK_STR(json_slice_str(&a, STR("\"\\\\\\/\\b\\f\\n\\r\\t\\\"\"")),
		  "\\/\b\f\n\r\t\"");
	CHECK(json_slice_str(&a, STR("12")).p == NULL);
	CHECK(json_slice_str(&a, STR("\"a\\q\"")).p == NULL);
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

int main(void)
{
	test_slices();
	test_strings();
	test_base64();
	return test_done("slice");
}
