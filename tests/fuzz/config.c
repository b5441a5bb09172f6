/*
 * config.c - a root module from its file to records, and back
 */
#include "config/config.h"
#include "config/record/records.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "config/check/refs.h"
#include "config/module.h"
#include "fuzz_io.h"
#include "stream/stream.h"

static struct str written(struct arena *a, const struct config *c)
{
	struct stream_out out;

	fuzz_out_begin(&out);
	config_write(&out, c);
	return fuzz_out_end(a, &out);
}

static int record(void *data, struct str kind, struct str line,
		  struct diags *ds)
{
	return config_read_record(data, kind, line, ds) < 0 ? -1 : 0;
}

static struct config *read_back(struct arena *a, struct str text)
{
	struct diags ds = DIAGS_INIT(a);
	struct stream_info info = { 0 };
	struct config *c = config_new(a);
	int fd = fuzz_fd(text);

	FUZZ_HOLDS(stream_read(a, fd, &info, NULL, record, c, &ds) == 0);
	FUZZ_HOLDS(config_finish(c, &ds) == 0);
	close(fd);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	const struct workdir here = WORKDIR_INIT;
	struct config_options o = { .dir = STR("."), .workdir = &here };
	struct str text = { (const char *)data, size };
	struct config *c, *again;

	fuzz_main_tf(text);
	c = config_load(&a, &o, &ds);
	config_check_references(c, &ds);
	/* bytes that are no UTF-8 travel as U+FFFD, which is longer */
	if (!diags_failed(&ds) && str_utf8_valid(text)) {
		text = written(&a, c);
		again = read_back(&a, text);
		FUZZ_HOLDS(str_eq(text, written(&a, again)));
		arena_release(&again->scratch);
	}
	fuzz_diags(&a, &ds, NULL);
	arena_release(&c->scratch);
	arena_release(&a);
	return 0;
}
