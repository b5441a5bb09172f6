/*
 * expression.c - expressions, templates and traversals on their own
 */
#include "fuzz.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "stream/record.h"

/* Through a record and back: the same record again. */
static void round_trip(struct arena *a, struct expression e)
{
	struct diags ds = DIAGS_INIT(a);
	struct record_reader in = { .arena = a, .ds = &ds };
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct jw w = JW_INIT(&one), v = JW_INIT(&two);
	struct expression again;
	struct json_error err;
	const struct json *j;

	record_expression(&w, e);
	j = json_parse(a, buf_view(&one), &err);
	FUZZ_HOLDS(j != NULL);
	FUZZ_HOLDS(record_expression_read(&in, j, &again) == 0);
	record_expression(&v, again);
	FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
	buf_release(&one);
	buf_release(&two);
}

static void look_at(struct arena *a, struct expression e)
{
	struct traversal_vec vars = { 0 };
	struct call_vec calls = { 0 };

	expression_variables(a, e, &vars);
	expression_calls(a, e, &calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct source *src = source_new(&a, STR("e"), text);
	struct source *part = source_fragment(&a, STR("f"), text,
					      (struct pos){ 3, 7, 40 });
	struct expression e = parse_expression(&a, src, &ds);
	struct traversal t;
	int open[3] = { 0 };

	if (e.root) {
		look_at(&a, e);
		if (!diags_failed(&ds) && str_utf8_valid(text))
			round_trip(&a, e);
	}
	e = parse_expression(&a, part, &ds);
	if (e.root)
		look_at(&a, e);
	e = parse_template(&a, src, &ds);
	if (e.root)
		look_at(&a, e);
	parse_traversal(&a, src, &t, &ds);
	text_brackets(text, open);
	fuzz_diags(&a, &ds, src);
	arena_release(&a);
	return 0;
}
