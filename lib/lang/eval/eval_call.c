/*
 * eval_call.c - function calls
 *
 * The arguments are converted to the parameter types; then, unless a parameter
 * says that it takes such values: a null is an error, an unknown makes the
 * result unknown (of the type that the function can tell), marks are taken
 * off and put on the result.
 */
#include "lang/eval/eval.h"
#include "json/write.h"
#include "lang/eval/eval_int.h"
#include "value/marks.h"
#include "value/refine.h"
#include "value/type.h"

struct call {
	struct eval *ev;
	const struct expr *e;
	const struct func *f;
	size_t nparams; /* positional ones */
	const struct expr *const *exprs;
	size_t nargs;
};

static struct span start_of(const struct eval *ev, const struct expr *e)
{
	return expression_start((struct expression){ ev->src, e });
}

bool func_of_provider(struct str name, struct func_of_provider *out)
{
	struct str parts[4] = { { NULL, 0 } };
	size_t n = 0;
	ptrdiff_t at;

	while ((at = str_find(name, STR("::"))) >= 0) {
		if (n == 3)
			return false;
		parts[n++] = str_sub(name, 0, (size_t)at);
		name = str_sub(name, (size_t)at + 2, name.n);
	}
	if (n < 2 || !str_is(parts[0], "provider"))
		return false;
	*out = (struct func_of_provider){ parts[1], parts[2], name };
	return true;
}

/* OpenTofu looks these up before it evaluates anything: it shows values only if
 * the provider does not exist. */
static const struct value *unknown_provider_function(struct eval *ev,
						     const struct expr *e)
{
	struct func_of_provider f;
	struct str name;

	if (!func_of_provider(e->call.name, &f))
		return eval_fail(ev, NULL, e->call.name_span, &e->span,
				 "Unable to parse provider function",
				 "A provider's function is called as"
				 " provider::NAME::FUNCTION or"
				 " provider::NAME::ALIAS::FUNCTION.");
	if (ev->scope->provider &&
	    ev->scope->provider(ev->scope->data, f.local))
		return eval_fail(ev, NULL, e->call.name_span, &e->span,
				 "Function not found in provider",
				 "The provider has no function \"%.*s\".",
				 STR_ARG(e->call.name));
	name = e->call.name;
	return eval_fail(
		ev, e, e->call.name_span, &e->span, "Unknown function provider",
		"No provider that this module requires has the function \"%.*s\".",
		STR_ARG(name));
}

static const struct value *unknown_function(struct eval *ev,
					    const struct expr *e)
{
	const struct scope *s = ev->scope;
	struct str name = e->call.name, hint;

	if (!s || !s->function)
		return eval_fail(ev, e, e->span, NULL,
				 "Function calls not allowed",
				 "No functions can be called here.");
	if (str_starts(name, "provider::"))
		return unknown_provider_function(ev, e);
	if (str_find(name, STR("::")) >= 0 && !str_starts(name, "core::"))
		return eval_fail(ev, e, e->call.name_span, &e->span,
				 "Unknown function namespace",
				 "The function \"%.*s\" is in no namespace"
				 " there is: those are core:: and provider::.",
				 STR_ARG(name));
	hint = str_is(name, "convert")
		       ? STR(" Terraform has it, this language does not.")
		       : eval_suggestion(ev->arena, name, s->function_name,
					 s->data, NULL);
	return eval_fail(ev, e, e->call.name_span, &e->span,
			 "Call to unknown function",
			 "There is no function \"%.*s\".%.*s", STR_ARG(name),
			 STR_ARG(hint));
}

static const struct func_param *param_at(const struct call *c, size_t i)
{
	return i < c->nparams ? &c->f->params[i] : c->f->variadic;
}

/* --- errors of the call: its signature belongs to the snippet --- */

static void write_param(struct jw *w, const struct func_param *p)
{
	jw_object(w);
	jw_member_str(w, "name", str_c(p->name));
	jw_key(w, "type");
	type_to_json(w, p->type);
	jw_object_end(w);
}

/* The return type for arguments of which only the types are known. */
static const struct type *return_type(const struct call *c)
{
	struct arena *a = c->ev->arena;
	size_t n = c->nparams + (c->f->variadic != NULL);
	const struct value **args = ARENA_ARRAY(a, const struct value *, n);
	struct func_error err = { .arg = -1 };
	struct func_call fc = { .arena = a,
				.eval = c->ev,
				.func = c->f,
				.args = args,
				.nargs = n,
				.err = &err };
	const struct type *t = c->f->result;

	if (t || !c->f->result_type)
		return t ? t : &type_dynamic;
	for (size_t i = 0; i < n; i++) {
		const struct func_param *p = param_at(c, i);

		if (p->type == &type_dynamic && !(p->flags & PARAM_DYNAMIC))
			return &type_dynamic;
		args[i] = value_unknown(a, p->type);
	}
	t = c->f->result_type(&fc);
	return t ? t : &type_dynamic;
}

static struct str signature(const struct call *c, struct arena *keep)
{
	struct str name = c->e->call.name, s;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	for (size_t i = name.n; i-- > 0;)
		if (name.p[i] == ':') {
			name = str_sub(name, i + 1, name.n);
			break;
		}
	jw_object(&w);
	jw_member_str(&w, "name", name);
	jw_key(&w, "params");
	jw_array(&w);
	for (size_t i = 0; i < c->nparams; i++)
		write_param(&w, &c->f->params[i]);
	jw_array_end(&w);
	if (c->f->variadic) {
		jw_key(&w, "variadic_param");
		write_param(&w, c->f->variadic);
	}
	jw_key(&w, "return_type");
	type_to_json(&w, return_type(c));
	jw_object_end(&w);
	s = buf_dup(keep, &b);
	buf_release(&b);
	return s;
}

static const struct value *call_error(struct call *c, const struct expr *about,
				      struct span subject, const char *summary,
				      struct str detail)
{
	struct diags *ds = c->ev->diags;
	struct diag *d;

	eval_fail(c->ev, about, subject, &c->e->span, summary, "%.*s",
		  STR_ARG(detail));
	if (c->ev->quiet)
		return NULL;
	d = &ds->items[ds->len - 1];
	d->call = str_dup(ds->arena, c->e->call.name);
	d->signature = signature(c, ds->arena);
	return NULL;
}

static const struct value *bad_argument(struct call *c, size_t i,
					struct str why)
{
	struct arena *a = c->ev->diags->arena;
	const struct expr *arg = c->exprs[i];

	return call_error(c, arg, start_of(c->ev, arg),
			  "Invalid function argument",
			  str_printf(a,
				     "The value for \"%s\" does not fit: %.*s.",
				     param_at(c, i)->name, STR_ARG(why)));
}

/* --- f(x, rest...) --- */

static const struct value *bad_expansion(struct call *c, const char *why)
{
	const struct expr *last = c->exprs[c->nargs - 1];

	return call_error(c, last, last->span,
			  "Invalid expanding argument value", str_c(why));
}

/* Replaces the last argument by its elements.  Returns false when there is a
 * result already: *out. */
static bool expand(struct call *c, const struct value **out)
{
	struct eval *ev = c->ev;
	size_t errors = ev->diags->errors, n = c->nargs - 1;
	const struct expr *last = c->exprs[n];
	const struct value *v = eval_expr(ev, last);
	const struct expr **exprs;
	const struct marks *m;
	struct expr *lits;

	*out = eval_still_ephemeral(ev, &value_unknown_dynamic, v);
	if (ev->diags->errors != errors)
		return false;
	if (v->type != &type_dynamic && v->type->kind != TYPE_TUPLE &&
	    v->type->kind != TYPE_LIST && v->type->kind != TYPE_SET) {
		bad_expansion(
			c,
			"The argument before ... must be a tuple, list or set.");
		return false;
	}
	if (value_is_null(v)) {
		bad_expansion(c, "The argument before ... must not be null.");
		return false;
	}
	if (!value_is_known(v)) {
		for (size_t i = 0; i < n; i++)
			*out = eval_still_ephemeral_by(ev, *out, c->exprs[i]);
		return false;
	}
	v = unmarked(ev->arena, v, &m);
	exprs = ARENA_ARRAY(ev->arena, const struct expr *, n + v->len);
	lits = ARENA_ARRAY(ev->arena, struct expr, v->len);
	if (n)
		memcpy(exprs, c->exprs, n * sizeof(*exprs));
	for (size_t i = 0; i < v->len; i++) {
		lits[i].kind = EXPR_LITERAL;
		lits[i].span = last->span;
		lits[i].literal = marked(ev->arena, v->elems[i], m);
		exprs[n + i] = &lits[i];
	}
	c->exprs = exprs;
	c->nargs = n + v->len;
	return true;
}

static bool right_count(struct call *c)
{
	struct arena *a = c->ev->diags->arena;
	const struct expr *e = c->e, *extra;

	if (c->nargs < c->nparams) {
		call_error(
			c, e, e->call.close, "Not enough function arguments",
			str_printf(
				a,
				"The function \"%.*s\" takes%s %zu argument(s): \"%s\" is missing.",
				STR_ARG(e->call.name),
				c->f->variadic ? " at least" : "", c->nparams,
				c->f->params[c->nargs].name));
		return false;
	}
	if (c->f->variadic || c->nargs == c->nparams)
		return true;
	extra = c->exprs[c->nparams];
	call_error(
		c, e, start_of(c->ev, extra), "Too many function arguments",
		str_printf(a,
			   "The function \"%.*s\" takes only %zu argument(s).",
			   STR_ARG(e->call.name), c->nparams));
	return false;
}

/* --- the call itself --- */

static const struct value *failed(struct call *c, const struct func_error *err)
{
	struct arena *a = c->ev->diags->arena;
	const struct expr *e = c->e;

	if (err->arg >= 0 && (size_t)err->arg < c->nargs &&
	    param_at(c, (size_t)err->arg))
		return bad_argument(c, (size_t)err->arg, err->message);
	if (err->arg >= 0 && param_at(c, (size_t)err->arg))
		return call_error(
			c, e, e->span, "Invalid function argument",
			str_printf(a,
				   "The value for \"%s\" does not fit: %.*s.",
				   param_at(c, (size_t)err->arg)->name,
				   STR_ARG(err->message)));
	return call_error(c, e, start_of(c->ev, e), "Error in function call",
			  str_printf(a, "The call to \"%.*s\" failed: %.*s.",
				     STR_ARG(e->call.name),
				     STR_ARG(err->message)));
}

/* All arguments, converted; false when one does not evaluate or fit. */
static bool get_arguments(struct call *c, const struct value **vals)
{
	struct eval *ev = c->ev;
	size_t errors = ev->diags->errors;

	for (size_t i = 0; i < c->nargs; i++) {
		const struct value *v = eval_expr(ev, c->exprs[i]);
		struct str why;

		vals[i] = eval_to(ev, v, param_at(c, i)->type, &why);
		if (!vals[i])
			bad_argument(c, i, why);
	}
	return ev->diags->errors == errors;
}

/* Applies the parameter flags. *unknown: do not run the function; *untyped:
 * nor ask it for its type. */
static bool check_arguments(struct call *c, const struct value **vals,
			    const struct marks **marks, bool *unknown,
			    bool *untyped)
{
	struct arena *a = c->ev->arena;

	for (size_t i = 0; i < c->nargs; i++) {
		const struct func_param *p = param_at(c, i);
		const struct marks *m = NULL;

		/* Behind an untyped argument nothing is checked any more. */
		if (value_is_null(vals[i]) && !(p->flags & PARAM_NULL) &&
		    !*untyped) {
			bad_argument(c, i, STR("it must not be null"));
			return false;
		}
		if (vals[i]->type == &type_dynamic &&
		    !(p->flags & PARAM_DYNAMIC))
			*untyped = true;
		if (!(p->flags & PARAM_MARKED) &&
		    (vals[i]->marks || vals[i]->inner_marks)) {
			vals[i] = value_unmark_deep(a, vals[i], &m);
			*marks = marks_join(a, *marks, m);
		}
		if (!value_is_known(vals[i]) && !(p->flags & PARAM_UNKNOWN))
			*unknown = true;
	}
	return true;
}

/* The unknown result, refined by what is known without running the function. */
static const struct value *unknown_result(struct call *c, struct func_call *fc)
{
	const struct func *f = c->f;
	const struct type *t = f->result;

	if (!t && f->result_type) {
		t = f->result_type(fc);
		if (!t)
			return failed(c, fc->err);
	}
	if (!t || t == &type_dynamic)
		return &value_unknown_dynamic;
	if (f->flags & FUNC_NULLABLE)
		return value_unknown(c->ev->arena, t);
	return unknown_not_null(c->ev->arena, t);
}

/* A function that is not run has not looked after the marks of the arguments
 * that it would be given with them. */
static const struct value *call_still_ephemeral(struct call *c,
						const struct value *v,
						const struct value **vals)
{
	for (size_t i = 0; i < c->nargs; i++)
		v = eval_still_ephemeral(c->ev, v, vals[i]);
	return v;
}

static const struct value *run(struct call *c, const struct value **vals)
{
	struct func_error err = { .arg = -1 };
	struct func_call fc = { .arena = c->ev->arena,
				.eval = c->ev,
				.func = c->f,
				.args = vals,
				.exprs = c->exprs,
				.nargs = c->nargs,
				.err = &err };
	const struct marks *marks = NULL;
	bool unknown = false, untyped = false, ran = false;
	const struct value *v;

	if (!check_arguments(c, vals, &marks, &unknown, &untyped))
		return NULL;
	fc.hidden = marks;
	if (untyped)
		v = &value_unknown_dynamic;
	else if (unknown ||
		 ((c->f->flags & FUNC_IMPURE) && c->ev->scope->pure_only))
		v = unknown_result(c, &fc);
	else if ((v = c->f->impl(&fc)))
		ran = true;
	else
		return failed(c, &err);
	if (!v)
		return NULL;
	if (!(c->f->flags & FUNC_NULLABLE) && !value_is_known(v) &&
	    v->type != &type_dynamic)
		v = value_refine_not_null(c->ev->arena, v);
	v = marked(c->ev->arena, v, marks);
	return ran ? v : call_still_ephemeral(c, v, vals);
}

static const struct value *run_lazy(struct call *c)
{
	struct func_error err = { .arg = -1 };
	struct func_call fc = { .arena = c->ev->arena,
				.eval = c->ev,
				.func = c->f,
				.exprs = c->exprs,
				.nargs = c->nargs,
				.err = &err };
	const struct value *v = c->f->impl(&fc);

	return v ? v : failed(c, &err);
}

static const struct func *find(struct eval *ev, struct str name)
{
	const struct scope *s = ev->scope;

	return s && s->function ? s->function(s->data, name) : NULL;
}

const struct value *eval_call(struct eval *ev, const struct expr *e)
{
	const struct value *few[8], **vals = few, *v;
	struct call c = {
		.ev = ev, .e = e, .exprs = e->call.args, .nargs = e->call.nargs
	};

	c.f = find(ev, e->call.name);
	if (!c.f)
		return unknown_function(ev, e);
	while (c.f->params && c.f->params[c.nparams].name)
		c.nparams++;
	if (e->call.expand_final && c.nargs && !expand(&c, &v))
		return v;
	if (!right_count(&c))
		return &value_unknown_dynamic;
	if (c.f->flags & FUNC_LAZY) {
		v = run_lazy(&c);
	} else {
		if (c.nargs > sizeof(few) / sizeof(few[0]))
			vals = ARENA_ARRAY(ev->arena, const struct value *,
					   c.nargs);
		v = get_arguments(&c, vals) ? run(&c, vals) : NULL;
	}
	return v ? v : &value_unknown_dynamic;
}
