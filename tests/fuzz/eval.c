/*
 * eval.c - the evaluator and the built-in functions, in a small scope
 *
 * The input is an expression.  It has the same value when its loops move their
 * results after each element.
 */
#include "fuzz_scope.h"
#include "json/write.h"
#include "lang/eval/loop_int.h"
#include "value/codec_json.h"
#include "value/value.h"

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
	buf_release(&out);
	arena_release(&a);
	return 0;
}
