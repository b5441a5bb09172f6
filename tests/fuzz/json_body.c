/*
 * json_body.c - JSON syntax: files, and single values as expressions
 */
#include "fuzz.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "stream/record.h"

static const struct attr_schema attrs[] = {
	{ "a", false }, { "count", false }, { "value", true }, { NULL, false }
};
static const struct block_schema blocks[] = {
	{ "resource", { "type", "name", NULL } },
	{ "variable", { "name", NULL } },
	{ "locals", { NULL } },
	{ NULL, { NULL } },
};
static const struct body_schema schema = { attrs, blocks };

static void round_trip(struct arena *a, const struct body *b)
{
	struct diags ds = DIAGS_INIT(a);
	struct record_reader in = { .arena = a, .ds = &ds };
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct jw w = JW_INIT(&one), v = JW_INIT(&two);
	struct json_error err;
	const struct json *j;
	struct body *again = NULL;

	record_body(&w, b);
	j = json_parse(a, buf_view(&one), &err);
	FUZZ_HOLDS(j != NULL);
	FUZZ_HOLDS(record_body_read(&in, j, &again) == 0);
	record_body(&v, again);
	FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
	buf_release(&one);
	buf_release(&two);
}

static void take_apart(struct arena *a, const struct body *b, int depth,
		       struct diags *ds)
{
	struct body_content c = { 0 };
	struct attribute_vec all = { 0 };
	struct traversal_vec vars = { 0 };
	struct body *rest = NULL;

	body_partial(a, b, &schema, &c, &rest, ds);
	body_attributes(a, rest, &all, ds);
	for (size_t i = 0; i < all.len; i++)
		expression_variables(a, all.items[i].expr, &vars);
	for (size_t i = 0; depth < 3 && i < c.blocks.len && i < 20; i++)
		take_apart(a, c.blocks.items[i].body, depth + 1, ds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct source *src = source_new(&a, STR("main.tf.json"), text);
	struct body *b = parse_json_body(&a, src, &ds);
	struct expression e;

	src->json_columns = true;
	if (b) {
		/* bytes that are no UTF-8 travel as U+FFFD, which is longer */
		if (!diags_failed(&ds) && str_utf8_valid(text))
			round_trip(&a, b);
		take_apart(&a, b, 0, &ds);
	}
	e = parse_json_expression(&a, src, &ds);
	if (e.root) {
		struct traversal_vec vars = { 0 };

		expression_variables(&a, e, &vars);
	}
	fuzz_diags(&a, &ds, src);
	arena_release(&a);
	return 0;
}
