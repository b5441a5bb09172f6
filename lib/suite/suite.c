/* suite.c - see suite.h: files and their runs, one after another and beside one
 * another */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "suite/suite.h"
#include "base/diag.h"
#include "base/io.h"
#include "addr/provider.h"
#include "engine/stage/stage.h"
#include "config/load/load.h"
#include "install/providers/installed.h"
#include "suite/suite_int.h"
#include "ui/view.h"

static void advance(struct suite *s);

/* --- a run --- */

static void settle(struct test_run *r, enum test_status status)
{
	r->status = test_merge(r->status, status);
	r->step = STEP_ENDED;
	r->state->busy = false;
}

/* The outcome of assertions: those that do not hold fail, the rest are
 * errors. */
static enum test_status judge(const struct diags *ds, size_t from)
{
	enum test_status s = TEST_PASS;

	for (size_t i = from; i < ds->len; i++)
		if (ds->items[i].severity == SEV_ERROR)
			s = test_merge(s, ds->items[i].code == DIAG_ASSERTION
						  ? TEST_FAIL
						  : TEST_ERROR);
	return s;
}

/* Separates the diagnostics of assertions from those of the work. */
static void split(struct test_run *r, const struct diags *all,
		  struct diags *work, struct diags *asserted)
{
	struct str mine = STR_CAT(&r->arena, STR("run."), r->block->name);

	for (size_t i = 0; i < all->len; i++)
		diags_push(str_eq(all->items[i].check, mine) ? asserted : work,
			   all->items[i]);
}

/* What is told at the end of a plan, or of an apply: without what was expected,
 * and the assertions only if there are no other errors. */
static void conclude(struct test_run *r, struct expected *x, struct diags *all)
{
	struct diags work = DIAGS_INIT(&r->arena);
	struct diags asserted = DIAGS_INIT(&r->arena);
	struct diags left = DIAGS_INIT(&r->arena);
	size_t from;

	split(r, all, &work, &asserted);
	expect_filter(r, x, &work, &left);
	expect_missing(r, x, &left);
	diags_append(&r->ds, &left);
	if (diags_failed(&left)) {
		settle(r, TEST_ERROR);
		return;
	}
	from = r->ds.len;
	diags_append(&r->ds, &asserted);
	settle(r, judge(&r->ds, from));
	if (r->suite->o->verbose)
		stages_show(r);
}

/* A variable that is expected to be wrong keeps the apply from beginning. */
static void warn_expected(struct test_run *r, const struct expected *x,
			  const struct diags *planned)
{
	for (size_t i = 0; i < planned->len; i++) {
		const struct diag *d = &planned->items[i];

		if (d->code == DIAG_VARIABLE_INVALID && expects(x, d->check))
			diag_warning(&r->ds, NULL,
				     "Invalid Variable in test file",
				     "%.*s is invalid, as was expected. But "
				     "so nothing could be applied, and the "
				     "test fails.",
				     STR_ARG(d->check));
	}
}

static void planned(struct test_run *r)
{
	struct expected *x = expect_new(r);
	struct diags all = DIAGS_INIT(&r->arena);

	stages_diags(r, r->planned, "tf-plan", &all);
	/* Of what is not valid nothing can be expected. */
	if (!r->began && diags_failed(&all)) {
		diags_append(&r->ds, &all);
		settle(r, TEST_ERROR);
		return;
	}
	if (r->block->plan) {
		conclude(r, x, &all);
		return;
	}
	if (diags_failed(&all)) {
		diags_append(&r->ds, &all);
		warn_expected(r, x, &all);
		settle(r, TEST_ERROR);
		return;
	}
	for (size_t i = 0; i < all.len; i++) /* said again, if still true */
		if (!diag_kind(all.items[i].code)->check)
			diags_push(&r->ds, all.items[i]);
	if (!stages_apply(r))
		settle(r, TEST_ERROR);
}

static void applied(struct test_run *r)
{
	struct diags all = DIAGS_INIT(&r->arena);

	stages_diags(r, r->applied, "tf-apply", &all);
	if (stages_take_state(r, &all) == 0)
		r->state->by = r;
	conclude(r, expect_new(r), &all);
}

/* --- the cleanup of a state --- */

static void cleaned(struct test_run *r)
{
	struct test_file *f = r->file;

	settle(r, diags_failed(&r->ds) ? TEST_ERROR : TEST_PASS);
	vec_push(f->suite->arena, &f->clean, r);
	f->cleanup = NULL;
}

static void clean_step(struct test_run *r)
{
	struct diags all = DIAGS_INIT(&r->arena);

	if (r->step == STEP_PLAN) {
		stages_diags(r, r->planned, "tf-plan", &all);
		diags_append(&r->ds, &all);
		if (diags_failed(&r->ds) || !stages_apply(r))
			cleaned(r);
		return;
	}
	stages_diags(r, r->applied, "tf-apply", &all);
	diags_append(&r->ds, &all);
	stages_take_state(r, &r->ds);
	cleaned(r);
}

void run_stage_ended(struct test_run *r)
{
	if (r->destroys)
		clean_step(r);
	else if (r->step == STEP_PLAN)
		planned(r);
	else
		applied(r);
	if (r->step == STEP_ENDED && !r->destroys)
		run_release(r);
	advance(r->suite);
}

/* --- a file --- */

static void begin(struct test_run *r)
{
	r->state = state_of(r->file,
			    r->block->alternate ? r->block->source : STR(""));
	r->state->busy = true;
	if (!stages_begin(r)) {
		settle(r, TEST_ERROR);
		run_release(r);
	}
}

static bool room(const struct suite *s)
{
	return s->running < s->limit;
}

/* May r begin while those before it are at work?  A run that only plans changes
 * nothing for the others; one that is said to be parallel has another module,
 * as its state is one of the module's. */
static bool may_begin(const struct test_file *f, const struct test_run *r)
{
	for (size_t i = f->next; &f->runs[i] != r; i++) {
		const struct test_run *before = &f->runs[i];
		bool apart = !str_eq(before->block->source, r->block->source);

		if (before->step == STEP_ENDED) {
			if (before->status == TEST_ERROR)
				return false;
			continue;
		}
		if (!before->block->plan &&
		    !(before->block->parallel && r->block->parallel && apart))
			return false;
		if (before->block->plan && !r->block->plan &&
		    !(before->block->parallel && r->block->parallel && apart))
			return false;
	}
	return true;
}

static void start_runs(struct test_file *f)
{
	for (size_t i = f->next; i < f->nruns; i++) {
		struct test_run *r = &f->runs[i];

		if (r->step != STEP_IDLE)
			continue;
		if (!room(f->suite) || !may_begin(f, r))
			return;
		begin(r);
	}
}

/* Takes the runs that ended in their order. */
static void settle_runs(struct test_file *f)
{
	struct suite *s = f->suite;

	while (f->next < f->nruns) {
		struct test_run *r = &f->runs[f->next];
		bool skip = s->asked || f->status == TEST_ERROR;

		if (skip && r->step == STEP_IDLE) {
			r->status = TEST_SKIP;
			r->step = STEP_ENDED;
		} else if (r->step != STEP_ENDED) {
			if (skip && r->block->plan && !r->dropped)
				stages_stop(r);
			r->dropped |= skip && r->block->plan;
			start_runs(f);
			if (r->step != STEP_ENDED)
				return;
			continue;
		}
		if (r->dropped || (f->status == TEST_ERROR && r->block->plan)) {
			r->status = TEST_SKIP;
			r->ds.len = r->ds.errors = 0;
		} else if (r->status != TEST_SKIP) {
			f->status = test_merge(f->status, r->status);
		}
		f->next++;
	}
}

static int later_first(const void *x, const void *y)
{
	const struct test_state *const *a = x, *const *b = y;

	return (*a)->by > (*b)->by ? -1 : (*a)->by < (*b)->by;
}

/* The states that runs have made, the latest first. */
static void order_cleanup(struct test_file *f)
{
	for (size_t i = 0; i < f->states.len; i++)
		if (f->states.items[i]->by)
			vec_push(f->suite->arena, &f->order,
				 f->states.items[i]);
	if (f->order.len)
		qsort(f->order.items, f->order.len, sizeof(*f->order.items),
		      later_first);
}

static void clean(struct test_file *f)
{
	struct suite *s = f->suite;
	struct test_state *st = f->order.items[f->cleaned++];
	struct test_run *r = ARENA_NEW(s->arena, struct test_run);

	r->suite = s;
	r->file = f;
	r->block = st->by->block;
	r->state = st;
	r->destroys = true;
	r->parsed = r->planned = r->applied = -1;
	r->ds = (struct diags)DIAGS_INIT(&r->arena);
	f->cleanup = r;
	if (state_is_empty(st->state))
		cleaned(r);
	else if (!stages_begin(r))
		cleaned(r);
}

/* Goes on as far as it can. */
static void file_step(struct test_file *f)
{
	settle_runs(f);
	if (f->next < f->nruns || f->over)
		return;
	if (!f->told) {
		f->told = true;
		order_cleanup(f);
	}
	while (!f->cleanup && f->cleaned < f->order.len &&
	       f->suite->asked < 2 && room(f->suite))
		clean(f);
	f->over = !f->cleanup && f->cleaned == f->order.len;
}

/* --- all files --- */

/* What is over is told in the order of the files. */
static void show(struct suite *s)
{
	while (s->shown < s->files.len) {
		struct test_file *f = s->files.items[s->shown];

		if (f->told && !f->clean_told) {
			view_file(f);
			f->clean_told = 1;
		}
		while (f->clean_told && f->clean_told - 1 < f->clean.len) {
			struct test_run *r = f->clean.items[f->clean_told - 1];

			view_cleanup(r);
			run_release(r);
			f->clean_told++;
		}
		if (!f->over)
			return;
		s->status = test_merge(s->status, f->status);
		if (f->journal.n)
			io_remove_tree(f->journal.p);
		s->shown++;
	}
	s->over = true;
}

static void advance(struct suite *s)
{
	if (s->asked >= 2)
		return;
	for (size_t i = 0; i < s->files.len; i++)
		file_step(s->files.items[i]);
	show(s);
}

static void later(void *data)
{
	advance(data);
}

static void give_up(void *data)
{
	((struct suite *)data)->over = true;
}

static void at_work(struct suite *s)
{
	for (size_t i = 0; i < s->files.len; i++) {
		struct test_file *f = s->files.items[i];
		bool works = f->cleanup != NULL;

		if (f->cleanup)
			stages_stop(f->cleanup);
		for (size_t k = 0; k < f->nruns; k++) {
			works |= f->runs[k].pid > 0;
			stages_stop(&f->runs[k]);
		}
		if (works)
			view_left(s, f);
	}
}

/* Once: what is at work is finished, and what was made is destroyed.  Twice: it
 * is told what there is, and that is all. */
static void asked(void *data, int sig)
{
	struct suite *s = data;

	(void)sig;
	s->asked++;
	if (s->asked > 2)
		return;
	view_interrupted(s, s->asked == 2);
	if (s->asked == 1) {
		loop_defer(s->loop, later, s);
		return;
	}
	at_work(s);
	loop_after(s->loop, 1000, give_up, s);
}

static struct test_file *new_file(struct suite *s,
				  const struct cfg_test_file *c)
{
	struct test_file *f = ARENA_NEW(s->arena, struct test_file);

	f->suite = s;
	f->config = c;
	f->status = TEST_PASS;
	f->nruns = c->runs.len;
	f->runs = ARENA_ARRAY(s->arena, struct test_run, c->runs.len + 1);
	for (size_t i = 0; i < f->nruns; i++) {
		struct test_run *r = &f->runs[i];

		r->suite = s;
		r->file = f;
		r->block = &c->runs.items[i];
		r->parsed = r->planned = r->applied = -1;
		r->ds = (struct diags)DIAGS_INIT(&r->arena);
	}
	return f;
}

static bool chosen(const struct suite_options *o, struct str name)
{
	for (size_t i = 0; i < o->filter.len; i++)
		if (str_eq(o->filter.items[i], name))
			return true;
	return !o->filter.len;
}

static int prepare(struct suite *s, struct diags *ds)
{
	struct config_options o = { .dir = STR("."),
				    .workdir = s->o->workdir,
				    .tests = s->o->test_dir,
				    .test_files = &s->blocks };

	s->config =
		load_configuration(s->arena, s->o->args, s->o->nargs, &o, ds);
	if (diags_failed(ds) || values_collect(s, ds))
		return -1;
	for (size_t i = 0; i < s->blocks.len; i++)
		if (chosen(s->o, s->blocks.items[i].name))
			vec_push(s->arena, &s->files,
				 new_file(s, &s->blocks.items[i]));
	if (s->o->filter.len && !s->files.len)
		diag_warning(ds, NULL, "No tests were found",
			     "-filter names no file of tests; it takes paths "
			     "from the working directory on.");
	s->source = installed_source(s->arena, s->o->workdir,
				     provider_default_host());
	return installed_locked(s->source, s->arena, ds);
}

static void release(struct suite *s)
{
	for (size_t i = 0; i < s->files.len; i++) {
		struct test_file *f = s->files.items[i];

		for (size_t k = 0; k < f->nruns; k++) {
			run_release(&f->runs[k]);
			buf_release(&f->runs[k].verbose);
			arena_release(&f->runs[k].arena);
		}
		for (size_t k = 0; k < f->clean.len; k++)
			arena_release(&f->clean.items[k]->arena);
		for (size_t k = 0; k < f->states.len; k++)
			close(f->states.items[k]->fd);
	}
	suite_end_providers(s);
	if (s->loop)
		loop_free(s->loop);
}

static int run_all(struct suite *s)
{
	s->loop = loop_new();
	loop_signal(s->loop, SIGINT, asked, s);
	loop_signal(s->loop, SIGTERM, asked, s);
	loop_defer(s->loop, later, s);
	loop_run(s->loop, &s->over);
	if (s->asked >= 2)
		return 1;
	view_conclusion(s);
	return s->status == TEST_PASS ? 0 : 1;
}

int suite_run(struct arena *a, const struct suite_options *o, struct view *v,
	      struct diags *ds)
{
	struct suite s = { .arena = a, .o = o, .view = v, .status = TEST_PASS };
	struct diags late = DIAGS_INIT(a);
	long n = o->parallelism > 0 ? o->parallelism
				    : sysconf(_SC_NPROCESSORS_ONLN);
	int rc = 1;

	s.limit = n < 1 ? 1 : (unsigned)n;
	if (prepare(&s, ds)) {
		ui_diags(v, ds, &s.config->sources);
		return 1;
	}
	ui_diags(v, ds, &s.config->sources);
	view_abstract(&s);
	rc = run_all(&s);
	if (o->junit.n && view_junit(&s, &late)) {
		ui_diags(v, &late, NULL);
		rc = 1;
	}
	release(&s);
	return rc;
}
