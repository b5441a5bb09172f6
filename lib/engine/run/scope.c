/*
 * scope.c - what names mean in expressions of a module instance
 *
 * References are resolved along their traversal as far as that saves work: one
 * instance of a resource, one output of a module.  If a key is unknown, marked,
 * or names nothing, the whole object is returned and the evaluator applies the
 * steps, with its usual diagnostics.
 */
#include "engine/run/values.h"
#include "engine/run/run_int.h"
#include "engine/run/expand.h"
#include "base/didyoumean.h"
#include "config/check/refs.h"
#include "config/test.h"
#include "value/number.h"

struct str cfg_module_display(const struct cfg_module *m)
{
	return m->parent ? m->path : STR("the root module");
}

static const struct value *no_such_root(const struct ref *r, struct diags *ds)
{
	return scope_wrong(ds, scope_prefix_range(r, 0), "Unknown variable",
			   "There is no variable named \"%.*s\".",
			   STR_ARG(r->root));
}

/* root.NAME: the name, or NULL after a diagnostic. */
static const struct ref_step *attr_of(const struct ref *r, struct diags *ds)
{
	if (r->nsteps && r->steps[0].is_attr)
		return &r->steps[0];
	scope_wrong(
		ds, r->nsteps ? scope_prefix_range(r, 1) : scope_range(r),
		"Invalid reference",
		"\"%.*s\" has no value of its own; name one of its attributes.",
		STR_ARG(r->root));
	return NULL;
}

static const struct value *resolve_variable(struct run_scope *s,
					    struct eval *ev,
					    const struct ref *r,
					    struct str name, struct diags *ds)
{
	const struct cfg_variable *v =
		map_get(&s->module->config->variables, name);
	struct str hint;

	if (s->own_variable && v == s->own_variable)
		return s->own_value;
	if (v)
		return eval_variable(s->module, v, ev, &s->failed, ds);
	if (s->outputs && map_has(&s->run->config->test->variables, name))
		return map_get(&s->run->config->test->variables, name);
	hint = didyoumean_key(ds->arena, name, &s->module->config->variables);
	if (!hint.n)
		hint = str_printf(
			ds->arena,
			" It can be declared with a variable \"%.*s\" {} block.",
			STR_ARG(name));
	return scope_wrong(ds, scope_prefix_range(r, 1),
			   "Reference to undeclared input variable",
			   "There is no input variable named \"%.*s\".%.*s",
			   STR_ARG(name), STR_ARG(hint));
}

static const struct value *resolve_local(struct run_scope *s, struct eval *ev,
					 const struct ref *r, struct str name,
					 struct diags *ds)
{
	const struct cfg_local *l = map_get(&s->module->config->locals, name);
	struct str hint;

	if (l)
		return eval_local_value(s->module, l, ev, &s->failed, ds);
	hint = didyoumean_key(ds->arena, name, &s->module->config->locals);
	return scope_wrong(ds, scope_prefix_range(r, 1),
			   "Reference to undeclared local value",
			   "There is no local value named \"%.*s\".%.*s",
			   STR_ARG(name), STR_ARG(hint));
}

static const struct value *resolve_output(struct run_scope *s, struct eval *ev,
					  const struct ref *r, struct str name,
					  struct diags *ds)
{
	const struct cfg_output *o = map_get(&s->module->config->outputs, name);
	struct str hint;

	if (o)
		return eval_output(s->module, o, ev, &s->failed, ds);
	hint = didyoumean_key(ds->arena, name, &s->module->config->outputs);
	return scope_wrong(ds, scope_prefix_range(r, 1),
			   "Reference to undeclared output value",
			   "There is no output value named \"%.*s\".%.*s",
			   STR_ARG(name), STR_ARG(hint));
}

/* A key as an instance key; false if it cannot be one as it is. */
static bool plain_key(const struct ref_step *st, struct inst_key *k)
{
	const struct value *v = st->key;

	*k = KEY_ABSENT;
	if (st->is_attr || !v || !value_usable(v) || v->marks)
		return false;
	if (v->type == &type_string) {
		k->kind = KEY_STRING;
		k->s = v->string;
		return true;
	}
	k->kind = KEY_INT;
	return v->type == &type_number && value_get_int(v, &k->i);
}

static bool expands_many(const struct expansion *e)
{
	return e->kind == EXPAND_COUNT || e->kind == EXPAND_EACH;
}

/* The module instance that the steps name; *n steps are used for it. */
static struct run_module *named_module(struct run_call *c, const struct ref *r,
				       size_t *n)
{
	struct inst_key k;
	ptrdiff_t i;

	*n = 1;
	if (c->module->run->opts.phase == RUN_VALIDATE)
		return NULL;
	if (c->exp.kind == EXPAND_SINGLE && c->exp.n)
		return c->children[0];
	if (!expands_many(&c->exp) || r->nsteps < 2 ||
	    !plain_key(&r->steps[1], &k))
		return NULL;
	*n = 2;
	i = expansion_index(&c->exp, k);
	return i < 0 ? NULL : c->children[i];
}

/* module.m[key].output as far as it goes. */
/* The console shows nothing of a module whose instances are not known. */
static const struct value *without_instances(struct arena *a,
					     const struct cfg_call *c)
{
	if (c->count.root)
		return value_tuple(a, NULL, 0);
	return c->for_each.root ? value_object(a, NULL, NULL, 0)
				: &value_null_dynamic;
}

static const struct value *resolve_module(struct run_scope *s, struct eval *ev,
					  const struct ref *r, struct str name,
					  size_t *used, struct diags *ds)
{
	const struct cfg_module *m = s->module->config;
	struct cfg_call *call = map_get(&m->calls, name);
	const struct cfg_output *o = NULL;
	struct run_module *child;
	struct run_call *c;
	struct str hint;
	size_t n;

	if (!call) {
		hint = didyoumean_key(ds->arena, name, &m->calls);
		return scope_wrong(
			ds, scope_prefix_range(r, 1),
			"Reference to undeclared module",
			"There is no module call named \"%.*s\" in %.*s.%.*s",
			STR_ARG(name), STR_ARG(cfg_module_display(m)),
			STR_ARG(hint));
	}
	c = run_call(s->module, call, ds);
	if (c->exp.kind == EXPAND_FAILED || c->exp.kind == EXPAND_NOT_YET ||
	    !call->child) {
		s->failed = true;
		return s->run->opts.console && r->nsteps == 1
			       ? without_instances(ev->arena, call)
			       : &value_unknown_dynamic;
	}
	child = named_module(c, r, &n);
	if (child && r->nsteps > n && r->steps[n].is_attr)
		o = map_get(&child->config->outputs, r->steps[n].name);
	if (!o) {
		*used = 1;
		return eval_module_whole(c, ev, &s->failed, ds);
	}
	*used = n + 1;
	return eval_output(child, o, ev, &s->failed, ds);
}

static const struct value *resolve_resource(struct run_scope *s,
					    const struct ref *r,
					    enum resource_mode mode,
					    struct str type, size_t at,
					    size_t *used, struct diags *ds)
{
	struct resource_addr addr = { mode, type, STR_NONE };
	struct run_instance *i;
	struct run_resource *rr;
	struct inst_key k;

	if (at >= r->nsteps || !r->steps[at].is_attr)
		return s->wrong & REFS_UNREADABLE
			       ? no_such_root(r, ds)
			       : scope_wrong(
					 ds, scope_range(r),
					 "Invalid reference",
					 "A resource type must be followed by the "
					 "name of a resource, after a dot.");
	addr.name = r->steps[at].name;
	rr = run_resource(s->module, &addr, ds);
	if (!rr)
		return scope_wrong(
			ds, scope_prefix_range(r, at + 1),
			"Reference to undeclared resource",
			"There is no resource \"%.*s\" \"%.*s\" in %.*s.",
			STR_ARG(type), STR_ARG(addr.name),
			STR_ARG(cfg_module_display(s->module->config)));
	*used = at + 1;
	if (rr->exp.kind == EXPAND_FAILED) {
		s->failed = true;
		return &value_unknown_dynamic;
	}
	if (expands_many(&rr->exp) && r->nsteps > at + 1 &&
	    plain_key(&r->steps[at + 1], &k)) {
		i = run_instance(rr, k);
		if (i && !i->excluded && !i->gone) {
			*used = at + 2;
			return run_instance_value(i);
		}
	}
	return run_resource_value(rr);
}

enum root_kind {
	ROOT_VAR,
	ROOT_LOCAL,
	ROOT_MODULE,
	ROOT_COUNT,
	ROOT_EACH,
	ROOT_PATH,
	ROOT_TERRAFORM,
	ROOT_SELF,
	ROOT_OUTPUT,
	ROOT_DATA,
	ROOT_EPHEMERAL,
	ROOT_RESOURCE,
	ROOT_TYPE,
};

static const struct str root_names[] = {
	[ROOT_VAR] = STR_INIT("var"),
	[ROOT_LOCAL] = STR_INIT("local"),
	[ROOT_MODULE] = STR_INIT("module"),
	[ROOT_COUNT] = STR_INIT("count"),
	[ROOT_EACH] = STR_INIT("each"),
	[ROOT_PATH] = STR_INIT("path"),
	[ROOT_TERRAFORM] = STR_INIT("terraform"),
	[ROOT_SELF] = STR_INIT("self"),
	[ROOT_OUTPUT] = STR_INIT("output"),
	[ROOT_DATA] = STR_INIT("data"),
	[ROOT_EPHEMERAL] = STR_INIT("ephemeral"),
	[ROOT_RESOURCE] = STR_INIT("resource"),
};

static enum root_kind root_of(struct str name, const struct run_scope *s)
{
	for (size_t i = 0; i < sizeof(root_names) / sizeof(*root_names); i++)
		if (str_eq(name, root_names[i]))
			return i == ROOT_OUTPUT && !s->outputs
				       ? ROOT_TYPE
				       : (enum root_kind)i;
	return str_is(name, "tofu") ? ROOT_TERRAFORM : ROOT_TYPE;
}

/* Earlier runs of a test, for its provider blocks. */
static const struct value *resolve_run(const struct run_scope *s,
				       struct eval *ev, size_t *used)
{
	const struct map *runs = &s->run->config->test->runs;
	struct str *names = ARENA_ARRAY(ev->arena, struct str, runs->len);
	const struct value **v =
		ARENA_ARRAY(ev->arena, const struct value *, runs->len);

	for (size_t i = 0; i < runs->len; i++) {
		names[i] = runs->entries[i].key;
		v[i] = runs->entries[i].value;
	}
	*used = 0;
	return value_object(ev->arena, names, v, runs->len);
}

static bool sees_runs(const struct run_scope *s, const struct ref *r)
{
	const struct cfg_test *t = s->run->config->test;

	return t && t->runs.len && !s->outputs && str_is(r->root, "run");
}

/* data.TYPE.NAME and the like. */
static const struct value *resolve_prefixed(struct run_scope *s,
					    const struct ref *r,
					    enum resource_mode mode,
					    size_t *used, struct diags *ds)
{
	if (r->nsteps < 2 || !r->steps[0].is_attr)
		return scope_wrong(
			ds, scope_range(r), "Invalid reference",
			"\"%.*s\" must be followed by two attribute names: a type and a name.",
			STR_ARG(r->root));
	return resolve_resource(s, r, mode, r->steps[0].name, 1, used, ds);
}

static const struct value *resolve_root(struct run_scope *s, struct eval *ev,
					const struct ref *r,
					enum root_kind root, size_t *used,
					struct diags *ds)
{
	const struct ref_step *attr;

	switch (root) {
	case ROOT_SELF:
		*used = 0;
		return scope_self(s, r, ds);
	case ROOT_DATA:
		return resolve_prefixed(s, r, MODE_DATA, used, ds);
	case ROOT_EPHEMERAL:
		return resolve_prefixed(s, r, MODE_EPHEMERAL, used, ds);
	case ROOT_RESOURCE:
		return resolve_prefixed(s, r, MODE_MANAGED, used, ds);
	case ROOT_TYPE:
		return resolve_resource(s, r, MODE_MANAGED, r->root, 0, used,
					ds);
	default:
		break;
	}
	attr = attr_of(r, ds);
	if (!attr)
		return &value_unknown_dynamic;
	*used = 1;
	switch (root) {
	case ROOT_VAR:
		return resolve_variable(s, ev, r, attr->name, ds);
	case ROOT_LOCAL:
		return resolve_local(s, ev, r, attr->name, ds);
	case ROOT_MODULE:
		return resolve_module(s, ev, r, attr->name, used, ds);
	case ROOT_COUNT:
		return scope_count(s, r, attr->name, ds);
	case ROOT_EACH:
		return scope_each(s, r, attr->name, ds);
	case ROOT_PATH:
		return scope_path(s, ev, r, attr->name, ds);
	case ROOT_OUTPUT:
		return resolve_output(s, ev, r, attr->name, ds);
	default:
		return scope_terraform(s, ev, r, attr->name, ds);
	}
}

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	struct run_scope *s = data;
	enum root_kind root = root_of(r->root, s);
	struct diags quiet = DIAGS_INIT(ds->arena);
	const struct value *v;
	size_t errors;

	*used = r->nsteps;
	if (s->wrong & REFS_NO_OBJECT) /* an error of evaluation */
		return NULL;
	if (s->wrong & REFS_NO_VALUE)
		ds = &quiet;
	errors = ds->errors;
	if (s->self_only && (root <= ROOT_MODULE || root >= ROOT_OUTPUT))
		return scope_wrong(ds, scope_range(r), "Invalid reference",
				   "Only \"self\", \"count\", \"each\", "
				   "\"path\" and \"terraform\" can be used "
				   "here.");
	if (sees_runs(s, r))
		return resolve_run(s, ev, used);
	v = resolve_root(s, ev, r, root, used, ds);
	if (v && !value_wholly_known(v))
		s->run->doubts++;
	if (ds->errors != errors)
		*used = r->nsteps;
	return v;
}

static struct str nth_root(void *data, size_t i)
{
	const struct run_scope *s = data;

	if (s->wrong & REFS_NO_OBJECT)
		return STR_NONE;
	if (i == ROOT_OUTPUT && !s->outputs)
		i = ROOT_RESOURCE;
	return i < sizeof(root_names) / sizeof(*root_names) ? root_names[i]
							    : STR_NONE;
}

void run_scope_init(struct run_scope *s, struct run_module *m,
		    const struct repetition *rep)
{
	struct run *r = m->run;

	memset(s, 0, sizeof(*s));
	s->run = r;
	s->module = m;
	if (rep)
		s->rep = *rep;
	s->scope.resolve = resolve;
	s->scope.function = run_function;
	s->scope.function_name = run_function_name;
	s->scope.provider = run_has_provider;
	s->scope.root_name = nth_root;
	s->scope.data = s;
	s->scope.base_dir = r->base_dir;
	s->scope.validating = r->opts.phase == RUN_VALIDATE;
	s->scope.pure_only =
		r->opts.phase == RUN_PLAN || r->opts.phase == RUN_VALIDATE;
}
