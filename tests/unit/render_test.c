/* render_test.c - the console's way to print values; suggestions */
#include "value_text.h"
#include "base/didyoumean.h"
#include "value/marks.h"
#include "value/value.h"

static const struct {
	const char *type, *value, *want;
} rows[] = {
	{ "\"string\"", "\"a\"", "\"a\"" },
	{ "\"string\"", "\"\"", "\"\"" },
	{ "\"string\"", "\"t\\tq\\\"b\\\\ \\u0001\"",
	  "\"t\\tq\\\"b\\\\ \\x01\"" },
	{ "\"string\"", "\"\xc3\xa9\\u00a0\"", "\"\xc3\xa9\\u00a0\"" },
	{ "\"string\"", "\"${x}\"", "\"${x}\"" },
	{ "\"string\"", "\"a\\nb\"", "<<EOT\na\nb\nEOT" },
	{ "\"string\"", "\"a\\n\"", "<<EOT\na\n\nEOT" },
	{ "\"string\"", "\"\\n\"", "<<EOT\n\n\nEOT" },
	{ "\"string\"", "\"a\\n EOT \\nEOT_\"",
	  "<<EOT__\na\n EOT \nEOT_\nEOT__" },
	{ "\"string\"", "\"a\\nEOT_\"", "<<EOT\na\nEOT_\nEOT" },
	{ "\"string\"", "\"a\\nEOTX\"", "<<EOT\na\nEOTX\nEOT" },
	{ "\"string\"", "null", "tostring(null)" },
	{ "\"number\"", "null", "tonumber(null)" },
	{ "\"bool\"", "null", "tobool(null)" },
	{ "\"dynamic\"", "null", "null" },
	{ "[\"list\",\"string\"]", "null", "tolist(null) /* of string */" },
	{ "[\"set\",[\"list\",\"bool\"]]", "null",
	  "toset(null) /* of list of bool */" },
	{ "[\"map\",[\"object\",{}]]", "null", "tomap(null) /* of object */" },
	{ "[\"object\",{\"a\":\"bool\"}]", "null", "null /* object */" },
	{ "[\"tuple\",[]]", "null", "null /* tuple */" },
	{ "\"string\"", "\"?\"", "(known after apply)" },
	{ "\"string\"", "{\"!\":\"?\"}", "(known after apply)" },
	{ "\"string\"", "{\"!\":\"s\"}", "(sensitive value)" },
	{ "\"string\"", "{\"!\":null}", "(sensitive value)" },
	{ "\"number\"", "1e20", "100000000000000000000" },
	{ "\"number\"", "-0.5", "-0.5" },
	{ "\"bool\"", "true", "true" },
	{ "[\"tuple\",[]]", "[]", "[]" },
	{ "[\"object\",{}]", "{}", "{}" },
	{ "[\"list\",\"string\"]", "[]", "tolist([])" },
	{ "[\"set\",\"string\"]", "[]", "toset([])" },
	{ "[\"map\",\"string\"]", "{}", "tomap({})" },
	{ "[\"tuple\",[\"number\",\"string\"]]", "[1,\"a\"]",
	  "[\n  1,\n  \"a\",\n]" },
	{ "[\"object\",{\"a b\":\"bool\",\"c\":\"bool\"}]",
	  "{\"a b\":true,\"c\":false}",
	  "{\n  \"a b\" = true\n  \"c\" = false\n}" },
	{ "[\"list\",[\"map\",\"string\"]]",
	  "[{\"k\":\"v\"},{\"k\":\"x\\ny\"}]",
	  "tolist([\n  tomap({\n    \"k\" = \"v\"\n  }),\n  tomap({\n"
	  "    \"k\" = <<-EOT\n    x\n    y\n    EOT\n  }),\n])" },
	{ "[\"set\",\"number\"]", "[10,9]", "toset([\n  9,\n  10,\n])" },
	{ "[\"object\",{\"p\":\"string\",\"q\":[\"list\",\"string\"]}]",
	  "{\"p\":{\"!\":\"x\"},\"q\":[\"?\",null]}",
	  "{\n  \"p\" = (sensitive value)\n  \"q\" = tolist([\n"
	  "    (known after apply),\n    tostring(null),\n  ])\n}" },
};

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;

		value_render(&b, value_of(&a, rows[i].type, rows[i].value));
		CHECK_STR(buf_view(&b), rows[i].want);
		buf_release(&b);
		arena_release(&a);
	}
}

static void test_marks(void)
{
	struct buf b = BUF_INIT;
	struct arena a = ARENA_INIT;

	value_render(&b, value_with_marks(&a, &value_true, &marks_ephemeral));
	CHECK_STR(buf_view(&b), "(ephemeral value)");
	buf_release(&b);
	arena_release(&a);
}

static void test_suggestions(void)
{
	static const struct str words[] = { STR_INIT("false"),
					    STR_INIT("true"),
					    STR_INIT("null"),
					    STR_INIT("\xc3\xa9t\xc3\xa9") };
	static const struct str options[] = { STR_INIT("lock"),
					      STR_INIT("lock-timeout"),
					      STR_INIT("lockfile") };
	static const char *const given[][2] = {
		{ "true", "true" },   { "ture", "true" }, { "tru", "true" },
		{ "tre", "true" },    { "rtue", "true" }, { "flase", "false" },
		{ "fales", "false" }, { "flse", "false" }, { "flue", "false" },
		{ "nil", "null" },    { "nul", "null" },  { "unll", "null" },
		{ "bananas", "" },    { "NaN", "" },	  { "void", "" },
		{ "undefined", "" },  { "", "" },
		{ "ete", "\xc3\xa9t\xc3\xa9" },
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		CHECK_STR(didyoumean(str_c(given[i][0]), words, 4), given[i][1]);
	CHECK_STR(didyoumean(STR("ab"), words, 0), "");
	CHECK_STR(didyoumean_word(STR("t"), words, 4), "true");
	CHECK_STR(didyoumean_word(STR("tre"), words, 4), "true");
	CHECK_STR(didyoumean_word(STR(""), words, 4), "");
	CHECK_STR(didyoumean_word(STR("lock-t"), options, 3), "lock-timeout");
	CHECK_STR(didyoumean_word(STR("loc"), options, 3), "lock");
	CHECK_STR(didyoumean_word(STR("lo"), options + 1, 2), "");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_rows());
	RUN(test_marks());
	RUN(test_suggestions());
	mpfr_free_cache();
	return test_done("render");
}
