/*
 * typeexpr.c - type constraints: the type read is printed, converted to, and
 * survives its JSON notation
 */
#include "fuzz.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/syntax/parse.h"
#include "lang/eval/eval.h"
#include "value/convert.h"
#include "value/type.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct source *src = source_new(&a, STR("t"), text);
	struct expression e = parse_expression(&a, src, &ds);
	const struct type_defaults *defaults = NULL;
	const struct type *t = NULL;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	struct verror err = { 0 };
	struct json_error jerr;
	const struct json *j;

	if (e.root) {
		typeexpr_read(&a, e, false, NULL, &ds);
		t = typeexpr_read(&a, e, true, &defaults, &ds);
	}
	if (t) {
		const struct value *v = value_null(
			&a, type_without_optional(t));

		type_to_json(&w, t);
		j = json_parse(&a, buf_view(&out), &jerr);
		FUZZ_HOLDS(j && type_from_json(&a, j) == t);
		buf_set_len(&out, 0);
		type_render(&out, t);
		type_friendly(&a, t);
		if (defaults)
			v = type_defaults_apply(&a, defaults, v);
		FUZZ_HOLDS(convert(&a, v, t, &err) != NULL);
	}
	fuzz_diags(&a, &ds, src);
	buf_release(&out);
	arena_release(&a);
	return 0;
}
