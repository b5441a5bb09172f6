/*
 * fuzz.h - what the fuzz targets share
 *
 * A target is LLVMFuzzerTestOneInput in a file of its own, linked with
 * libFuzzer; tests/fuzz/run builds and runs them.  Beside what the sanitizers
 * find, a target states what must hold of its input (FUZZ_HOLDS): above all
 * that what was written reads back as the same.
 */
#ifndef TFPIPE_TESTS_FUZZ_H
#define TFPIPE_TESTS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "ui/diag_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_HOLDS(cond)                                           \
	((cond) ? (void)0                                          \
		: (fprintf(stderr, "%s:%d: does not hold: %s\n",   \
			   __FILE__, __LINE__, #cond), abort()))

/* Every diagnostic as people read it: snippets, carets, wrapping. */
static inline void fuzz_diags(struct arena *a, const struct diags *ds,
			      struct source *src)
{
	struct sources ss = { 0 };
	struct snippets sn = { .arena = a, .sources = &ss };
	struct text_style style = { .color = true, .width = 78 };
	struct buf out = BUF_INIT;

	if (src)
		sources_put(a, &ss, src);
	diags_text(&out, ds, &sn, style, NULL);
	buf_release(&out);
}

#endif
