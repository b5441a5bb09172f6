/* nested_check.c - see worker.h */
#include "engine/run/worker.h"
#include "engine/run/expand.h"
#include "engine/run/conditions.h"

static void report(struct worker *w, enum check_status status, struct str text)
{
	const struct cfg_check *c = w->block->check;
	struct check_object *o =
		c ? module_check(w->module, CHECK_BLOCK, c->name) : NULL;

	if (o)
		checks_report(&w->run->checks, o, status, text);
}

void nested_check_pass(struct worker *w)
{
	report(w, CHECK_PASS, STR_NONE);
}

/* Joins the diagnostics since `from` in one text, as programs read it in the
 * check's results. */
static struct str problems(struct worker *w, size_t from)
{
	const struct diags *ds = &w->ds;
	struct buf b = BUF_INIT;

	if (ds->len - from > 1)
		buf_addf(&b, "%zu problems:\n", ds->len - from);
	for (size_t i = from; i < ds->len; i++) {
		const struct diag *d = &ds->items[i];

		if (ds->len - from > 1)
			buf_puts(&b, "\n- ");
		buf_str(&b, d->summary);
		if (d->detail.n)
			buf_addf(&b, ": %.*s", STR_ARG(d->detail));
	}
	return buf_take(w->run->arena, &b);
}

bool nested_check_settle(struct worker *w, size_t from)
{
	bool failed = false;

	for (size_t i = from; i < w->ds.len; i++) {
		struct diag *d = &w->ds.items[i];

		failed |= d->severity == SEV_ERROR;
		if (d->code == DIAG_PLAIN)
			d->code = DIAG_CHECK_DATA;
		d->check = run_address(w->ds.arena, w->module, "check.",
				       w->block->check->name);
	}
	if (!failed) {
		nested_check_pass(w);
		return false;
	}
	report(w, CHECK_FAIL, problems(w, from));
	diags_soften(&w->ds, from);
	return true;
}
