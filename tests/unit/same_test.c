/* same_test.c - do two JSON texts say the same? */
#include "json/tree.h"
#include "test.h"

static struct arena arena = ARENA_INIT;

static void test_same(void)
{
	static const struct {
		const char *x, *y;
		int plain, nulls, state;
	} rows[] = {
		{ "{}", "{}", 1, 1, 1 },
		{ "{\"a\":1}", "{ \"a\" : 1 }", 1, 1, 1 },
		{ "{\"a\":1}", "{\n  \"a\": 1\n}\n", 1, 1, 1 },
		{ "{\"a\":1}", "{\"a\":2}", 0, 0, 0 },
		{ "{\"a\":1}", "{\"a\":12}", 0, 0, 0 },
		{ "12", "1", 0, 0, 0 },
		{ "[1,2]", "[1,2,3]", 0, 0, 0 },
		{ "[1]", "[1,null]", 0, 0, 0 },
		{ "\"<\"", "\"\\u003c\"", 1, 1, 1 },
		{ "\"a\"", "\"b\"", 0, 0, 0 },
		{ "\"\\\"\"", "\"\\\"\"", 1, 1, 1 },
		{ "{\"a\":1}", "{\"a\":1,\"b\":null}", 0, 1, 1 },
		{ "{\"b\":1}", "{\"a\":null,\"b\":1}", 0, 1, 1 },
		{ "{\"a\":null,\"b\":1}", "{\"b\":1}", 0, 1, 1 },
		{ "{}", "{\"a\":null,\"b\":null}", 0, 1, 1 },
		{ "{\"a\":1,\"b\":null}", "{\"a\":1,\"c\":null}", 0, 1, 1 },
		{ "{\"a\":1}", "{\"a\":1,\"b\":2}", 0, 0, 0 },
		{ "{\"a\":1}", "{\"b\":1}", 0, 0, 0 },
		{ "{\"a\":\"b\"}", "{\"a\":\"c\"}", 0, 0, 0 },
		{ "[\"b\"]", "[\"a\",null]", 0, 0, 0 },
		{ "{\"a\":1}", "{\"a\":{\"value\":1,\"type\":\"number\"}}", 0, 0,
		  1 },
		{ "{\"a\":{\"b\":[1]},\"c\":2}",
		  "{\"a\":{\"value\":{\"b\":[1]},\"type\":[\"object\",{}]},"
		  "\"c\":2}",
		  0, 0, 1 },
		{ "[1,2]",
		  "[{\"value\":1,\"type\":\"number\"}, { \"value\" : 2, "
		  "\"type\" : \"number\" } ]",
		  0, 0, 1 },
		{ "{\"a\":1}", "{\"a\":{\"value\":1}}", 0, 0, 0 },
		{ "{\"a\":1}", "{\"a\":{\"value\":2,\"type\":\"number\"}}", 0, 0,
		  0 },
		{ "{\"a\":{\"value\":1}}",
		  "{\"a\":{\"value\":{\"value\":1},\"type\":\"dynamic\"}}", 0, 0,
		  0 },
		{ "", "{}", 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct str x = str_c(rows[i].x), y = str_c(rows[i].y);

		CHECK_ROW(json_same(&arena, x, y, JSON_SAME_PLAIN) ==
				  rows[i].plain,
			  rows[i].y);
		CHECK_ROW(json_same(&arena, x, y, JSON_SAME_NULLS) ==
				  rows[i].nulls,
			  rows[i].y);
		CHECK_ROW(json_same(&arena, x, y, JSON_SAME_STATE) ==
				  rows[i].state,
			  rows[i].y);
	}
}

static void test_true(void)
{
	static const struct {
		const char *text, *path;
		int n, is;
	} rows[] = {
		{ "true", "[]", 1, 1 },
		{ "false", "[]", 0, 0 },
		{ "{\"a\":true}", "[\"a\"]", 1, 1 },
		{ "{\"true\":false}", "[\"true\"]", 0, 0 },
		{ "{\"a\":[false,{\"b\":true}]}", "[\"a\",1,\"b\"]", 1, 1 },
		{ "{\"a\":[false,{\"b\":true}]}", "[\"a\",0]", 1, 0 },
		{ "{\"a\":[true]}", "[\"a\",1]", 1, 0 },
		{ "{\"a\":[true]}", "[\"b\"]", 1, 0 },
		{ "[true]", "[99999999999]", 1, 0 },
		{ "{\"a\":{\"b\":true}}", "[\"a\"]", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct str text = str_c(rows[i].text);

		CHECK_ROW((int)json_count_true(text) == rows[i].n,
			  rows[i].text);
		CHECK_ROW(json_true_at(text, str_c(rows[i].path)) ==
				  rows[i].is,
			  rows[i].path);
	}
}

/* A hostile nest takes no longer than its length. */
static void test_deep(void)
{
	struct buf b = BUF_INIT;
	size_t n;

	for (int i = 0; i < 900; i++)
		buf_puts(&b, "{\"value\":");
	buf_putc(&b, '1');
	for (int i = 0; i < 900; i++)
		buf_puts(&b, ",\"type\":0}");
	n = b.len;
	CHECK(json_same(&arena, STR("1"), buf_view(&b), JSON_SAME_STATE));
	CHECK(!json_same(&arena, buf_view(&b), str_sub(buf_view(&b), 0, n - 1),
			 JSON_SAME_STATE));
	buf_release(&b);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_same());
	RUN(test_true());
	RUN(test_deep());
	arena_release(&arena);
	return test_done("same");
}
