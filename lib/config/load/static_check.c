/*
 * static_check.c - what early evaluation may not use
 *
 * Programs without the language's functions do not evaluate calls, but look at
 * all that the arguments are made of: through local values, and through the
 * arguments of module calls.
 */
#include "config/load/static_check_int.h"

#include "addr/reference.h"
#include "lang/eval/eval_call.h"

void static_uses(struct arena *a, struct expression e, struct static_uses *out)
{
	*out = (struct static_uses){ 0 };
	expression_uses(a, e, &out->vars, &out->calls);
}

void static_explain(const struct static_frame *f, const char *subject,
		    struct diags *ds)
{
	diag_error(ds, &f->at, "Unable to compute static value",
		   "%s depends on %s, which is not available.", f->subject,
		   subject);
}

const struct attribute *static_argument(const struct static_frame *f,
					struct str name)
{
	struct diags ignored = DIAGS_INIT(f->loader->config->arena);
	struct attribute_vec attrs = { 0 };
	const struct attribute *found;

	if (!f->module->call)
		return NULL;
	body_attributes(f->loader->config->arena, f->module->call->body, &attrs,
			&ignored);
	found = attrs.items;
	for (size_t i = 0; i < attrs.len; i++, found++)
		if (str_eq(found->name, name))
			return found;
	return NULL;
}

static void check_variable(const struct cfg_module *m, struct str name,
			   const struct range *at, struct diags *ds)
{
	const struct cfg_variable *v = map_get(&m->variables, name);

	if (v && v->constant_given && !v->constant)
		diag_error(ds, at, "Unable to use variable in static context",
			   "\"%.*s\" is declared with const = false, so it is "
			   "not available here.",
			   STR_ARG(name));
}

static void check_reference(const struct static_frame *f,
			    const struct traversal_ref *t, struct diags *ds)
{
	struct reference ref;
	struct range at;

	if (reference_parse(f->loader->config->arena, t, &ref, ds))
		return;
	at = source_range(ref.src, ref.span);
	switch (ref.kind) {
	case REF_VARIABLE:
		check_variable(f->module, ref.name, &at, ds);
		return;
	case REF_LOCAL:
	case REF_PATH:
	case REF_TERRAFORM:
		return;
	case REF_MODULE:
		if (ref.output.n) {
			diag_error(
				ds, &at,
				"Module output not supported in static context",
				"An output of a module is not known yet, but "
				"%s needs it.",
				f->subject);
			return;
		}
		break;
	default:
		break;
	}
	diag_error(ds, &at, "Dynamic value in static context",
		   "This is known only later, but %s needs it.", f->subject);
}

int static_check(const struct static_frame *f, const struct static_uses *uses,
		 struct diags *ds)
{
	const size_t errors = ds->errors;
	struct func_of_provider of;

	for (size_t i = 0; i < uses->vars.len; i++)
		check_reference(f, &uses->vars.items[i], ds);
	for (size_t i = 0; i < uses->calls.len; i++) {
		const struct call_ref *c = &uses->calls.items[i];
		struct range at = source_range(c->src, c->span);

		if (func_of_provider(c->name, &of))
			diag_error(ds, &at,
				   "Provider function in static context",
				   "Functions of providers are known only "
				   "later, but %s needs %.*s.",
				   f->subject, STR_ARG(c->name));
	}
	return ds->errors == errors ? 0 : -1;
}

/* --- what is behind it --- */

struct behind { /* looked at later */
	struct static_frame frame;
	struct expression e;
};

struct search {
	struct arena *a;
	VEC(struct behind *) queue;
};

/* false: it was looked at before, as what it means in that module: modules of
 * one directory share their expressions. */
static bool is_new(const struct static_frame *f, const struct cfg_module *m,
		   const struct expr *e)
{
	struct arena *a = f->loader->config->arena;
	struct map_entry *seen =
		map_slot(a, &f->loader->looked,
			 str_printf(a, "%p %p", (void *)m, (void *)e));

	if (seen->value)
		return false;
	seen->value = (void *)e;
	return true;
}

static void push(struct search *s, const struct static_frame *outer,
		 struct cfg_module *m, const char *kind, struct str name,
		 struct range at, struct expression e)
{
	struct behind *b;

	if (!e.root || !is_new(outer, m, e.root))
		return;
	b = ARENA_NEW(s->a, struct behind);
	b->frame = *outer;
	b->frame.outer = outer;
	b->frame.module = m;
	b->frame.subject = arena_printf(s->a, "%s.%.*s", kind, STR_ARG(name));
	b->frame.at = at;
	b->e = e;
	vec_push(s->a, &s->queue, b);
}

static void look(struct search *s, const struct static_frame *f,
		 const struct traversal_ref *t)
{
	struct diags ignored = DIAGS_INIT(s->a);
	const struct attribute *arg;
	const struct cfg_local *l;
	struct reference ref;

	if (reference_parse(s->a, t, &ref, &ignored))
		return;
	if (ref.kind == REF_LOCAL) {
		l = map_get(&f->module->locals, ref.name);
		if (l)
			push(s, f, f->module, "local", ref.name, l->at,
			     l->value);
	} else if (ref.kind == REF_VARIABLE) {
		arg = static_argument(f, ref.name);
		if (arg)
			push(s, f, f->module->parent, "var", ref.name,
			     attribute_range(arg), arg->expr);
	}
}

void static_look_behind(const struct static_frame *f,
			const struct static_uses *uses, struct diags *ds)
{
	struct search s = { .a = f->loader->config->arena };
	struct static_uses more;

	for (size_t i = 0; i < uses->vars.len; i++)
		look(&s, f, &uses->vars.items[i]);
	for (size_t i = 0; i < s.queue.len; i++) {
		const struct behind *b = s.queue.items[i];
		const struct static_frame *o = &b->frame;

		static_uses(s.a, b->e, &more);
		if (static_check(o, &more, ds))
			for (; o != f; o = o->outer)
				static_explain(o->outer, o->subject, ds);
		else
			for (size_t k = 0; k < more.vars.len; k++)
				look(&s, &b->frame, &more.vars.items[k]);
	}
}
