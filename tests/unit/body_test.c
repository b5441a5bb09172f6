/* body_test.c - reading bodies by schema, in both syntaxes */
#include "lang/syntax/body.h"
#include "show_expr.h"
#include "test.h"

static const struct attr_schema attrs[] = {
	{ "need", true }, { "count", false }, { 0 },
};
static const struct block_schema blocks[] = {
	{ "plain", { NULL } },
	{ "two", { "kind", "name" } },
	{ 0 },
};
static const struct body_schema schema = { attrs, blocks };
static const struct body_schema nothing = { 0 };

static struct body *parse(struct arena *a, const char *text, struct diags *ds)
{
	struct source *src = source_new(a, STR("t"), str_c(text));

	return *text == '{' || *text == '[' ? parse_json_body(a, src, ds) :
					      parse_native(a, src, ds);
}

/* "count=… need=… | plain two(a,b)" */
static void show_content(struct buf *b, const struct body_content *c)
{
	for (size_t i = 0; i < c->attrs.len; i++)
		buf_addf(b, "%.*s=%.*s ", STR_ARG(c->attrs.items[i]->name),
			 STR_ARG(expression_text(c->attrs.items[i]->expr)));
	buf_putc(b, '|');
	for (size_t i = 0; i < c->blocks.len; i++) {
		const struct block *bl = &c->blocks.items[i];

		buf_addf(b, " %.*s", STR_ARG(bl->type));
		for (size_t k = 0; k < bl->nlabels; k++)
			buf_addf(b, ":%.*s", STR_ARG(bl->labels[k].text));
	}
}

static const struct row {
	const char *src, *content, *errors;
} rows[] = {
	{ "need = 1\ncount = x\nplain {\n}\ntwo \"a\" b {\n}\n",
	  "need=1 count=x | plain two:a:b", "" },
	{ "plain {}\n", "| plain", "Missing required argument 1:1-1:1" },
	{ "need = 1\nned = 2\n", "need=1 |", "Unsupported argument 2:1-2:4" },
	{ "need = 1\nplan {\n}\n", "need=1 |",
	  "Unsupported block type 2:1-2:5" },
	{ "need = 1\nplain = 2\n", "need=1 |",
	  "Unsupported argument 2:1-2:6" },
	{ "need = 1\nplain \"x\" {\n}\n", "need=1 |",
	  "Extraneous label for plain 2:7-2:10" },
	{ "need = 1\ntwo \"x\" {\n}\n", "need=1 |",
	  "Missing name for two 2:9-2:10" },
	{ "need = 1\ntwo x y z {\n}\n", "need=1 |",
	  "Extraneous label for two 2:9-2:10" },
	/* JSON */
	{ "{\"need\": 1, \"plain\": {}, \"two\": {\"a\": {\"b\": {}}}}",
	  "need=1 | plain two:a:b", "" },
	{ "[{\"need\": 1}, {\"//\": 2, \"plain\": [{}, {}]}]",
	  "need=1 | plain plain", "" },
	{ "{\"need\": 1, \"two\": [{\"a\": {\"b\": {}, \"c\": [{}, {}]}}, "
	  "{\"a\": {\"d\": {}}}], \"plain\": null}",
	  "need=1 | two:a:b two:a:c two:a:c two:a:d", "" },
	{ "{\"plain\": {}}", "| plain", "Missing required argument 1:13-1:14" },
	{ "{\"need\": 1, \"nee\": 2}", "need=1 |",
	  "Extraneous JSON object property 1:13-1:18" },
	{ "{\"need\": 1,\n\t\"need\": 2}", "need=1 |",
	  "Duplicate argument 2:3-2:9" },
	{ "{\"need\": 1, \"plain\": 2}", "need=1 |",
	  "Incorrect JSON value type 1:22-1:23" },
	{ "{\"need\": 1, \"two\": {\"a\": {}}}", "need=1 |",
	  "Missing block label 1:26-1:27" },
	{ "{\"need\": 1, \"two\": {\"a\": [1]}}", "need=1 |",
	  "Incorrect JSON value type 1:27-1:28; "
	  "Missing block label 1:26-1:27" },
	{ "[{\"need\": 1}, 2]", "need=1 |",
	  "Incorrect JSON value type 1:15-1:16" },
};

static void test_content(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct body *b = parse(&a, rows[i].src, &ds);
		struct body_content c;
		struct buf got = BUF_INIT;
		int rc;

		CHECK_ROW(!diags_failed(&ds), rows[i].src);
		rc = body_content(&a, b, &schema, &c, &ds);
		CHECK_ROW((rc != 0) == (*rows[i].errors != 0), rows[i].src);
		show_content(&got, &c);
		CHECK_STR(buf_view(&got), rows[i].content);
		buf_set_len(&got, 0);
		show_diags(&got, &ds);
		CHECK_STR(buf_view(&got), rows[i].errors);
		buf_release(&got);
		arena_release(&a);
	}
}

/* Content taken by one reading is not left for the next. */
static void test_partial(void)
{
	static const char *const sources[] = {
		"need = 1\ncount = 2\nother = 3\nplain {}\nmore {}\n",
		"{\"need\":1,\"count\":2,\"other\":3,\"plain\":{},\"more\":{}}",
	};
	static const struct attr_schema one[] = { { "other", true }, { 0 } };
	static const struct block_schema more[] = { { "more", { NULL } },
						    { 0 } };
	static const struct body_schema second = { one, more };

	for (size_t i = 0; i < 2; i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct body *b = parse(&a, sources[i], &ds), *rest, *rest2;
		struct body_content c;
		struct attribute_vec all;
		struct str_vec names = { 0 };
		struct buf got = BUF_INIT;

		CHECK(!body_partial(&a, b, &schema, &c, &rest, &ds));
		show_content(&got, &c);
		CHECK_STR(buf_view(&got), "need=1 count=2 | plain");
		buf_set_len(&got, 0);
		body_hidden_names(&a, rest, &names);
		CHECK(names.len == (b->json ? 3 : 0));
		CHECK(!body_partial(&a, rest, &second, &c, &rest2, &ds));
		show_content(&got, &c);
		CHECK_STR(buf_view(&got), "other=3 | more");
		CHECK(!body_content(&a, rest2, &nothing, &c, &ds));
		CHECK(body_content(&a, rest, &nothing, &c, &ds));
		CHECK(body_content(&a, b, &second, &c, &ds));
		rest = body_hide(&a, b, (struct str[]){ STR("need"),
							STR("more"),
							STR("plain") }, 3);
		CHECK(!body_attributes(&a, rest, &all, &ds) == (i == 1));
		CHECK(all.len == 2);
		buf_release(&got);
		arena_release(&a);
	}
}

static void test_attributes(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct attribute_vec all;
	struct buf got = BUF_INIT;

	CHECK(!body_attributes(&a, parse(&a, "a = 1\nb = 2\n", &ds), &all,
			       &ds));
	CHECK(all.len == 2);
	CHECK(body_attributes(&a, parse(&a, "a = 1\nb {\n}\n", &ds), &all,
			      &ds));
	CHECK(all.len == 1);
	CHECK(!body_attributes(&a, parse(&a, "{\"a\":1,\"//\":2,\"b\":[]}",
					 &ds), &all, &ds));
	CHECK(all.len == 2);
	CHECK(body_attributes(&a, parse(&a, "{\"a\":1,\"a\":2}", &ds), &all,
			      &ds));
	CHECK(all.len == 1);
	show_diags(&got, &ds);
	CHECK_STR(buf_view(&got), "Unexpected \"b\" block 2:1-2:2; "
		  "Duplicate attribute definition 1:8-1:11");
	buf_release(&got);
	arena_release(&a);
}

static void test_merge(void)
{
	static const struct {
		enum body_merge_kind kind;
		const char *first, *second, *content, *errors;
	} cases[] = {
		{ BODY_UNION, "need = 1\nplain {}\n", "{\"count\":2,"
		  "\"plain\":{}}", "need=1 count=2 | plain plain", "" },
		{ BODY_UNION, "need = 1\n", "need = 2\n", "need=1 |",
		  "Duplicate argument 1:1-1:5" },
		{ BODY_UNION, "count = 1\n", "plain {}\nx = 1\n",
		  "count=1 | plain", "Unsupported argument 2:1-2:2; "
		  "Missing required argument 1:1-1:1" },
		{ BODY_OVERRIDE, "need = 1\ncount = 1\nplain {}\ntwo a b {\n}\n",
		  "need = 2\ntwo c d {\n}\nx = 1\n",
		  "need=2 count=1 | plain two:c:d", "" },
		{ BODY_OVERRIDE, "need = 1\nplain {}\ndynamic \"two\" {\n}\n",
		  "dynamic plain {\n}\n",
		  "need=1 | dynamic:two dynamic:plain", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct body *b = body_merge(&a, cases[i].kind,
					    parse(&a, cases[i].first, &ds),
					    parse(&a, cases[i].second, &ds));
		struct body_content c;
		struct buf got = BUF_INIT;

		body_content(&a, b, &schema, &c, &ds);
		show_content(&got, &c);
		CHECK_STR(buf_view(&got), cases[i].content);
		buf_set_len(&got, 0);
		show_diags(&got, &ds);
		CHECK_STR(buf_view(&got), cases[i].errors);
		buf_release(&got);
		arena_release(&a);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_content());
	RUN(test_partial());
	RUN(test_attributes());
	RUN(test_merge());
	return test_done("body");
}
