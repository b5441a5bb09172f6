/*
 * json.c - JSON text, and the values and types in it
 *
 * One JSON value; {"type":T,"value":V} is read as V of the type T, too.
 */
#include "fuzz.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/value.h"
#include "value/type.h"

static void as_stream(struct arena *a, const struct json *j)
{
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct jw w = JW_INIT(&one), x = JW_INIT(&two);
	struct verror err = { 0 };
	struct json_error jerr;
	const struct value *v = value_from_stream(a, j, &err), *again;

	if (!v)
		return;
	value_to_stream(&w, v);
	j = json_parse(a, buf_view(&one), &jerr);
	FUZZ_HOLDS(j != NULL);
	again = value_from_stream(a, j, &err);
	FUZZ_HOLDS(again != NULL);
	FUZZ_HOLDS(value_identical(v, again));
	value_to_stream(&x, again);
	FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
	buf_release(&one);
	buf_release(&two);
}

/* Reads back what one value is written as.  Published JSON has no infinities
 * and rounds a few huge numbers; everything else comes back. */
static const struct value *reread(struct arena *a, const struct value *v,
				  const struct type *t)
{
	const struct value *back;
	struct str text;
	struct verror err = { 0 };
	struct json_error jerr;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	const struct json *j;

	value_to_json(&w, v, t);
	j = json_parse(a, buf_view(&out), &jerr);
	FUZZ_HOLDS(j != NULL);
	back = value_from_json(a, j, t, &err);
	text = buf_view(&out);
	FUZZ_HOLDS(back && (value_identical(v, back) || text.n > 150 ||
			    memmem(text.p, text.n, "null", 4)));
	buf_release(&out);
	return back;
}

/* What was read from published JSON once stays. */
static void as_typed(struct arena *a, const struct json *j)
{
	const struct json *tj = json_get(j, "type"),
			  *vj = json_get(j, "value");
	const struct type *t = tj ? type_from_json(a, tj) : NULL;
	struct verror err = { 0 };
	const struct value *v, *once, *again;

	if (!t || !vj || t->has_optional)
		return;
	v = value_from_json(a, vj, t, &err);
	if (!v)
		return;
	once = reread(a, v, t);
	again = reread(a, once, t);
	FUZZ_HOLDS(value_identical(once, again));
}

static void slices(struct arena *a, struct str text)
{
	struct json_slice s = JSON_SLICE_INIT(text);

	while (json_slice_next(&s))
		json_slice_str(a, s.value);
	json_peek_record(text);
}

/* What is read without the parser reads as with it. */
static void tree(struct arena *a, struct str text, const struct json *parsed)
{
	const struct json *j = json_slice_tree(a, text, NULL);
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct jw w = JW_INIT(&one), x = JW_INIT(&two);

	if (!j)
		return;
	FUZZ_HOLDS(parsed != NULL);
	jw_json(&w, j);
	jw_json(&x, parsed);
	FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
	buf_release(&one);
	buf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct str text = { (const char *)data, size };
	struct json_error err;
	const struct json *j = json_parse(&a, text, &err), *again;
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct jw w = JW_INIT(&one), x = JW_INIT(&two);

	slices(&a, text);
	tree(&a, text, j);
	if (j) {
		jw_json(&w, j);
		again = json_parse(&a, buf_view(&one), &err);
		FUZZ_HOLDS(again != NULL);
		jw_json(&x, again);
		FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
		value_from_json_implied(&a, j);
		type_of_json(&a, j);
		as_stream(&a, j);
		as_typed(&a, j);
	} else {
		FUZZ_HOLDS(err.message && err.offset <= size);
	}
	buf_release(&one);
	buf_release(&two);
	arena_release(&a);
	return 0;
}
