/* resource.c - the validate walk at resources */
#include "engine/run/schema_refs.h"
#include "engine/run/trigger_ref.h"
#include "engine/validate/validate_int.h"
#include "base/didyoumean.h"

struct resource_visit {
	struct visit *x;
	const struct cfg_resource *c;
	const struct provider_schema *provider;
	const struct resource_schema *schema;
	struct run_scope s;
	struct provider_request q;
	struct str address;
};

static const char *const blocks[] = { [MODE_MANAGED] = "resource",
				      [MODE_DATA] = "data",
				      [MODE_EPHEMERAL] = "ephemeral" };

static const struct map *types_of(const struct provider_schema *p,
				  enum resource_mode mode)
{
	return mode == MODE_MANAGED ? &p->managed
	       : mode == MODE_DATA  ? &p->data
				    : &p->ephemeral;
}

/* Another kind of block, or another name, that may be meant. */
static const char *hint(struct resource_visit *r)
{
	static const enum resource_mode order[] = { MODE_MANAGED, MODE_DATA,
						    MODE_EPHEMERAL };
	struct arena *a = r->x->a;
	const struct map *managed = &r->provider->managed;
	struct str type = r->c->addr.type, near, *names;

	for (size_t i = 0; i < 3; i++)
		if (order[i] != r->c->addr.mode &&
		    map_has(types_of(r->provider, order[i]), type))
			return arena_printf(a,
					    "\n\nDid you intend a block "
					    "%s \"%.*s\" instead?",
					    blocks[order[i]], STR_ARG(type));
	names = ARENA_ARRAY(a, struct str, managed->len);
	for (size_t i = 0; i < managed->len; i++)
		names[i] = managed->entries[i].key;
	near = suggest(type, names, managed->len);
	return near.n ? arena_printf(a, " Did you mean \"%.*s\"?",
				     STR_ARG(near))
		      : "";
}

static void no_such_type(struct resource_visit *r)
{
	static const char *const summaries[] = {
		[MODE_MANAGED] = "Invalid resource type",
		[MODE_DATA] = "Invalid data source",
		[MODE_EPHEMERAL] = "Invalid ephemeral resource",
	};
	static const char *const what[] = {
		[MODE_MANAGED] = "resource type",
		[MODE_DATA] = "data source",
		[MODE_EPHEMERAL] = "ephemeral resource",
	};
	enum resource_mode mode = r->c->addr.mode;

	diag_error(&r->x->ds, &r->c->type_at, summaries[mode],
		   "The provider %.*s has no %s \"%.*s\".%s",
		   STR_ARG(provider_addr_text(r->x->a,
					      r->c->provider)),
		   what[mode], STR_ARG(r->c->addr.type), hint(r));
}

static void check_ignored(struct resource_visit *r)
{
	const struct traversal_vec *v = &r->c->lifecycle->ignore_changes;

	for (size_t i = 0; i < v->len; i++) {
		const struct traversal *t = &v->items[i].traversal;
		struct arena *a = r->x->a;
		struct step *steps =
			ARENA_ARRAY(a, struct step, t->nsteps + 1);
		const struct schema_attr *at;
		size_t n = 0;

		if (t->root.n)
			steps[n++] = (struct step){ .kind = STEP_ATTR,
						    .name = t->root,
						    .span = t->root_span };
		for (size_t k = 0; k < t->nsteps; k++)
			steps[n++] = t->steps[k];
		if (schema_check_steps(r->schema->block, v->items[i].src,
				       steps, n, &r->x->ds))
			continue;
		at = schema_attr_at(r->schema->block, steps, n);
		if (at && at->computed && !at->optional)
			diag_warning(&r->x->ds, &r->c->type_at,
				     "Redundant ignore_changes element",
				     "The attribute %.*s is decided by the "
				     "provider alone, so there is no "
				     "configured value to ignore.",
				     STR_ARG(at->name));
	}
}

static void not_declared(struct resource_visit *r, struct expression e,
			 const struct reference *ref)
{
	struct range at = expression_range(e);

	diag_error(&r->x->ds, &at,
		   "Undeclared resource in replace_triggered_by",
		   "The module has no resource %.*s.%.*s.",
		   STR_ARG(ref->resource.type), STR_ARG(ref->resource.name));
}

static void check_triggers(struct resource_visit *r)
{
	const struct cfg_lifecycle *l = r->c->lifecycle;
	struct repetition rep = { NULL, NULL, NULL };

	if (r->c->count.root)
		rep.count_index = &value_zero;
	else if (r->c->for_each.root)
		rep.each_key = &value_empty_string;
	for (size_t i = 0; i < l->nreplace_triggered_by; i++) {
		const struct resource_schema *s;
		struct diags quiet = DIAGS_INIT(r->x->a);
		struct cfg_resource *c;
		struct reference ref;

		if (trigger_reference(r->x->a,
				      l->replace_triggered_by[i], &rep, &ref,
				      &r->x->ds) ||
		    ref.kind != REF_RESOURCE)
			continue;
		c = config_resource(r->x->m->config, &ref.resource);
		if (!c) {
			not_declared(r, l->replace_triggered_by[i], &ref);
			continue;
		}
		s = run_resource_schema(r->x->v->run, c->provider, &c->addr,
					&quiet);
		if (s)
			schema_check_steps(s->block, ref.src, ref.rest,
					   ref.nrest, &r->x->ds);
	}
}

static const struct value *self_of(const struct resource_visit *r)
{
	return r->schema ? value_unknown(r->x->a,
					 r->schema->block->implied)
			 : &value_unknown_dynamic;
}

static void check_rules(struct resource_visit *r)
{
	const struct cfg_lifecycle *l = r->c->lifecycle;
	const struct cfg_condition_vec *v[] = { &l->preconditions,
						&l->postconditions };

	for (size_t k = 0; k < 2; k++) {
		r->s.self = k == 1 ? self_of(r) : NULL;
		r->x->place.self = k == 1;
		for (size_t i = 0; i < v[k]->len; i++) {
			visit_rule(r->x, &r->s, v[k]->items[i].condition);
			visit_rule(r->x, &r->s, v[k]->items[i].error_message);
		}
	}
}

/* A constant can be checked at once. */
static void check_prevent_destroy(struct resource_visit *r)
{
	struct expression e = r->c->lifecycle->prevent_destroy;
	struct diags quiet = DIAGS_INIT(r->x->a);
	const struct value *v;
	struct verror err;
	struct range at;

	if (!e.root)
		return;
	v = eval_expression(r->x->a, NULL, e, &quiet);
	if (diags_failed(&quiet) ||
	    convert(r->x->a, v, &type_bool, &err))
		return;
	at = expression_range(e);
	diag_error(&r->x->ds, &at, "Invalid value for prevent_destroy",
		   "prevent_destroy must be true or false: %.*s.",
		   STR_ARG(verror_text(r->x->a, &err)));
}

static void finish(void *data)
{
	struct resource_visit *r = data;
	const struct run_mark mark = run_mark(r->x->v->run, &r->x->ds);

	check_rules(r);
	if (r->c->addr.mode == MODE_MANAGED) {
		check_prevent_destroy(r);
		r->s.condition = false;
		r->s.self = self_of(r);
		r->x->place.self = true;
		if (!validate_provisioners(r->x, &r->s, r->c))
			validate_imports(r->x, r->c, r->schema);
	}
	if (!run_must_wait(&mark, finish, r))
		visit_done(r->x);
}

static void validated(struct provider_request *q)
{
	struct resource_visit *r = q->data;

	run_provider_diags(&r->x->ds, q, r->c->body, q->address);
	finish(r);
}

/* Has the provider validate the configuration; false: nobody to ask. */
static bool ask_provider(struct resource_visit *r, const struct value *v)
{
	struct diags quiet = DIAGS_INIT(r->x->a);
	struct run_provider *p =
		run_provider_for(r->x->m, r->c, &r->s.rep, &quiet);

	if (!p || p->state != PROVIDER_READY)
		return false;
	r->q = (struct provider_request){
		.call = CALL_VALIDATE_RESOURCE,
		.arena = r->x->a,
		.mode = r->c->addr.mode,
		.type = r->c->addr.type,
		.address = r->address,
		.config = value_unmark_deep(r->x->a, v, NULL),
		.diags = DIAGS_INIT(r->x->v->arena),
		.done = validated,
		.data = r,
	};
	provider_start(p->provider, &r->q);
	return true;
}

static struct str address_of(struct visit *x, const struct cfg_resource *c)
{
	struct buf b = BUF_INIT;
	struct str s;

	state_resource_text(&b, x->m->addr, &c->addr);
	s = buf_dup(x->a, &b);
	buf_release(&b);
	return s;
}

void validate_resource(void *data)
{
	struct visit *x = data;
	const struct cfg_resource *c =
		x->v->pg->g->nodes.items[x->node].object;
	const struct run_mark mark = run_mark(x->v->run, &x->ds);
	struct resource_visit *r =
		ARENA_NEW(x->a, struct resource_visit);
	struct repetition rep = unknown_for(x->v->run, c->count.root != NULL,
					    c->for_each.root != NULL);
	const struct value *v;
	size_t decoded;

	r->x = x;
	r->c = c;
	if (!x->v->run->opts.importing)
		r->provider = run_provider_schema(x->v->run, c->provider,
						  &x->ds);
	if (!r->provider) {
		visit_done(x);
		return;
	}
	x->place.check = c->check;
	x->place.self_is = &c->addr;
	visit_repetition(x, c->count, c->for_each, false);
	visit_depends_on(x, &c->depends_on);
	x->place.count = c->count.root != NULL;
	x->place.each = c->for_each.root != NULL;
	run_scope_init(&r->s, x->m, &rep);
	r->schema = provider_resource_schema(r->provider, c->addr.mode,
					     c->addr.type, &x->ds);
	if (!r->schema) {
		if (!map_has(types_of(r->provider, c->addr.mode),
			     c->addr.type))
			no_such_type(r);
		finish(r);
		return;
	}
	r->address = address_of(x, c);
	v = visit_body(x, &r->s, c->body, r->schema->block, r->address);
	decoded = x->ds.len;
	if (v && c->addr.mode != MODE_EPHEMERAL)
		body_check_ephemeral(x->a, c->body, r->schema->block,
				     v, &x->ds);
	diags_address(&x->ds, decoded, r->address);
	if (v && c->addr.mode == MODE_MANAGED) {
		check_ignored(r);
		check_triggers(r);
	}
	if (run_must_wait(&mark, validate_resource, x))
		return;
	if (!v || !ask_provider(r, v))
		finish(r);
}
