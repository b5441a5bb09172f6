/*
 * configure.c - the configuration of an instance: preconditions and body
 * evaluated, what may not stand in it
 */
#include "engine/plan/plan_int.h"
#include "engine/run/conditions.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "lang/spec/decode.h"

static const struct value *evaluated(struct worker *w)
{
	const struct value *v = worker_body(w);
	const struct body *body = w->block->body;
	const size_t said = w->ds.len;

	if (!v || run_refuse_infinity(v, &w->block->at, w->text, &w->ds))
		return NULL;
	v = body_report_deprecated(w->a, body, v, &w->ds);
	diags_address(&w->ds, said, w->text);
	return worker_refuse_ephemeral(w, v) ? NULL : v;
}

enum worked job_configure(struct worker *w)
{
	if (worker_conditions(w, COND_PRECONDITION, NULL, NULL))
		return WORK_FAIL;
	w->config = evaluated(w);
	return w->config ? WORK_NEXT : WORK_FAIL;
}

enum worked job_postconditions(struct worker *w)
{
	worker_conditions(w, COND_POSTCONDITION, job_of(w)->it.inst->value,
			  NULL);
	return WORK_END;
}

static void refers_to_itself(struct job *j, const struct reference *r,
			     struct str what)
{
	struct range at = source_range(r->src, r->span);

	diag_error(&j->w.ds, &at, "Self-referential block",
		   "The configuration of %.*s must not refer to itself.",
		   STR_ARG(what));
}

/* A body may name neither its own instance nor its whole resource; where the
 * two are the same address OpenTofu says so twice, and so does this. */
enum worked job_self_reference(struct worker *w)
{
	struct job *j = job_of(w);
	struct buf b = BUF_INIT;

	state_resource_text(&b, j->w.addr.module, &j->w.addr.resource);
	for (size_t i = 0; i < j->work->self_refs.len; i++) {
		const struct reference *r = &j->work->self_refs.items[i];

		if (inst_key_equal(r->key, j->w.addr.key))
			refers_to_itself(j, r, j->w.text);
		if (r->key.kind == KEY_NONE)
			refers_to_itself(j, r, buf_view(&b));
	}
	buf_release(&b);
	return worker_failed(w) ? WORK_FAIL : WORK_NEXT;
}

enum worked job_destroy_setting(struct worker *w)
{
	struct range at;

	if (!w->block || !w->block->lifecycle->destroy_invalid)
		return WORK_NEXT;
	at = expression_range(w->block->lifecycle->destroy);
	diag_error(&w->ds, &at, "Invalid lifecycle destroy expression",
		   "\"destroy\" of %.*s must be the constant true or false.",
		   STR_ARG(w->text));
	return WORK_FAIL;
}
