/* json_test.c - reading and writing JSON */
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "test.h"
#include "json/json.h"

struct row {
	const char *text;
	const char *want; /* written again; NULL: refused */
};

static const struct row reading[] = {
	{ "null", "null" },
	{ " true ", "true" },
	{ "false", "false" },
	{ "0", "0" },
	{ "-0", "-0" },
	{ "1.50", "1.50" },
	{ "1e400", "1e400" },
	{ "-1E+2", "-1E+2" },
	{ "123456789012345678901234567890", "123456789012345678901234567890" },
	{ "\"\"", "\"\"" },
	{ "\"a\\u0041\\n\\/\\\"\"", "\"aA\\n/\\\"\"" },
	{ "\"\\u00e9\\ud83d\\ude00\"", "\"\xc3\xa9\xf0\x9f\x98\x80\"" },
	{ "\"\\ud800\"", "\"\xef\xbf\xbd\"" },
	{ "\"\\udc00x\"", "\"\xef\xbf\xbdx\"" },
	{ "\"\\ud800\\ud800\\udc00\"",
	  "\"\xef\xbf\xbd\xf0\x90\x80\x80\"" },
	{ "\"\\\\ud800\"", "\"\\\\ud800\"" },
	{ "\"\\u0000\\u001f\\u007f\\b\\f\\r\\t\"",
	  "\"\\u0000\\u001f\x7f\\b\\f\\r\\t\"" },
	{ "\"\\u2028\\u2029\"", "\"\\u2028\\u2029\"" },
	{ "\"<>&\"", "\"<>&\"" },
	{ "[]", "[]" },
	{ "{}", "{}" },
	{ "[1,[2,[3]],{\"a\":[]}]", "[1,[2,[3]],{\"a\":[]}]" },
	{ "{\"b\":1,\"a\":{\"c\":null}}", "{\"b\":1,\"a\":{\"c\":null}}" },
	{ "{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}" },
	{ "\t\n\r [ 1 , 2 ] \n", "[1,2]" },
	{ "", NULL },
	{ " ", NULL },
	{ "nul", NULL },
	{ "nulll", NULL },
	{ "01", NULL },
	{ "1.", NULL },
	{ ".5", NULL },
	{ "+1", NULL },
	{ "-", NULL },
	{ "1e", NULL },
	{ "NaN", NULL },
	{ "[1,]", NULL },
	{ "[1 2]", NULL },
	{ "[", NULL },
	{ "]", NULL },
	{ "{\"a\"}", NULL },
	{ "{\"a\":}", NULL },
	{ "{a:1}", NULL },
	{ "{\"a\":1,}", NULL },
	{ "\"abc", NULL },
	{ "\"\\x\"", NULL },
	{ "\"\\u12\"", NULL },
	{ "\"a\nb\"", NULL },
	{ "\"\xff\"", NULL },
	{ "\"\xc0\x80\"", NULL },
	{ "1 2", NULL },
	{ "{} {}", NULL },
	{ "// no comments\n1", NULL },
	{ "'a'", NULL },
	{ "\f1", NULL },
	{ "[1,\v2]", NULL },
	{ "1\f", NULL },
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(reading) / sizeof(*reading); i++) {
		const struct row *r = &reading[i];
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct jw w = JW_INIT(&b);
		struct json_error err = { 0 };
		const struct json *j = json_parse(&a, str_c(r->text), &err);

		CHECK_ROW(!j == !r->want, r->text);
		if (j && r->want) {
			jw_json(&w, j);
			CHECK_STR(buf_view(&b), r->want);
		} else if (!j) {
			CHECK_ROW(err.message && *err.message, r->text);
			CHECK_ROW(err.offset <= strlen(r->text), r->text);
		}
		buf_release(&b);
		arena_release(&a);
	}
}

static void test_depth(void)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct json_error err;

	for (int depth = 1000; depth <= 1001; depth++) {
		buf_set_len(&b, 0);
		for (int i = 0; i < depth; i++)
			buf_putc(&b, '[');
		for (int i = 0; i < depth; i++)
			buf_putc(&b, ']');
		CHECK((json_parse(&a, buf_view(&b), &err) != NULL) ==
		      (depth == 1000));
	}
	CHECK(strstr(err.message, "1,000") != NULL);
	buf_set_len(&b, 0);
	for (int i = 0; i < 1000000; i++)
		buf_puts(&b, "{\"a\":");
	CHECK(json_parse(&a, buf_view(&b), &err) == NULL);
	buf_release(&b);
	arena_release(&a);
}

static void test_looking(void)
{
	struct arena a = ARENA_INIT;
	struct json_error err;
	const struct json *j = json_parse(
		&a,
		STR("{\"s\":\"x\",\"t\":true,\"n\":-42,\"f\":1.5,\"z\":null,"
		    "\"max\":9223372036854775807,\"min\":-9223372036854775808,"
		    "\"over\":9223372036854775808,\"d\":1,\"d\":2}"),
		&err);

	CHECK_STR(json_get_str(j, "s"), "x");
	CHECK(json_get_str(j, "n").p == NULL);
	CHECK(json_get_bool(j, "t", false));
	CHECK(json_get_bool(j, "none", true));
	CHECK(json_get_int(j, "n", 0) == -42);
	CHECK(json_get_int(j, "f", 7) == 7);
	CHECK(json_get_int(j, "max", 0) == INT64_MAX);
	CHECK(json_get_int(j, "min", 0) == INT64_MIN);
	CHECK(json_get_int(j, "over", 5) == 5);
	CHECK(json_get_int(j, "d", 0) == 2);
	CHECK(json_get(j, "z")->kind == JSON_NULL);
	CHECK(json_get(j, "absent") == NULL);
	CHECK(json_get(NULL, "a") == NULL);
	CHECK(json_get(json_get(j, "s"), "a") == NULL);
	CHECK_STR(json_peek_record(STR("{\"record\":\"end\",\"x\":1}")), "end");
	CHECK(json_peek_record(STR("{\"x\":1}")).p == NULL);
	CHECK(json_peek_record(STR("{\"record\":\"en")).p == NULL);
	CHECK(json_peek_record(STR("{\"record\":\"a\\u0041\"}")).p == NULL);
	arena_release(&a);
}

static void test_writing(void)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	w.html = true;
	jw_object(&w);
	jw_key_str(&w, STR("a<"));
	jw_str(&w, STR("<&>\xff\xe2\x82\xac"));
	jw_member_int(&w, "n", INT64_MIN);
	jw_member_bool(&w, "t", false);
	jw_key(&w, "list");
	jw_array(&w);
	jw_null(&w);
	jw_raw(&w, STR("1.0"));
	jw_object(&w);
	jw_object_end(&w);
	jw_cstr(&w, "");
	jw_array_end(&w);
	jw_object_end(&w);
	CHECK_STR(buf_view(&b),
		  "{\"a\\u003c\":\"\\u003c\\u0026\\u003e\\ufffd\xe2\x82\xac\","
		  "\"n\":-9223372036854775808,\"t\":false,"
		  "\"list\":[null,1.0,{},\"\"]}");
	buf_set_len(&b, 0);
	w = (struct jw){ .out = &b, .indent = 2 };
	jw_object(&w);
	jw_key(&w, "a");
	jw_array(&w);
	jw_int(&w, 1);
	jw_int(&w, 2);
	jw_array_end(&w);
	jw_key(&w, "e");
	jw_array(&w);
	jw_array_end(&w);
	jw_object_end(&w);
	CHECK_STR(buf_view(&b),
		  "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"e\": []\n}");
	buf_release(&b);
}

static const struct escape {
	const char *inside, *want; /* NULL: an escape is wrong, */
	long wrong;                /* which takes so many bytes to see */
} escapes[] = {
	{ "", "", 0 },
	{ "plain \xc3\xa9", "plain \xc3\xa9", 0 },
	{ "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 0 },
	{ "\\u0041\\u00E9\\u20ac\\ud83d\\uDE00",
	  "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 0 },
	{ "\\ud800", "\xef\xbf\xbd", 0 },
	{ "\\udc00\\ud800", "\xef\xbf\xbd\xef\xbf\xbd", 0 },
	{ "\\ud800\\ud83d\\ude00", "\xef\xbf\xbd\xf0\x9f\x98\x80", 0 },
	{ "\\ud800\\n", "\xef\xbf\xbd\n", 0 },
	{ "\\", NULL, 1 },
	{ "\\x", NULL, 2 },
	{ "\\U0041", NULL, 2 },
	{ "\\u", NULL, 3 },
	{ "\\ug041", NULL, 3 },
	{ "\\u00/1", NULL, 5 },
	{ "\\u004:", NULL, 6 },
};

static void test_escapes(void)
{
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		const struct escape *e = &escapes[i];
		struct str s = json_unescape(&a, str_c(e->inside));
		size_t len;

		CHECK_ROW(!s.p == !e->want, e->inside);
		if (e->want)
			CHECK_STR(s, e->want);
		else
			CHECK_ROW(json_unescape_one(str_c(e->inside), &len) ==
				  -e->wrong, e->inside);
	}
	arena_release(&a);
}

/* Each byte at each place of a string that is written in words. */
static void test_escaping(void)
{
	struct buf b = BUF_INIT, want = BUF_INIT;
	char text[40];

	for (int c = 1; c < 0x80; c++) {
		for (size_t at = 0; at < sizeof(text) - 1; at++) {
			bool html = at % 2;

			memset(text, 'a', sizeof(text));
			text[at] = (char)c;
			text[sizeof(text) - 1] = '\0';
			buf_set_len(&b, 0);
			buf_set_len(&want, 0);
			json_escape(&b, str_c(text), html);
			for (const char *p = text; *p; p++) {
				const char *from = "\"\\\b\f\n\r\t", *hit;

				hit = strchr(from, *p);
				if (hit)
					buf_addf(&want, "\\%c",
						 "\"\\bfnrt"[hit - from]);
				else if (*p < 0x20 ||
					 (html && strchr("<>&", *p)))
					buf_addf(&want, "\\u%04x",
						 (unsigned)*p);
				else
					buf_putc(&want, *p);
			}
			CHECK_STR(buf_view(&b), want.p);
		}
	}
	buf_release(&b);
	buf_release(&want);
}

/* A large document of many small parts: pools and stacks grow. */
static void test_large(void)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT, again = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct json_error err;
	const struct json *j;

	jw_array(&w);
	for (int i = 0; i < 20000; i++) {
		jw_object(&w);
		jw_member_int(&w, "id", i);
		jw_member_str(&w, "name", STR("a name that is not long"));
		jw_object_end(&w);
	}
	jw_array_end(&w);
	j = json_parse(&a, buf_view(&b), &err);
	CHECK(j && j->len == 20000);
	CHECK(json_get_int(&j->items[12345], "id", 0) == 12345);
	w = (struct jw)JW_INIT(&again);
	jw_json(&w, j);
	CHECK(str_eq(buf_view(&b), buf_view(&again)));
	buf_release(&b);
	buf_release(&again);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_reading());
	RUN(test_depth());
	RUN(test_looking());
	RUN(test_writing());
	RUN(test_escapes());
	RUN(test_escaping());
	RUN(test_large());
	return test_done("json");
}
