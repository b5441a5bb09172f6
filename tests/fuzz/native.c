/*
 * native.c - the lexer and the parser of native syntax: whole files
 *
 * What was parsed without errors must survive the way through a record.
 */
#include "fuzz.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/spec/decode.h"
#include "lang/syntax/parse.h"
#include "stream/record.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct source *src = source_new(&a, STR("main.tf"), text);
	struct body *b = parse_native(&a, src, &ds);
	struct traversal_vec vars = { 0 };

	FUZZ_HOLDS(b != NULL);
	body_variables_unshaped(&a, b, &vars);
	fuzz_diags(&a, &ds, src);
	if (!diags_failed(&ds))
		round_trip(&a, b);
	arena_release(&a);
	return 0;
}
