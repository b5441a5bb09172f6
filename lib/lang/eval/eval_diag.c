/*
 * eval_diag.c - diagnostics of the evaluator: what the variables in the
 * expression at fault are, suggestions for misspelt names, deprecations
 */
#include "lang/eval/eval.h"
#include "lang/eval/eval_int.h"
#include "base/diag.h"
#include "base/didyoumean.h"
#include "lang/syntax/walk.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/type.h"
#include "json/write.h"
#include "value/codec_json.h"

/* --- the two sides of an == --- */

/* In the published shape of a change, as OpenTofu has it: from the left side to
 * the right.  Confidential values are left out. */

static const struct value *side(struct eval *ev, const struct expr *e)
{
	struct diags none = DIAGS_INIT(ev->arena);
	const struct value *v;

	ev->diags = ev->top = &none;
	v = eval_expr(ev, e);
	return none.errors || value_has_mark_deep(v, MARKS_CONFIDENTIAL) ? NULL
									 : v;
}

/* The sides of an == as a published change; STR_NONE if e is
 * not an ==, or they cannot be shown.  Changes ev->diags. */
static struct str eval_difference(struct eval *ev, const struct expr *e,
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

/* --- values --- */

/* --- values of variables --- */

/* As Go's %q writes a string. */
static void add_quoted(struct buf *b, struct str s)
{
	static const char named[] = "\aa\bb\ff\nn\rr\tt\vv\"\"\\\\";

	buf_putc(b, '"');
	for (size_t i = 0; i < s.n;) {
		size_t n = utf8_len(s.p + i, s.n - i);
		unsigned char ch = (unsigned char)s.p[i];
		const char *esc = NULL;

		for (size_t k = 0; k < sizeof(named) - 1; k += 2)
			if (named[k] == s.p[i])
				esc = &named[k + 1];
		if (esc)
			buf_addf(b, "\\%c", *esc);
		else if (n == 0 || ch < 0x20 || ch == 0x7f)
			buf_addf(b, "\\x%02x", ch);
		else
			buf_add(b, s.p + i, n);
		i += n ? n : 1;
	}
	buf_putc(b, '"');
}

/* One line about a value that is known and not confidential itself; what is
 * inside a complex value may be, so that is only counted. */
static void add_summary(struct arena *a, struct buf *b, const struct value *v)
{
	const struct type *t = v->type;
	struct str name;

	if (value_is_null(v)) {
		buf_puts(b, "null");
		return;
	}
	switch (t->kind) {
	case TYPE_BOOL:
		buf_puts(b, v->boolean ? "true" : "false");
		return;
	case TYPE_NUMBER:
		number_text_short(b, v);
		return;
	case TYPE_STRING:
		add_quoted(b, v->string);
		return;
	case TYPE_OBJECT:
		if (t->len == 0)
			buf_puts(b, "object with no attributes");
		else if (t->len == 1) {
			buf_puts(b, "object with 1 attribute ");
			add_quoted(b, t->attrs[0].name);
		} else
			buf_addf(b, "object with %u attributes",
				 (unsigned)t->len);
		return;
	case TYPE_DYNAMIC:
		buf_puts(b, "dynamic");
		return;
	default:
		break;
	}
	name = type_friendly(a, t);
	if (v->len == 0)
		buf_addf(b, "empty %.*s", STR_ARG(name));
	else
		buf_addf(b, "%.*s with %u element%s", STR_ARG(name),
			 (unsigned)v->len, v->len == 1 ? "" : "s");
}

static void add_unknown_length(struct buf *b, const struct value *v)
{
	const uint64_t telling = 1024; /* larger bounds say nothing */
	uint64_t lo, hi;

	value_length_bounds(v, &lo, &hi);
	if (lo == hi)
		buf_addf(b, " of length %llu", (unsigned long long)lo);
	else if (lo != 0 && hi <= telling)
		buf_addf(b, " with between %llu and %llu elements",
			 (unsigned long long)lo, (unsigned long long)hi);
	else if (lo != 0)
		buf_addf(b, " with at least %llu elements",
			 (unsigned long long)lo);
	else if (hi <= telling)
		buf_addf(b, " with up to %llu elements",
			 (unsigned long long)hi);
}

/* "is …"; nothing is added if there is nothing to say. */
static void add_statement(struct arena *a, struct buf *b, const struct value *v,
			  unsigned flags)
{
	struct str name;

	if (marks_confidential(v->marks)) {
		if (flags & EXPLAIN_CONFIDENTIAL)
			buf_puts(b,
				 value_has_mark(v, MARK_EPHEMERAL) &&
						 !value_has_mark(v,
								 MARK_SENSITIVE)
					 ? "has an ephemeral value"
					 : "has a sensitive value");
		return;
	}
	if (value_is_known(v)) {
		buf_puts(b, "is ");
		add_summary(a, b, v);
		return;
	}
	if (v->type == &type_dynamic) {
		if (flags & EXPLAIN_UNKNOWN)
			buf_puts(b, "will be known only after apply");
		return;
	}
	name = type_friendly(a, v->type);
	buf_addf(b, "is a %.*s", STR_ARG(name));
	if (!(flags & EXPLAIN_UNKNOWN))
		return;
	if (type_is_collection(v->type))
		add_unknown_length(b, v);
	buf_puts(b, ", known only after apply");
}

static struct str traversal_text(struct arena *a, const struct traversal *t,
				 size_t n)
{
	struct buf b = BUF_INIT;

	buf_str(&b, t->root);
	for (size_t i = 0; i < n; i++) {
		const struct step *st = &t->steps[i];

		if (st->kind == STEP_ATTR) {
			buf_putc(&b, '.');
			buf_str(&b, st->name);
		} else if (st->kind == STEP_INDEX) {
			buf_putc(&b, '[');
			add_summary(a, &b, st->key);
			buf_putc(&b, ']');
		}
	}
	return buf_take(a, &b);
}

/* The value at the longest prefix of t that has one; *n is its length. */
static const struct value *longest_value(struct eval *ev,
					 const struct traversal_ref *t,
					 size_t *n)
{
	for (*n = t->traversal.nsteps;; (*n)--) {
		struct diags none = DIAGS_INIT(ev->arena);
		const struct value *v;

		ev->diags = ev->top = &none;
		v = eval_traversal(ev, &t->traversal, *n, t->src);
		if (!none.errors)
			return v;
		if (*n == 0)
			return NULL;
	}
}

static void explain(struct eval *ev, struct expression e, unsigned flags,
		    struct arena *keep, struct diag *d)
{
	struct traversal_vec refs = { 0 };
	VEC(struct diag_value) vals = { 0 };
	struct buf b = BUF_INIT;

	expression_variables(ev->arena, e, &refs);
	for (size_t i = 0; i < refs.len; i++) {
		struct diag_value dv;
		const struct value *v;
		bool seen = false;
		size_t n;

		v = longest_value(ev, &refs.items[i], &n);
		if (!v)
			continue;
		dv.traversal =
			traversal_text(keep, &refs.items[i].traversal, n);
		for (size_t k = 0; k < vals.len && !seen; k++)
			seen = str_eq(vals.items[k].traversal, dv.traversal);
		if (seen)
			continue;
		buf_set_len(&b, 0);
		add_statement(keep, &b, v, flags);
		if (b.len == 0)
			continue;
		dv.statement = buf_dup(keep, &b);
		vec_push(keep, &vals, dv);
	}
	buf_release(&b);
	diag_sort_values(vals.items, vals.len);
	d->values = vals.items;
	d->nvalues = vals.len;
	d->difference = eval_difference(ev, e.root, keep);
}

void eval_explain(struct arena *a, const struct scope *s,
		  const struct eval_local *locals, struct expression e,
		  unsigned flags, struct diag *d)
{
	struct eval ev = { .arena = a,
			   .scope = s,
			   .src = e.src,
			   .locals = locals,
			   .quiet = true };

	if (e.root)
		explain(&ev, e, flags, a, d);
}

const struct value *eval_fail(struct eval *ev, const struct expr *about,
			      struct span subject, const struct span *context,
			      const char *summary, const char *fmt, ...)
{
	struct arena *keep = ev->diags->arena;
	struct diag d = { .severity = SEV_ERROR };
	va_list ap;

	d.summary = str_c(arena_strdup(keep, summary));
	va_start(ap, fmt);
	d.detail = str_c(arena_vprintf(keep, fmt, ap));
	va_end(ap);
	d.subject = source_range(ev->src, subject);
	if (context)
		d.context = source_range(ev->src, *context);
	if (about && !ev->quiet) {
		struct eval again = *ev;

		again.quiet = true;
		explain(&again, (struct expression){ ev->src, about }, 0, keep,
			&d);
	}
	diags_push(ev->diags, d);
	return &value_unknown_dynamic;
}

/* --- suggestions --- */

struct str eval_suggestion(struct arena *a, struct str given,
			   struct str (*next)(void *data, size_t i), void *data,
			   const struct eval_local *locals)
{
	for (; locals; locals = locals->outer)
		if (didyoumean(given, &locals->name, 1).p)
			return str_printf(a, " Did you mean \"%.*s\"?",
					  STR_ARG(locals->name));
	for (size_t i = 0; next; i++) {
		struct str name = next(data, i);

		if (!name.p)
			break;
		if (didyoumean(given, &name, 1).p)
			return str_printf(a, " Did you mean \"%.*s\"?",
					  STR_ARG(name));
	}
	return STR("");
}

/* --- deprecations --- */

static void warn_deprecated(const struct value *v, const struct range *at,
			    struct str path, struct diags *ds)
{
	for (uint32_t i = 0; v->marks && i < v->marks->ndeprecations; i++) {
		const struct deprecation *d = &v->marks->deprecations[i];
		struct diag *told = diag_coded(
			ds, SEV_WARNING, DIAG_VALUE_DEPRECATED, at,
			"This value%s%.*s comes from %.*s, which is deprecated%s%.*s",
			path.n ? "'s attribute " : "", STR_ARG(path),
			STR_ARG(d->by), d->message.n ? ": " : ".",
			STR_ARG(d->message));

		told->cause = str_printf(ds->arena, "%.*s: %.*s",
					 STR_ARG(d->by), STR_ARG(d->message));
		told->remote = d->remote;
	}
}

/* Warns of what is deprecated within something that is deprecated as a whole,
 * too. */
static void warn_within(struct arena *a, const struct value *v, struct path p,
			const struct range *at, struct diags *ds)
{
	struct str text = path_text(a, p);

	if (text.n && text.p[0] == '.')
		text = str_sub(text, 1, text.n);
	warn_deprecated(v, at, text, ds);
	for (uint32_t i = 0; v->inner_marks && i < v->len; i++) {
		struct path_step s;

		if (!value_has_mark_deep(v->elems[i], MARK_DEPRECATED))
			continue;
		s = value_step(a, v, i);
		warn_within(a, v->elems[i],
			    s.index ? path_index(a, p, s.index)
				    : path_attr(a, p, s.attr),
			    at, ds);
	}
}

const struct value *eval_report_deprecated(struct arena *a,
					   const struct value *v,
					   const struct range *at,
					   struct diags *ds)
{
	if (!value_has_mark_deep(v, MARK_DEPRECATED))
		return v;
	warn_within(a, v, (struct path){ NULL, 0 }, at, ds);
	return value_without_marks(a, v, MARK_DEPRECATED);
}
