/*
 * msgpack.c - values that providers send
 *
 * The first line is the type in JSON notation, the rest is msgpack.  A double
 * may come back with more digits (OpenTofu packs whole numbers as text), so it
 * is the second writing that must equal the first.
 */
#include "fuzz.h"
#include "json/read.h"
#include "value/codec_msgpack.h"
#include "value/type.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct str text = { (const char *)data, size }, bytes;
	ptrdiff_t nl = str_chr(text, '\n');
	struct buf out = BUF_INIT, again = BUF_INIT;
	struct verror err = { 0 };
	struct json_error jerr;
	const struct json *j;
	const struct type *t = NULL;
	const struct value *v, *w;

	if (nl < 0)
		return 0;
	bytes = str_sub(text, (size_t)nl + 1, size);
	j = json_parse(&a, str_sub(text, 0, (size_t)nl), &jerr);
	if (j)
		t = type_from_json(&a, j);
	v = t && !t->has_optional ? value_from_msgpack(&a, bytes, t, &err)
				  : NULL;
	if (v && value_to_msgpack(&out, v, t) == 0) {
		w = value_from_msgpack(&a, buf_view(&out), t, &err);
		FUZZ_HOLDS(w != NULL);
		FUZZ_HOLDS(value_to_msgpack(&again, w, t) == 0);
		FUZZ_HOLDS(str_eq(buf_view(&out), buf_view(&again)));
	}
	buf_release(&out);
	buf_release(&again);
	arena_release(&a);
	return 0;
}
