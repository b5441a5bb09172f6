/*
 * format.c - the formatter: what it wrote is what it writes again, and says
 * the same as before
 */
#include "fuzz.h"
#include "lang/format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct source *src = source_new(&a, STR("main.tf"), text), *again;
	struct buf one = BUF_INIT, two = BUF_INIT;

	if (format_source(src, &one, &ds) == 0) {
		again = source_new(&a, STR("main.tf"), buf_view(&one));
		FUZZ_HOLDS(format_source(again, &two, &ds) == 0);
		FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
	}
	fuzz_diags(&a, &ds, src);
	buf_release(&one);
	buf_release(&two);
	arena_release(&a);
	return 0;
}
