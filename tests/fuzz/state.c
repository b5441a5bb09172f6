/*
 * state.c - state files: what was read is written so that it reads the same
 */
#include <fcntl.h>

#include "fuzz.h"
#include "json/write.h"
#include "state/file/file.h"
#include "state/state.h"
#include "ui/show/show.h"
#include "ui/show/show_int.h"

/* Without schemas: by the types of its JSON, and refused. */
static void show(struct arena *a, const struct state *s, bool any)
{
	struct map none = { 0 };
	struct state_objects objects = { .arena = a, .schemas = &none,
					 .any = any };
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc = state_json(&w, s, &objects);

	FUZZ_HOLDS(rc ? objects.why.n > 0 : !objects.why.n);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct state *s = state_parse(&a, text, "terraform.tfstate", &ds);
	struct buf one = BUF_INIT, two = BUF_INIT;

	FUZZ_HOLDS(s || diags_failed(&ds));
	if (s && !diags_failed(&ds)) {
		struct state *again;

		state_write(&one, s);
		again = state_parse(&a, buf_view(&one), "again", &ds);
		FUZZ_HOLDS(again && !diags_failed(&ds));
		FUZZ_HOLDS(state_equal_content(s, again));
		state_write(&two, again);
		FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
		buf_set_len(&two, 0);
		state_write_compact(&two, s);
		show(&a, s, true);
		show(&a, s, false);
	}
	fuzz_diags(&a, &ds, NULL);
	buf_release(&one);
	buf_release(&two);
	arena_release(&a);
	return 0;
}
