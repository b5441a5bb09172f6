/* resource.c - the validate walk at resources */
#include "addr/provider.h"
#include "config/module.h"
#include "engine/run/run_int.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "engine/validate/validate_int.h"
#include "base/didyoumean.h"
#include "engine/run/providers.h"
#include "provider/open.h"
#include "value/convert.h"
#include "value/marks.h"

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
static const char *hint(struct visit *x)
{
	static const enum resource_mode order[] = { MODE_MANAGED, MODE_DATA,
						    MODE_EPHEMERAL };
	struct arena *a = x->w.a;
	const struct map *managed = &x->types->managed;
	struct str type = x->w.block->addr.type, near, *names;

	for (size_t i = 0; i < 3; i++)
		if (order[i] != x->w.block->addr.mode &&
		    map_has(types_of(x->types, order[i]), type))
			return arena_printf(a,
					    "\n\nDid you intend a block "
					    "%s \"%.*s\" instead?",
					    blocks[order[i]], STR_ARG(type));
	names = ARENA_ARRAY(a, struct str, managed->len);
	for (size_t i = 0; i < managed->len; i++)
		names[i] = managed->entries[i].key;
	near = didyoumean(type, names, managed->len);
	return near.n ? arena_printf(a, " Did you mean \"%.*s\"?",
				     STR_ARG(near))
		      : "";
}

static void no_such_type(struct visit *x)
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
	enum resource_mode mode = x->w.block->addr.mode;

	diag_error(&x->w.ds, &x->w.block->type_at, summaries[mode],
		   "The provider %.*s has no %s \"%.*s\".%s",
		   STR_ARG(provider_addr_text(x->w.a, x->w.block->provider)),
		   what[mode], STR_ARG(x->w.block->addr.type), hint(x));
}

static void check_ignored(struct visit *x)
{
	const struct traversal_vec *v = &x->w.block->lifecycle->ignore_changes;

	for (size_t i = 0; i < v->len; i++) {
		const struct traversal *t = &v->items[i].traversal;
		struct arena *a = x->w.a;
		struct step *steps = ARENA_ARRAY(a, struct step, t->nsteps + 1);
		const struct schema_attr *at;
		size_t n = 0;

		if (t->root.n)
			steps[n++] = (struct step){ .kind = STEP_ATTR,
						    .name = t->root,
						    .span = t->root_span };
		for (size_t k = 0; k < t->nsteps; k++)
			steps[n++] = t->steps[k];
		if (schema_check_steps(x->w.schema->block, v->items[i].src,
				       steps, n, &x->w.ds))
			continue;
		at = schema_attr_at(x->w.schema->block, steps, n);
		if (at && at->computed && !at->optional)
			diag_warning(&x->w.ds, &x->w.block->type_at,
				     "Redundant ignore_changes element",
				     "The attribute %.*s is decided by the "
				     "provider alone, so there is no "
				     "configured value to ignore.",
				     STR_ARG(at->name));
	}
}

static void not_declared(struct visit *x, struct expression e,
			 const struct reference *ref)
{
	struct range at = expression_range(e);

	diag_error(&x->w.ds, &at, "Undeclared resource in replace_triggered_by",
		   "The module has no resource %.*s.%.*s.",
		   STR_ARG(ref->resource.type), STR_ARG(ref->resource.name));
}

static void check_triggers(struct visit *x)
{
	const struct cfg_lifecycle *l = x->w.block->lifecycle;
	struct repetition rep = { NULL, NULL, NULL };

	if (x->w.block->count.root)
		rep.count_index = &value_zero;
	else if (x->w.block->for_each.root)
		rep.each_key = &value_empty_string;
	for (size_t i = 0; i < l->replace_triggered_by.len; i++) {
		const struct resource_schema *s;
		struct diags quiet = DIAGS_INIT(x->w.a);
		struct cfg_resource *c;
		struct reference ref;

		if (trigger_reference(x->w.a, l->replace_triggered_by.items[i],
				      &rep, &ref, &x->w.ds) ||
		    ref.kind != REF_RESOURCE)
			continue;
		c = config_resource(x->w.module->config, &ref.resource);
		if (!c) {
			not_declared(x, l->replace_triggered_by.items[i], &ref);
			continue;
		}
		s = run_resource_schema(x->v->run, c->provider, &c->addr,
					&quiet);
		if (s)
			schema_check_steps(s->block, ref.src, ref.rest,
					   ref.nrest, &x->w.ds);
	}
}

static const struct value *self_of(const struct visit *x)
{
	return x->w.schema ? value_unknown(x->w.a, x->w.schema->block->implied)
			   : &value_unknown_dynamic;
}

static void check_rules(struct visit *x)
{
	const struct cfg_lifecycle *l = x->w.block->lifecycle;
	const struct cfg_condition_vec *v[] = { &l->preconditions,
						&l->postconditions };

	for (size_t k = 0; k < 2; k++) {
		x->scope.self = k == 1 ? self_of(x) : NULL;
		x->place.self = k == 1;
		for (size_t i = 0; i < v[k]->len; i++) {
			visit_rule(x, &x->scope, v[k]->items[i].condition);
			visit_rule(x, &x->scope, v[k]->items[i].error_message);
		}
	}
}

/* A constant can be checked at once. */
static void check_prevent_destroy(struct visit *x)
{
	struct expression e = x->w.block->lifecycle->prevent_destroy;
	struct diags quiet = DIAGS_INIT(x->w.a);
	const struct value *v;
	struct verror err;
	struct range at;

	if (!e.root)
		return;
	v = eval_expression(x->w.a, NULL, e, &quiet);
	if (diags_failed(&quiet) || convert(x->w.a, v, &type_bool, &err))
		return;
	at = expression_range(e);
	diag_error(&x->w.ds, &at, "Invalid value for prevent_destroy",
		   "prevent_destroy must be true or false: %.*s.",
		   STR_ARG(verror_text(x->w.a, &err)));
}

/* --- the steps --- */

static void begin(struct visit *x)
{
	struct worker *w = &x->w;
	const struct cfg_resource *c = x->v->pg->g->nodes.items[x->node].object;
	struct buf b = BUF_INIT;

	state_resource_text(&b, w->module->addr, &c->addr);
	w->text = buf_dup(w->a, &b);
	buf_release(&b);
	w->addr.resource = c->addr;
	w->block = c;
	w->rep = repetition_unknown(w->run, c->count.root != NULL,
				    c->for_each.root != NULL);
	x->place =
		(struct refs_place){ .check = c->check, .self_is = &c->addr };
}

/* count, for_each and depends_on are about all instances; the steps after them
 * are about one. */
static enum worked meta_arguments(struct worker *w)
{
	struct visit *x = visit_of(w);
	const struct cfg_resource *c;

	begin(x);
	c = w->block;
	if (!w->run->opts.importing)
		x->types = run_provider_schema(w->run, c->provider, &w->ds);
	if (!x->types)
		return WORK_END;
	visit_repetition(x, c->count, c->for_each, false);
	visit_depends_on(x, &c->depends_on);
	x->place.count = c->count.root != NULL;
	x->place.each = c->for_each.root != NULL;
	worker_scope(w, &x->scope);
	w->schema = provider_resource_schema(x->types, c->addr.mode,
					     c->addr.type, &w->ds);
	if (!w->schema &&
	    !map_has(types_of(x->types, c->addr.mode), c->addr.type))
		no_such_type(x);
	return WORK_NEXT;
}

static enum worked validate_body(struct worker *w)
{
	struct visit *x = visit_of(w);
	const struct cfg_resource *c = w->block;
	const struct value *v;

	if (!w->schema)
		return WORK_NEXT;
	v = visit_body(x, &x->scope, c->body, w->schema->block, w->text);
	w->config = v;
	if (!v)
		return WORK_NEXT;
	worker_refuse_ephemeral(w, v);
	if (c->addr.mode == MODE_MANAGED) {
		check_ignored(x);
		check_triggers(x);
	}
	return WORK_NEXT;
}

/* Has the provider validate the configuration, if it can be asked. */
static enum worked ask_provider(struct worker *w)
{
	struct diags quiet = DIAGS_INIT(w->a);

	if (!w->config)
		return WORK_NEXT;
	w->provider = run_provider_for(w->module, w->block, &w->rep, &quiet);
	if (!w->provider || w->provider->state != PROVIDER_READY)
		return WORK_NEXT;
	w->q.check.in.config = value_unmark_deep(w->a, w->config, NULL);
	return worker_call(w, CALL_VALIDATE_RESOURCE);
}

static enum worked validate_rules(struct worker *w)
{
	struct visit *x = visit_of(w);

	check_rules(x);
	if (w->block->addr.mode != MODE_MANAGED)
		return WORK_END;
	check_prevent_destroy(x);
	x->scope.condition = false;
	x->scope.self = self_of(x);
	x->place.self = true;
	if (!validate_provisioners(x, &x->scope, w->block))
		validate_imports(x, w->block, w->schema);
	return WORK_END;
}

worker_step *const validate_resource[] = {
	meta_arguments, validate_body, ask_provider, validate_rules, NULL,
};
