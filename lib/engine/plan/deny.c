/*
 * deny.c - changes that nobody may plan: -deny (plan_int.h)
 *
 * They are asked as tf-select asks their records, so each is written for that
 * once more, before the plan says whether it failed.
 */
#include "engine/change/record.h"
#include "engine/plan/plan_int.h"
#include "engine/plan/plan.h"
#include "select/select.h"

enum { DENIED_NAMED = 20 }; /* addresses in a message */

int plan_deny_read(struct plan_steps *p)
{
	int rc = 0;

	if (p->deny.len && p->validate)
		return diag_error(
			p->ds, NULL, "Unsupported option",
			"-deny has no effect with -validate, which plans nothing.");
	for (size_t i = 0; i < p->deny.len; i++) {
		struct select *s = select_new(p->arena, p->deny.items[i],
					      "-deny", STR_NONE, p->ds);

		if (s)
			vec_push(p->arena, &p->denies, s);
		else
			rc = -1;
	}
	return rc;
}

struct denied { /* by one expression */
	struct buf names;
	size_t n;
	bool failed; /* the plan fails: nothing more is asked */
};

static void note(struct denied *d, struct arena *a, const struct change *c,
		 enum select_answer answer)
{
	if (d->n++ >= DENIED_NAMED)
		return;
	buf_addf(&d->names, "\n  - %.*s%s%.*s%s%s",
		 STR_ARG(instance_addr_text(a, &c->addr)),
		 c->deposed.n ? " (deposed object " : "", STR_ARG(c->deposed),
		 c->deposed.n ? ")" : "",
		 answer == SELECT_MAYBE ? " (not known before the apply)" : "");
}

static void tell(const struct select *s, const struct denied *d,
		 struct diags *ds)
{
	if (d->n > DENIED_NAMED)
		diag_error(
			ds, NULL, "Plan denied",
			"-deny='%.*s' denies %zu changes:%.*s\nand %zu more.",
			STR_ARG(select_text(s)), d->n,
			STR_ARG(buf_view(&d->names)), d->n - DENIED_NAMED);
	else if (d->n)
		diag_error(ds, NULL, "Plan denied",
			   "-deny='%.*s' denies %zu change%s:%.*s",
			   STR_ARG(select_text(s)), d->n, d->n > 1 ? "s" : "",
			   STR_ARG(buf_view(&d->names)));
}

/* The record of the change, in o; empty: it has none. */
static struct str record_of(struct stream_out *o, struct plan *p,
			    const struct change *c)
{
	static const char begin[] = "{\"record\":\"resource_change\"";
	struct str text;
	ptrdiff_t end;

	buf_set_len(&o->out.buf, 0);
	change_write(o, c, plan_schema_of(p, c));
	text = buf_view(&o->out.buf);
	end = str_chr(text, '\n');
	return str_starts(text, begin) && end >= 0
		       ? str_sub(text, 0, (size_t)end)
		       : STR_NONE;
}

static void ask(struct plan_steps *p, const struct change *c, struct str line,
		struct denied *denied, struct diags *ds)
{
	for (size_t i = 0; i < p->denies.len; i++) {
		struct denied *d = &denied[i];
		enum select_answer answer;

		if (d->failed)
			continue;
		answer = select_record(p->denies.items[i],
				       STR("resource_change"), line, ds);
		d->failed = answer == SELECT_ERROR;
		if (answer > SELECT_NO)
			note(d, p->arena, c, answer);
	}
}

/* However long a record is, it stays in memory. */
static int hold(void *data)
{
	(void)data;
	return 1;
}

void plan_deny(struct plan_steps *p, struct diags *ds)
{
	const size_t errors = ds->errors;
	struct denied *denied;
	struct stream_out o;

	if (!p->denies.len || !p->plan->run)
		return;
	denied = ARENA_ARRAY(p->arena, struct denied, p->denies.len);
	stream_out_init(&o, -1, true);
	stream_without_seal(&o);
	o.out.before = hold;
	for (size_t i = 0; i < p->plan->run->changes.len; i++) {
		const struct change *c = p->plan->run->changes.items[i];
		const struct str line = record_of(&o, p->plan, c);

		if (line.n)
			ask(p, c, line, denied, ds);
	}
	stream_out_release(&o);
	for (size_t i = 0; i < p->denies.len; i++) {
		tell(p->denies.items[i], &denied[i], ds);
		select_finish(p->denies.items[i], ds);
		buf_release(&denied[i].names);
	}
	if (ds->errors > errors)
		p->plan->errored = true;
}

void plan_deny_release(struct plan_steps *p)
{
	for (size_t i = 0; i < p->denies.len; i++)
		select_free(p->denies.items[i]);
}
