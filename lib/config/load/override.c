/*
 * override.c - an override file merged over a module
 *
 * Arguments of the override replace those of the module, one by one; blocks
 * inside a body replace all blocks of their type.  depends_on cannot be
 * overridden, and an override file cannot have moved, import and removed
 * blocks.
 */

#include "config/decode/decode_int.h"
#include "config/module.h"
#include "config/module_int.h"
#include "config/load/load_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "value/convert.h"

struct merge {
	struct cfg_module *m;
	struct arena *a;
	struct diags *ds;
};

static void missing(struct merge *mg, const struct range *at,
		    const char *summary, const char *what, struct str name)
{
	diag_error(mg->ds, at, summary,
		   "There is no %s \"%.*s\" that this could override.", what,
		   STR_ARG(name));
}

static void refuse_depends_on(struct merge *mg, const struct traversal_vec *d)
{
	struct range at;

	if (!d->len)
		return;
	at = source_range(d->items[0].src, d->items[0].span);
	diag_error(mg->ds, &at, "Unsupported override",
		   "\"depends_on\" cannot be overridden.");
}

/* The default must fit the type again, now that one of them changed. */
static void check_default(struct merge *mg, struct cfg_variable *v,
			  const struct cfg_variable *over)
{
	static const char *const summary = "Invalid default value for variable";
	struct diags ignored = DIAGS_INIT(mg->a);
	struct verror err = { 0 };
	const struct value *value;
	const char *why = "does not fit its type constraint";

	if (!v->default_value.root || v->set & SET_BAD_DEFAULT)
		return;
	value = eval_expression(mg->a, NULL, v->default_value, &ignored);
	if (ignored.errors)
		return;
	if ((over->set & SET_TYPE) && !over->default_value.root)
		why = "does not fit the overriding type constraint";
	else if (!(over->set & SET_TYPE) && over->default_value.root)
		why = "that overrides does not fit the type constraint";
	if (v->defaults && !value_is_null(value))
		value = type_defaults_apply(mg->a, v->defaults, value);
	if (!convert(mg->a, value, v->type, &err))
		diag_error(mg->ds, &over->at, summary,
			   "The default value %s: %.*s.", why,
			   STR_ARG(verror_text(mg->a, &err)));
	if (!v->nullable && value_is_null(value))
		diag_error(
			mg->ds, &over->at, summary,
			"A variable with nullable = false cannot have a null default.");
}

static void merge_variable(struct merge *mg, struct cfg_variable *v,
			   const struct cfg_variable *over)
{
	if (over->set & SET_DESCRIPTION)
		v->description = over->description;
	if (over->set & SET_SENSITIVE)
		v->sensitive = over->sensitive;
	if (over->set & SET_EPHEMERAL)
		v->ephemeral = over->ephemeral;
	if (over->set & SET_NULLABLE)
		v->nullable = over->nullable;
	if (over->constant_given) {
		v->constant = over->constant;
		v->constant_given = true;
	}
	if (over->deprecated.n)
		v->deprecated = over->deprecated;
	if (over->default_value.root) {
		v->default_value = over->default_value;
		v->set &= ~(unsigned)SET_BAD_DEFAULT;
	}
	if (over->set & SET_TYPE) {
		v->type = over->type;
		v->type_expr = over->type_expr;
		v->defaults = over->defaults;
		v->parse_literal = over->parse_literal;
	}
	v->set |= over->set;
	check_default(mg, v, over);
}

static void merge_output(struct merge *mg, struct cfg_output *o,
			 const struct cfg_output *over)
{
	if (over->description.n)
		o->description = over->description;
	if (over->value.root)
		o->value = over->value;
	if (over->set & SET_SENSITIVE)
		o->sensitive = over->sensitive;
	if (over->set & SET_EPHEMERAL)
		o->ephemeral = over->ephemeral;
	if (over->deprecated.n)
		o->deprecated = over->deprecated;
	o->set |= over->set;
	refuse_depends_on(mg, &over->depends_on);
}

static void merge_call(struct merge *mg, struct cfg_call *c,
		       const struct cfg_call *over)
{
	if (over->source_expr.root) {
		c->source_expr = over->source_expr;
		c->source_at = over->source_at;
	}
	if (over->version_expr.root) {
		c->version_expr = over->version_expr;
		c->version_at = over->version_at;
	}
	if (over->count.root)
		c->count = over->count;
	if (over->for_each.root)
		c->for_each = over->for_each;
	c->body = body_merge(mg->a, BODY_OVERRIDE, c->body, over->body);
	if (over->providers.len) {
		c->providers = over->providers;
		c->providers_given = true;
	}
	refuse_depends_on(mg, &over->depends_on);
}

static const struct cfg_lifecycle *merge_lifecycle(
	struct arena *a, const struct cfg_lifecycle *first,
	const struct cfg_lifecycle *over)
{
	struct cfg_lifecycle *l = arena_dup(a, first, sizeof(*first));

	if (over->create_before_destroy.root) {
		l->create_before_destroy = over->create_before_destroy;
		l->create_before_destroy_value =
			over->create_before_destroy_value;
	}
	if (over->ignore_changes.len)
		l->ignore_changes = over->ignore_changes;
	if (over->ignore_all)
		l->ignore_all = true;
	if (over->prevent_destroy.root)
		l->prevent_destroy = over->prevent_destroy;
	if (over->destroy.root) {
		l->destroy = over->destroy;
		l->skip_destroy = over->skip_destroy;
		l->destroy_invalid = over->destroy_invalid;
	}
	if (!range_present(&l->at))
		l->at = over->at;
	return l;
}

static void merge_resource(struct merge *mg, struct cfg_resource *r,
			   const struct cfg_resource *over)
{
	if (over->count.root)
		r->count = over->count;
	if (over->for_each.root)
		r->for_each = over->for_each;
	if (over->provider_ref->given) {
		r->provider_ref = over->provider_ref;
		r->provider = module_provider(mg->m, r->provider_ref->name);
	}
	if (over->connection)
		r->connection = over->connection;
	if (over->provisioners.len)
		r->provisioners = over->provisioners;
	if (r->addr.mode == MODE_MANAGED)
		r->lifecycle =
			merge_lifecycle(mg->a, r->lifecycle, over->lifecycle);
	r->body = body_merge(mg->a, BODY_OVERRIDE, r->body, over->body);
	refuse_depends_on(mg, &over->depends_on);
}

static void merge_resources(struct merge *mg, struct decls *f)
{
	static const char *const summary[] = {
		[MODE_MANAGED] = "Missing resource to override",
		[MODE_DATA] = "Missing data resource to override",
		[MODE_EPHEMERAL] = "Missing ephemeral resource to override",
	};

	for (size_t i = 0; i < f->resources.len; i++) {
		struct cfg_resource *over = f->resources.items[i];
		struct cfg_resource *r = config_resource(mg->m, &over->addr);

		if (r)
			merge_resource(mg, r, over);
		else
			missing(mg, &over->at, summary[over->addr.mode],
				"resource",
				cfg_resource_key(mg->a, &over->addr));
	}
}

static void merge_values(struct merge *mg, struct decls *f)
{
	for (size_t i = 0; i < f->variables.len; i++) {
		struct cfg_variable *over = f->variables.items[i];
		struct cfg_variable *v = map_get(&mg->m->variables, over->name);

		if (v)
			merge_variable(mg, v, over);
		else
			missing(mg, &over->at,
				"Missing base variable declaration to override",
				"variable", over->name);
	}
	for (size_t i = 0; i < f->locals.len; i++) {
		struct cfg_local *over = f->locals.items[i];
		struct cfg_local *l = map_get(&mg->m->locals, over->name);

		if (l)
			*l = *over;
		else
			missing(mg, &over->at,
				"Missing base local value definition to override",
				"local value", over->name);
	}
	for (size_t i = 0; i < f->outputs.len; i++) {
		struct cfg_output *over = f->outputs.items[i];
		struct cfg_output *o = map_get(&mg->m->outputs, over->name);

		if (o)
			merge_output(mg, o, over);
		else
			missing(mg, &over->at,
				"Missing base output definition to override",
				"output", over->name);
	}
	for (size_t i = 0; i < f->calls.len; i++) {
		struct cfg_call *over = f->calls.items[i];
		struct cfg_call *c = map_get(&mg->m->calls, over->name);

		if (c)
			merge_call(mg, c, over);
		else
			missing(mg, &over->at,
				"Missing module call to override",
				"module call", over->name);
	}
}

static void merge_providers(struct merge *mg, struct decls *f)
{
	for (size_t i = 0; i < f->providers.len; i++) {
		struct cfg_provider *over = f->providers.items[i], *p;
		struct str key = over->name;

		if (over->alias.n)
			key = str_printf(mg->a, "%.*s.%.*s",
					 STR_ARG(over->name),
					 STR_ARG(over->alias));
		p = map_get(&mg->m->providers, key);
		if (p) {
			if (over->version.n)
				p->version = over->version;
			p->body = body_merge(mg->a, BODY_OVERRIDE, p->body,
					     over->body);
		} else if (over->alias.n) {
			missing(mg, &over->at,
				"Missing base provider configuration for override",
				"provider configuration", key);
		} else { /* it overrides the empty default */
			over->module = mg->m;
			over->provider = module_provider(mg->m, over->name);
			map_put(mg->a, &mg->m->providers, key, over);
		}
	}
}

static void merge_encryption(struct merge *mg, const struct block *e,
			     bool again)
{
	struct range at = block_range(e);
	struct cfg_module *m = mg->m;

	if (again) {
		diag_error(
			mg->ds, &at, "Duplicate encryption configuration",
			"An override file has at most one encryption block.");
	} else if (m->encryption) {
		m->encryption = body_merge(mg->a, BODY_OVERRIDE, m->encryption,
					   e->body);
	} else {
		m->encryption = e->body;
		m->encryption_at = at;
	}
}

static void merge_settings(struct merge *mg, struct decls *f)
{
	struct cfg_backend *seen[2] = { NULL, NULL };

	for (size_t i = 0; i < f->backends.len; i++) {
		struct cfg_backend *be = f->backends.items[i];

		if (seen[be->cloud]) {
			diag_error(
				mg->ds, &be->at,
				be->cloud ? "Duplicate cloud configurations"
					  : "Duplicate backend configuration",
				"An override file has at most one; the first is at %s.",
				range_text(mg->a, &seen[be->cloud]->at));
			continue;
		}
		seen[be->cloud] = be;
		mg->m->backend = be->cloud ? NULL : be;
		mg->m->cloud = be->cloud ? be : NULL;
	}
	for (size_t i = 0; i < f->encryptions.len; i++)
		merge_encryption(mg, &f->encryptions.items[i], i > 0);
}

static void refuse(struct merge *mg, const struct range *at,
		   const char *summary, const char *type)
{
	diag_error(mg->ds, at, summary,
		   "A %s block cannot stand in an override file.", type);
}

void override_module(struct cfg_module *m, struct decls *f, struct diags *ds)
{
	struct merge mg = { m, m->config->arena, ds };

	merge_settings(&mg, f);
	merge_providers(&mg, f);
	merge_values(&mg, f);
	merge_resources(&mg, f);
	for (size_t i = 0; i < f->moved.len; i++)
		refuse(&mg, &f->moved.items[i]->at,
		       "Cannot override 'moved' blocks", "moved");
	for (size_t i = 0; i < f->imports.len; i++)
		refuse(&mg, &f->imports.items[i]->at,
		       "Cannot override 'import' blocks", "import");
	for (size_t i = 0; i < f->removed.len; i++)
		refuse(&mg, &f->removed.items[i]->at,
		       "Cannot override 'Removed' blocks", "removed");
}
