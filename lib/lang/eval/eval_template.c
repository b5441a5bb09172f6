/*
 * eval_template.c - string templates
 *
 * An unknown part makes the result unknown, but the text before the first one
 * is kept as a known prefix, cut where the unknown rest could still change it:
 * at the last grapheme cluster that is complete for certain.
 */
#include "lang/eval/eval_int.h"
#include "value/refine.h"
#include "value/string.h"

/* Longest prefix remembered, bytes: providers must decode it. */
enum { PREFIX_MAX = 128 };

static const struct value *unknown_string(struct eval *ev,
					  const struct buf *known)
{
	struct refinement r = { .not_null = true, .len_max = UINT64_MAX };
	struct str s = buf_view(known);

	if (s.n > PREFIX_MAX) {
		s.n = PREFIX_MAX;
		/* not in the middle of a character */
		while (s.n > 0 && (s.p[s.n] & 0xc0) == 0x80)
			s.n--;
	}
	r.prefix = str_safe_prefix(ev->arena, str_dup(ev->arena, s));
	return value_unknown_refined(ev->arena, &type_string, &r);
}

/* One part's text into b; false: it has none (reported, or unknown). */
static bool add_part(struct eval *ev, const struct expr *e,
		     const struct expr *part, struct buf *b,
		     const struct marks **marks, bool *known)
{
	const struct value *v = eval_expr(ev, part), *s;
	const struct marks *m;
	struct str why;

	if (value_is_null(v)) {
		eval_fail(
			ev, part, part->span, &e->span,
			"Invalid template interpolation value",
			"This is null, which has no text to put into a string.");
		return false;
	}
	v = unmarked(ev->arena, v, &m);
	*marks = marks_join(ev->arena, *marks, m);
	if (!value_is_known(v)) {
		*known = false;
		return false;
	}
	s = eval_to(ev, v, &type_string, &why);
	if (!s) {
		eval_fail(ev, part, part->span, &e->span,
			  "Invalid template interpolation value",
			  "This value cannot be put into a string: %.*s.",
			  STR_ARG(why));
		return false;
	}
	if (*known)
		buf_str(b, s->string);
	return true;
}

const struct value *eval_template(struct eval *ev, const struct expr *e)
{
	size_t errors = ev->diags->errors;
	const struct marks *marks = NULL;
	const struct value *v;
	struct buf b = BUF_INIT;
	bool known = true;

	for (size_t i = 0; i < e->nitems; i++)
		add_part(ev, e, e->items[i], &b, &marks, &known);
	if (!known && ev->diags->errors != errors)
		buf_set_len(&b, 0);
	v = known ? value_string(ev->arena, buf_dup(ev->arena, &b))
		  : unknown_string(ev, &b);
	buf_release(&b);
	return marked(ev->arena, v, marks);
}

static const struct value *unknown_join(struct eval *ev,
					const struct for_result *r)
{
	const struct value *v =
		marked(ev->arena, value_unknown(ev->arena, &type_string),
		       r->marks);

	for (size_t i = 0; i < r->values.len; i++)
		v = eval_still_ephemeral(ev, v, r->values.items[i]);
	return v;
}

/* %{ for }: the strings that the loop made, joined. */
const struct value *eval_for_template(struct eval *ev, const struct expr *e)
{
	struct for_result r = { 0 };
	const struct marks *marks;
	const struct value *v;
	struct buf b = BUF_INIT;

	eval_for_elements(ev, e, &r);
	marks = r.marks;
	if (r.failed || !r.known)
		return eval_still_ephemeral(
			ev, value_unknown(ev->arena, &type_string),
			marked(ev->arena, &value_true, marks));
	for (size_t i = 0; i < r.values.len; i++) {
		const struct marks *m;
		struct str why;

		v = r.values.items[i];
		if (value_is_null(v)) {
			eval_fail(
				ev, e, e->span, NULL,
				"Invalid template interpolation value",
				"One of the results is null, which has no text to put into a string.");
			continue;
		}
		v = eval_to(ev, v, &type_string, &why);
		if (!v) {
			eval_fail(
				ev, e, e->span, NULL,
				"Invalid template interpolation value",
				"One of the results cannot be put into a string: %.*s.",
				STR_ARG(why));
			continue;
		}
		if (!value_is_known(v)) {
			buf_release(&b);
			return unknown_join(ev, &r);
		}
		v = unmarked(ev->arena, v, &m);
		marks = marks_join(ev->arena, marks, m);
		buf_str(&b, v->string);
	}
	v = value_string(ev->arena, buf_dup(ev->arena, &b));
	buf_release(&b);
	return marked(ev->arena, v, marks);
}
