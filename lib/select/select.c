/*
 * select.c - an expression over records: parsed, checked and asked (select.h)
 *
 * What can be wrong with it whatever the records are is found before the first:
 * names that mean nothing, functions that look elsewhere, words that no action
 * is called by.
 */
#include "select/select.h"
#include "base/didyoumean.h"
#include "funcs/table.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "select/select_int.h"
#include "state/file/file.h"
#include "value/marks.h"

enum { NAMED = 3 }; /* addresses that a warning names */

struct select_attribute { /* of an object, that the expression names */
	uint32_t at;      /* where the reference begins */
	struct range range;
	struct str name;
	bool had; /* some object has it */
};

struct select {
	struct arena *arena;
	struct arena scratch; /* of one record */
	struct source *source;
	struct expression e;
	struct scope scope;
	struct matcher matcher;
	struct func matches;
	struct str_vec of; /* kinds */
	bool chosen;
	struct subject subject;
	VEC(struct select_attribute) attributes;
	struct str_vec unknown; /* the first addresses */
	size_t nunknown;
	bool told; /* what it has met */
};

/* --- functions --- */

/* A record gets the same answer wherever and whenever it is asked. */
static const struct func *function(void *data, struct str name)
{
	struct select *s = data;
	const struct func *f;

	if (str_is(name, "matches"))
		return &s->matches;
	f = funcs_find(NULL, name);
	return f && !func_looks_elsewhere(f) ? f : NULL;
}

static struct str function_name(void *data, size_t i)
{
	const struct func *f = i ? funcs_at(i - 1) : NULL;

	(void)data;
	if (!i)
		return STR("matches");
	return f ? str_c(f->name) : STR_NONE;
}

static int check_calls(struct select *s, const struct call_vec *calls,
		       struct diags *ds)
{
	int rc = 0;

	for (size_t i = 0; i < calls->len; i++) {
		const struct call_ref *c = &calls->items[i];
		const struct func *f = funcs_find(NULL, c->name);
		const struct range at = source_range(c->src, c->span);

		if (f && func_looks_elsewhere(f))
			rc = diag_error(
				ds, &at, "Function not available",
				"An expression over records reads no files, no clock and nothing random, so there is no %s here.",
				f->name);
	}
	(void)s;
	return rc;
}

/* --- names --- */

static struct str root_name(void *data, size_t i)
{
	const char *name = subject_name(i);

	(void)data;
	return name ? str_c(name) : STR_NONE;
}

static int unknown_name(struct select *s, const struct range *at,
			const char *what, struct str name,
			const char *(*known)(size_t i), struct diags *ds)
{
	struct str all[64];
	size_t n = 0;

	for (const char *k; n < 64 && (k = known(n)); n++)
		all[n] = str_c(k);
	return diag_error(ds, at, "Unknown variable",
			  "There is no %s named \"%.*s\".%.*s", what,
			  STR_ARG(name),
			  STR_ARG(didyoumean_hint(s->arena, name, all, n)));
}

static bool is_known(struct str name, const char *(*known)(size_t i))
{
	for (size_t i = 0; known(i); i++)
		if (str_is(name, known(i)))
			return true;
	return false;
}

static int check_name(struct select *s, const struct traversal_ref *r,
		      struct diags *ds)
{
	const struct traversal *t = &r->traversal;
	const struct range at = source_range(r->src, t->root_span);
	struct range step;

	if (!is_known(t->root, subject_name))
		return unknown_name(s, &at, "member of a record", t->root,
				    subject_name, ds);
	if (str_is(t->root, "record") && !s->chosen)
		return diag_error(
			ds, &at, "Only changes are asked",
			"Without -of the changes of a plan are asked, and all of them are of one kind. -of=KIND,... asks other records.");
	if (!str_is(t->root, "change") || !t->nsteps ||
	    t->steps[0].kind != STEP_ATTR ||
	    is_known(t->steps[0].name, subject_change_name))
		return 0;
	step = source_range(r->src, t->steps[0].span);
	return unknown_name(s, &step, "member of a change", t->steps[0].name,
			    subject_change_name, ds);
}

/* --- words that are compared --- */

static const char *action_word(size_t i)
{
	static const char *const words[] = {
		"create", "delete", "forget",  "no-op",
		"open",   "read",   "replace", "update",
	};

	return i < sizeof(words) / sizeof(words[0]) ? words[i] : NULL;
}

/* What `actions` holds: a replacement has two of them. */
static const char *single_word(size_t i)
{
	const char *word = action_word(i < 6 ? i : i + 1);

	return word;
}

static const char *mode_word(size_t i)
{
	static const char *const words[] = { "data", "ephemeral", "managed" };

	return i < sizeof(words) / sizeof(words[0]) ? words[i] : NULL;
}

static bool is_name(const struct expr *e, const char *name)
{
	while (e->kind == EXPR_PARENS)
		e = e->items[0];
	return e->kind == EXPR_SCOPE && !e->scope.nsteps &&
	       str_is(e->scope.root, name);
}

static int check_word(struct select *s, const struct expr *x,
		      const struct expr *y, const char *name,
		      const char *(*known)(size_t i), struct diags *ds)
{
	struct range at;
	struct buf b = BUF_INIT;
	struct str all[16];
	size_t n = 0;

	if (!is_name(x, name) || y->kind != EXPR_LITERAL ||
	    !value_usable(y->literal) ||
	    y->literal->type->kind != TYPE_STRING ||
	    is_known(y->literal->string, known))
		return 0;
	at = source_range(s->source, y->span);
	for (const char *k; n < 16 && (k = known(n)); n++)
		all[n] = str_c(k);
	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", all[i].p);
	diag_error(ds, &at, "Comparison with an unknown word",
		   "\"%.*s\" is none of the words of %s: %.*s.%.*s",
		   STR_ARG(y->literal->string), name, STR_ARG(buf_view(&b)),
		   STR_ARG(didyoumean_hint(s->arena, y->literal->string, all,
					   n)));
	buf_release(&b);
	return -1;
}

/* An event has words of its own. */
static int check_pair(struct select *s, const struct expr *x,
		      const struct expr *y, struct diags *ds)
{
	if (check_word(s, x, y, "mode", mode_word, ds))
		return -1;
	return str_vec_has(&s->of, STR("event"))
		       ? 0
		       : check_word(s, x, y, "action", action_word, ds);
}

/* Where the expression is made of conditions. */
static int check_words(struct select *s, const struct expr *e, struct diags *ds)
{
	for (; e->kind == EXPR_BINARY; e = e->op.left) {
		if ((e->op.op == OP_EQ || e->op.op == OP_NE) &&
		    (check_pair(s, e->op.left, e->op.right, ds) ||
		     check_pair(s, e->op.right, e->op.left, ds)))
			return -1;
		if (check_words(s, e->op.right, ds))
			return -1;
	}
	switch (e->kind) {
	case EXPR_PARENS:
		return check_words(s, e->items[0], ds);
	case EXPR_UNARY:
		return check_words(s, e->op.left, ds);
	case EXPR_CONDITIONAL:
		return check_words(s, e->conditional.cond, ds) ||
				       check_words(s, e->conditional.yes, ds) ||
				       check_words(s, e->conditional.no, ds)
			       ? -1
			       : 0;
	case EXPR_CALL:
		return str_is(e->call.name, "contains") && e->call.nargs == 2
			       ? check_word(s, e->call.args[0], e->call.args[1],
					    "actions", single_word, ds)
			       : 0;
	default:
		return 0;
	}
}

static int check(struct select *s, struct diags *ds)
{
	struct traversal_vec vars = { 0 };
	struct call_vec calls = { 0 };
	int rc = 0;

	expression_uses(s->arena, s->e, &vars, &calls);
	for (size_t i = 0; i < vars.len; i++)
		if (check_name(s, &vars.items[i], ds))
			rc = -1;
	if (check_calls(s, &calls, ds) || check_words(s, s->e.root, ds))
		rc = -1;
	return rc;
}

/* --- asking --- */

static void note_attribute(struct select *s, const struct ref *r,
			   const struct select_found *f)
{
	const struct ref_step *step = &r->steps[f->names];
	struct select_attribute a = { .at = r->root_span.start };

	for (size_t i = 0; i < s->attributes.len; i++)
		if (s->attributes.items[i].at == a.at) {
			s->attributes.items[i].had |= !f->lacked;
			return;
		}
	if (r->src != s->source || !step->is_attr)
		return; /* in a text that templatestring() evaluates */
	a.range = source_range(r->src, step->span);
	a.name = str_dup(s->arena, step->name);
	a.had = !f->lacked;
	vec_push(s->arena, &s->attributes, a);
}

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	struct select *s = data;
	struct select_found f;

	(void)ev;
	(void)ds;
	if (!subject_find(&s->subject, r, &f))
		return NULL;
	*used = f.used;
	if (f.names >= 0)
		note_attribute(s, r, &f);
	return f.value;
}

struct str select_address(struct select *s)
{
	return subject_address(&s->subject);
}

static enum select_answer unknown(struct select *s)
{
	const struct str address = select_address(s);

	if (s->nunknown++ < NAMED && address.n)
		vec_push(s->arena, &s->unknown, str_dup(s->arena, address));
	return SELECT_MAYBE;
}

static enum select_answer answer(struct select *s, const struct value *v,
				 struct diags *ds)
{
	const struct range at = expression_range(s->e);

	v = value_unmark(&s->scratch, v, NULL);
	if (!value_is_known(v))
		return unknown(s);
	if (value_is_null(v))
		return diag_error(
			ds, &at, "Invalid condition",
			"It is null here, neither true nor false. Compare it: \"== true\", \"!= null\".");
	if (v->type->kind != TYPE_BOOL)
		return diag_error(
			ds, &at, "Invalid condition",
			"It is neither true nor false, but of type %.*s.",
			STR_ARG(type_friendly(&s->scratch, v->type)));
	return v->boolean ? SELECT_YES : SELECT_NO;
}

/* What it comes to for the record, valid until the next; NULL: diagnosed. */
static const struct value *evaluate(struct select *s, struct str kind,
				    struct str line, struct diags *ds)
{
	const size_t errors = ds->errors;
	const int sort = subject_sort(kind);
	const struct value *v;

	arena_reset(&s->scratch);
	s->subject = (struct subject){ .arena = &s->scratch,
				       .kind = kind,
				       .line = line,
				       .sort = (enum select_sort)sort };
	v = eval_expression(&s->scratch, &s->scope, s->e, ds);
	return ds->errors == errors ? v : NULL;
}

static void say_where(struct select *s, struct diags *ds, size_t from)
{
	if (ds->len == from)
		return;
	diags_address(ds, from, str_dup(ds->arena, select_address(s)));
	diags_give_source(ds, from, s->source);
}

enum select_answer select_record(struct select *s, struct str kind,
				 struct str line, struct diags *ds)
{
	const size_t from = ds->len;
	const struct value *v = evaluate(s, kind, line, ds);
	const enum select_answer out = v ? answer(s, v, ds) : SELECT_ERROR;

	say_where(s, ds, from);
	return out;
}

int select_print(struct select *s, struct str kind, struct str line,
		 bool show_sensitive, struct buf *out, struct diags *ds)
{
	const size_t from = ds->len;
	const struct value *v = evaluate(s, kind, line, ds);

	if (v)
		print_line(&s->scratch, v, show_sensitive, out);
	say_where(s, ds, from);
	return v ? 0 : -1;
}

enum select_answer select_instance(struct select *s,
				   const struct state_resource *r,
				   const struct state_instance *i,
				   struct diags *ds)
{
	const struct instance_addr addr = { r->module, r->addr, i->key };
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	enum select_answer out;

	jw_object(&w);
	jw_member_str(&w, "address", instance_addr_text(&a, &addr));
	state_instance_members(&w, r, i, false);
	jw_object_end(&w);
	out = select_record(s, STR("previous_run_state"), buf_view(&b), ds);
	s->subject = (struct subject){ 0 };
	buf_release(&b);
	arena_release(&a);
	return out;
}

void select_finish(struct select *s, struct diags *ds)
{
	const struct range at = expression_range(s->e);
	const size_t from = ds->len;
	struct buf b = BUF_INIT;

	if (s->told)
		return;
	s->told = true;
	for (size_t i = 0; i < s->attributes.len; i++) {
		const struct select_attribute *t = &s->attributes.items[i];

		if (!t->had)
			diag_warning(
				ds, &t->range, "No object has this attribute",
				"None of the objects that were asked has an attribute \"%.*s\": it was null for all of them.",
				STR_ARG(t->name));
	}
	for (size_t i = 0; i < s->unknown.len; i++)
		buf_addf(&b, "%s%.*s", i ? ", " : "",
			 STR_ARG(s->unknown.items[i]));
	if (s->nunknown > s->unknown.len)
		buf_addf(&b, "%sand %zu more", b.len ? " " : "",
			 s->nunknown - s->unknown.len);
	if (s->nunknown)
		diag_warning(
			ds, &at, "Not known before the apply",
			"Whether this is so depends on values that are known after the apply, and counts as if it were, for: %.*s.",
			STR_ARG(buf_view(&b)));
	diags_give_source(ds, from, s->source);
	buf_release(&b);
}

/* --- making --- */

struct str select_text(const struct select *s)
{
	return s->source->text;
}

bool select_asks(const struct select *s, struct str kind)
{
	return str_vec_has(&s->of, kind);
}

bool select_asks_plan(const struct select *s)
{
	for (size_t i = 0; i < s->of.len; i++)
		if (subject_sort(s->of.items[i]) == ASKED_CHANGE ||
		    subject_sort(s->of.items[i]) == ASKED_OUTPUT)
			return true;
	return false;
}

bool select_asks_kept(const struct select *s)
{
	for (size_t i = 0; i < s->of.len; i++)
		if (!str_is(s->of.items[i], "resource_change") &&
		    !str_is(s->of.items[i], "event"))
			return true;
	return false;
}

static int add_kind(struct select *s, struct str kind, struct diags *ds)
{
	struct str all[32];
	size_t n = 0;

	if (subject_sort(kind) >= 0) {
		vec_push(s->arena, &s->of, kind);
		return 0;
	}
	for (const char *k; n < 32 && (k = subject_kind(n)); n++)
		all[n] = str_c(k);
	return diag_error(ds, NULL, "Unknown kind of record",
			  "-of has no kind \"%.*s\".%.*s", STR_ARG(kind),
			  STR_ARG(didyoumean_hint(s->arena, kind, all, n)));
}

static int read_kinds(struct select *s, struct str of, struct diags *ds)
{
	s->chosen = of.n > 0;
	if (!of.n)
		return add_kind(s, STR("resource_change"), ds);
	while (of.n) {
		const ptrdiff_t comma = str_chr(of, ',');
		const size_t n = comma < 0 ? of.n : (size_t)comma;

		if (add_kind(s, str_sub(of, 0, n), ds))
			return -1;
		of = str_sub(of, comma < 0 ? n : n + 1, of.n);
	}
	return 0;
}

struct select *select_new(struct arena *a, struct str text, const char *by,
			  struct str of, struct diags *ds)
{
	struct select *s = ARENA_NEW(a, struct select);
	const size_t from = ds->len, errors = ds->errors;

	*s = (struct select){
		.arena = a,
		.source = source_new(a, str_c(by), str_dup(a, text)),
		.scope = { .resolve = resolve,
			   .function = function,
			   .function_name = function_name,
			   .root_name = root_name,
			   .data = s,
			   .base_dir = ".",
			   .pure_only = true },
	};
	s->matches = matcher_func(&s->matcher);
	if (read_kinds(s, of, ds))
		return NULL;
	s->e = parse_expression(a, s->source, ds);
	if (s->e.root && ds->errors == errors && !check(s, ds))
		return s;
	diags_give_source(ds, from, s->source);
	return NULL;
}

void select_free(struct select *s)
{
	if (!s)
		return;
	arena_release(&s->scratch);
	arena_release(&s->matcher.arena);
}
