/*
 * stream.c - streams: framing, the records of configurations and states
 *
 * A configuration and a state that were read are written and read again.  Each
 * record is asked something (select.h).
 */
#include "config/config.h"
#include "config/record/records.h"
#include "config/check/refs.h"
#include "config/module.h"
#include "fuzz_io.h"
#include "select/select.h"
#include "state/file/file.h"
#include "state/state.h"
#include "stream/stream.h"

struct reading {
	struct arena *a;
	struct config *config;
	struct state *previous, *prior;
	struct select *select;
};

static int record(void *data, struct str kind, struct str line,
		  struct diags *ds)
{
	struct reading *r = data;
	struct diags quiet = DIAGS_INIT(ds->arena);
	int rc = config_read_record(r->config, kind, line, ds);

	if (rc == 1)
		rc = state_read_record(r->previous, r->prior, kind, line, ds);
	if (r->select && select_asks(r->select, kind))
		select_record(r->select, kind, line, &quiet);
	return rc < 0 ? -1 : 0;
}

static int read_text(struct reading *r, struct arena *a, struct str text,
		     struct diags *ds)
{
	struct stream_info info = { 0 };
	int fd = fuzz_fd(text), rc;

	r->a = a;
	r->config = config_new(a);
	r->previous = state_new(a);
	r->prior = state_new(a);
	rc = stream_read(a, fd, &info, NULL, record, r, ds);
	close(fd);
	return rc || diags_failed(ds) ? -1 : config_finish(r->config, ds);
}

static struct str written(struct reading *r)
{
	struct stream_out out;

	fuzz_out_begin(&out);
	config_write(&out, r->config);
	state_records(&out, r->previous);
	return fuzz_out_end(r->a, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a), again = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };
	struct reading one = { 0 }, two = { 0 }, three = { 0 };

	one.select = select_new(
		&a,
		STR("change == null || before != after.x[0][\"y\"] || known == "
		    "matches(address, \"a*.b\") || action == index || values == "
		    "name || module == provider || hook == sensitive"),
		"EXPR",
		STR("event,output_change,previous_run_state,prior_state,resource,"
		    "resource_change,resource_drift"),
		&ds);
	FUZZ_HOLDS(one.select);
	if (read_text(&one, &a, text, &ds) == 0 && one.config->root) {
		config_check_references(one.config, &ds);
		text = written(&one);
		FUZZ_HOLDS(read_text(&two, &a, text, &again) == 0);
		/* Places that the text of a source contradicts, in an input
		 * that gives it last, are put right once. */
		text = written(&two);
		FUZZ_HOLDS(read_text(&three, &a, text, &again) == 0);
		FUZZ_HOLDS(str_eq(text, written(&three)));
		arena_release(&two.config->scratch);
		arena_release(&three.config->scratch);
	}
	fuzz_diags(&a, &ds, NULL);
	select_free(one.select);
	arena_release(&one.config->scratch);
	arena_release(&a);
	return 0;
}
