/*
 * eval.c - the evaluator and the built-in functions, in a small scope
 *
 * The input is an expression.  It has the same value when its loops move their
 * results after each element.  It is asked of a change, too.
 */
#include "fuzz_scope.h"
#include "json/write.h"
#include "lang/eval/eval_int.h"
#include "select/select.h"
#include "value/codec_json.h"
#include "value/value.h"

static void asked(struct arena *a, struct str text)
{
	static const struct str line =
		STR("{\"record\":\"resource_change\",\"address\":\"a.b[0]\","
		    "\"change\":{\"actions\":[\"update\"],\"before\":{\"s\":"
		    "\"x\",\"l\":[1,{\"k\":true}],\"n\":null},\"after\":{"
		    "\"s\":\"y\",\"l\":[1]},\"after_unknown\":{\"n\":true,"
		    "\"l\":[false,true]},\"before_sensitive\":{\"s\":true},"
		    "\"after_sensitive\":{\"l\":[true]}}}");
	struct diags ds = DIAGS_INIT(a);
	struct select *s = select_new(a, text, "EXPR", STR_NONE, &ds);

	if (s) {
		select_record(s, STR("resource_change"), line, &ds);
		select_finish(s, &ds);
	}
	fuzz_diags(a, &ds, NULL);
	select_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct source *src = source_new(&a, STR("e"), text);
	struct scope sc = fuzz_scope();
	struct expression e;
	const struct value *v, *again;
	const size_t room = eval_loop_room;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);

	e = parse_expression(&a, src, &ds);
	if (e.root) {
		v = eval_expression(&a, &sc, e, &ds);
		FUZZ_HOLDS(v != NULL);
		value_render(&out, v);
		value_to_json(&w, v, NULL);
		FUZZ_HOLDS(value_identical(v, value_copy(&a, v)));
		eval_loop_room = 0;
		again = eval_expression(&a, &sc, e, &ds);
		eval_loop_room = room;
		FUZZ_HOLDS(value_identical(v, again));
		eval_convert(&a, &sc, e, &type_list_string, NULL, &ds);
	}
	fuzz_diags(&a, &ds, src);
	asked(&a, text);
	buf_release(&out);
	arena_release(&a);
	return 0;
}
