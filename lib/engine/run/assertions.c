/* assertions.c - see assertions.h */
#include "engine/run/assertions.h"
#include "config/check/refs.h"
#include "config/test.h"
#include "engine/run/values.h"
#include "engine/run/conditions.h"

struct asserting {
	struct run *run;
	struct diags *ds;
};

/* Outputs, and variables that the file of tests adds, are there for assertions
 * alone. */
static bool is_extra(const struct run *r, const struct traversal_ref *t)
{
	const struct traversal *v = &t->traversal;
	const struct cfg_test *test = r->config->test;

	if (str_is(v->root, "output"))
		return true;
	return str_is(v->root, "var") && v->nsteps &&
	       v->steps[0].kind == STEP_ATTR &&
	       map_has(&test->variables, v->steps[0].name);
}

static unsigned check(void *data, const struct traversal_vec *refs)
{
	const struct asserting *x = data;
	struct arena scratch = ARENA_INIT;
	struct traversal_vec usual = { NULL, 0, 0 };
	struct refs_place p = { .m = x->run->root->config,
				.assertion = true,
				.scratch = &scratch,
				.ds = x->ds };
	unsigned wrong;

	for (size_t i = 0; i < refs->len; i++)
		if (!is_extra(x->run, &refs->items[i]))
			vec_push(&scratch, &usual, refs->items[i]);
	wrong = config_refs_check(&p, &usual);
	arena_release(&scratch);
	return wrong;
}

void assertions_check(struct run *r, struct diags *ds)
{
	const struct cfg_test *t = r->config->test;
	struct str address = STR_CAT(r->arena, STR("run."), t->name);
	struct asserting x = { r, ds };
	struct condition_use use = { .kind = COND_TEST,
				     .address = address,
				     .references = check,
				     .data = &x };
	const size_t from = ds->len;
	struct run_scope s;
	struct run_mark mark;

	do {
		mark = run_mark(r, ds);
		run_scope_init(&s, r->root, NULL);
		s.outputs = true;
		run_conditions(r, &s, &use, &t->asserts, ds);
	} while (run_settle(&mark));
	for (size_t i = from; i < ds->len; i++)
		ds->items[i].check = str_dup(ds->arena, address);
}
