/* nested_check.c - see nested_check.h */
#include "engine/run/nested_check.h"

static void report(struct worker *w, enum check_status status, struct str text)
{
	const struct cfg_check *c = w->block->check;
	struct checks *all = &w->run->checks;
	struct check_group *g;
	struct str address;

	if (!c)
		return;
	g = checks_group(all, c->module, CHECK_BLOCK, c->name, NULL);
	if (!g)
		return;
	address = run_address(w->a, w->module, "check.", c->name);
	checks_report(all,
		      checks_object(all, g, w->module->addr, KEY_ABSENT,
				    address),
		      status, text);
}

void nested_check_pass(struct worker *w)
{
	report(w, CHECK_PASS, STR_NONE);
}

/* What was said in one text, as programs read it in the check's results. */
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

	for (size_t i = from; i < w->ds.len; i++)
		failed |= w->ds.items[i].severity == SEV_ERROR;
	if (!failed) {
		nested_check_pass(w);
		return false;
	}
	report(w, CHECK_FAIL, problems(w, from));
	diags_soften(&w->ds, from);
	return true;
}
