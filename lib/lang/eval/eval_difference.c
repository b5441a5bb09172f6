/*
 * eval_difference.c - the two sides of an == that a diagnostic is about
 *
 * In the published shape of a change, as OpenTofu has it: from the left side to
 * the right.  Confidential values are left out.
 */
#include "json/write.h"
#include "lang/eval/eval_int.h"
#include "value/codec_json.h"
#include "value/marks.h"

static const struct value *side(struct eval *ev, const struct expr *e)
{
	struct diags none = DIAGS_INIT(ev->arena);
	const struct value *v;

	ev->diags = ev->top = &none;
	v = eval_expr(ev, e);
	return none.errors || value_has_mark_deep(v, MARKS_CONFIDENTIAL) ? NULL
									 : v;
}

struct str eval_difference(struct eval *ev, const struct expr *e,
			   struct arena *keep)
{
	const struct value *before, *after;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (e->kind != EXPR_BINARY || e->op.op != OP_EQ)
		return STR_NONE;
	before = side(ev, e->op.left);
	after = side(ev, e->op.right);
	if (!before || !after || !value_wholly_known(before))
		return STR_NONE;
	jw_object(&w);
	jw_key(&w, "before");
	value_known_json(&w, before);
	jw_key(&w, "after");
	value_known_json(&w, after);
	jw_key(&w, "after_unknown");
	if (value_wholly_known(after))
		jw_bool(&w, false);
	else
		value_unknown_json(&w, after);
	jw_key(&w, "before_sensitive");
	value_sensitive_json(&w, before);
	jw_key(&w, "after_sensitive");
	value_sensitive_json(&w, after);
	jw_object_end(&w);
	return buf_take(keep, &b);
}
