/*
 * plan.c - a root module all the way: planned, and the plan shown both ways
 *
 * Only the built-in provider is there, and no state.
 */
#include "base/workdir.h"
#include "config/load/load.h"
#include "config/record/records.h"
#include "config/check/refs.h"
#include "engine/plan/plan.h"
#include "engine/plan/plan_int.h"
#include "engine/run/inputs.h"
#include "engine/validate/validate.h"
#include "fuzz_io.h"
#include "ui/show/show.h"

static void shown(struct arena *a, struct str text)
{
	for (int json = 0; json < 2; json++) {
		struct show_options o = { .json = json };
		int fd = fuzz_fd(text);

		FUZZ_HOLDS(show_run(a, &o, fd, STR("plan")) == 0);
		close(fd);
	}
}

static void planned(struct arena *a, struct config *c, struct diags *ds)
{
	struct plan_options o = {
		.run = { .refresh = true, .parallelism = 10,
			 .timestamp = STR("2030-01-01T00:00:00Z"),
			 .dir = STR("."), .original_dir = STR("/"),
			 .workspace = STR("default") },
	};
	struct loop *l = loop_new();
	struct stream_out out;
	struct plan *p = NULL;
	struct str text;
	bool bad;

	fuzz_out_begin(&out);
	config_write(&out, c);
	if (!inputs_parse(a, &o.inputs, c->root, ds) &&
	    !validate_run(l, c, &o.run, ds))
		p = plan_run(a, l, c, state_new(a), &o, ds);
	bad = diags_failed(ds);
	if (p)
		plan_write(&out, p);
	text = fuzz_out_end(a, &out);
	if (p && !bad)
		shown(a, text);
	if (p)
		plan_free(p);
	loop_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	const struct workdir here = WORKDIR_INIT;
	struct config_options o = { .dir = STR("."), .workdir = &here };
	struct str text = { (const char *)data, size };
	struct config *c;

	fuzz_main_tf(text);
	c = config_load(&a, &o, &ds);
	config_check_references(c, &ds);
	if (!diags_failed(&ds))
		planned(&a, c, &ds);
	fuzz_diags(&a, &ds, NULL);
	arena_release(&c->scratch);
	arena_release(&a);
	return 0;
}
