/* refs_objects.c - the references of each kind of object, and the arguments of
 * module calls; see refs.c */
#include "config/check/refs.h"
#include "addr/reference.h"
#include "config/check/check_int.h"
#include "config/module.h"
#include "lang/syntax/walk.h"

static void check_resource_block(struct refs_place *u,
				 const struct cfg_resource *r)
{
	const struct cfg_lifecycle *l = r->lifecycle;
	struct refs_place plain = *u, in = *u, key;

	plain.check = in.check = r->check;
	refs_check_expr(&plain, r->count);
	refs_check_expr(&plain, r->for_each);
	refs_check_expr(&plain, l->enabled);
	in.count = r->count.root != NULL;
	in.each = r->for_each.root != NULL;
	refs_check_body(&in, r->body);
	/* whether there is an each is asked when the instance is chosen */
	key = in;
	key.count = key.each = true;
	refs_check_expr(&key, r->provider_ref->key);
	config_refs_depends_on(&plain, &r->depends_on);
	refs_check_conditions(&in, &l->preconditions);
	in.self = true;
	refs_check_conditions(&in, &l->postconditions);
	refs_check_body(&in, r->connection);
	for (size_t i = 0; i < r->provisioners.len; i++) {
		refs_check_body(&in, r->provisioners.items[i].body);
		refs_check_body(&in, r->provisioners.items[i].connection);
	}
}

/* replace_triggered_by is about declared resources only. */
static void check_triggers(struct refs_place *u, const struct cfg_resource *r)
{
	const struct cfg_lifecycle *l = r->lifecycle;

	for (size_t i = 0; i < l->replace_triggered_by.len; i++) {
		struct diags ignored = DIAGS_INIT(u->scratch);
		struct expression e = l->replace_triggered_by.items[i];
		struct range at = expression_range(e);
		struct traversal_vec vars = { 0 };
		struct reference ref;

		arena_reset(u->scratch);
		expression_variables(u->scratch, e, &vars);
		for (size_t k = 0; k < vars.len; k++)
			if (!reference_parse(u->scratch, &vars.items[k], &ref,
					     &ignored) &&
			    ref.kind == REF_RESOURCE &&
			    !config_resource(u->m, &ref.resource))
				diag_error(
					u->ds, &at,
					"Undeclared resource in replace_triggered_by",
					"%.*s has no resource %.*s.%.*s.",
					STR_ARG(refs_module_text(u->m)),
					STR_ARG(ref.resource.type),
					STR_ARG(ref.resource.name));
	}
}

static void check_resources(struct refs_place *u, const struct map *of)
{
	for (size_t i = 0; i < of->len; i++) {
		check_resource_block(u, of->entries[i].value);
		check_triggers(u, of->entries[i].value);
	}
}

static void check_call(struct refs_place *u, const struct cfg_call *c)
{
	struct refs_place in = *u;

	refs_check_expr(u, c->count);
	refs_check_expr(u, c->for_each);
	refs_check_expr(u, c->enabled);
	config_refs_depends_on(u, &c->depends_on);
	/* Arguments are looked at per instance only when there are some. */
	in.count = in.each = true;
	refs_check_body(&in, c->body);
	for (size_t i = 0; i < c->providers.len; i++)
		refs_check_expr(&in, c->providers.items[i].parent.key);
}

/* A local value that names itself can have no value. */
int config_refs_local(const struct refs_place *u, const struct cfg_local *l)
{
	struct traversal_vec vars = { 0 };
	size_t errors = u->ds->errors;

	if (l->value.root->kind == EXPR_LITERAL)
		return 0;
	expression_variables(u->scratch, l->value, &vars);
	for (size_t i = 0; i < vars.len; i++) {
		struct diags ignored = DIAGS_INIT(u->scratch);
		struct reference ref;
		struct range at;

		if (reference_parse(u->scratch, &vars.items[i], &ref,
				    &ignored) ||
		    ref.kind != REF_LOCAL || !str_eq(ref.name, l->name))
			continue;
		at = source_range(ref.src, ref.span);
		diag_error(u->ds, &at, "Self-referencing local value",
			   "local.%.*s cannot be computed from itself.",
			   STR_ARG(l->name));
		u->ds->items[u->ds->len - 1].context =
			expression_range(l->value);
	}
	if (u->ds->errors == errors)
		config_refs_check(u, &vars);
	return u->ds->errors == errors ? 0 : -1;
}

static void check_values(struct refs_place *u)
{
	const struct cfg_module *m = u->m;

	for (size_t i = 0; i < m->variables.len; i++) {
		const struct cfg_variable *v = m->variables.entries[i].value;

		refs_check_conditions(u, &v->validations);
	}
	for (size_t i = 0; i < m->locals.len; i++) {
		arena_reset(u->scratch);
		config_refs_local(u, m->locals.entries[i].value);
	}
	for (size_t i = 0; i < m->outputs.len; i++) {
		const struct cfg_output *o = m->outputs.entries[i].value;

		refs_check_expr(u, o->value);
		config_refs_depends_on(u, &o->depends_on);
		refs_check_conditions(u, &o->preconditions);
	}
}

void refs_check_objects(const struct cfg_module *m, struct refs_place *u)
{
	check_values(u);
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *p = m->providers.entries[i].value;
		struct refs_place in = *u;

		in.each = p->for_each.root != NULL;
		in.count = p->count.root != NULL;
		refs_check_expr(u, p->for_each);
		refs_check_expr(u, p->count);
		refs_check_body(&in, p->body);
	}
	for (size_t i = 0; i < m->calls.len; i++)
		check_call(u, m->calls.entries[i].value);
	check_resources(u, &m->managed);
	check_resources(u, &m->data);
	check_resources(u, &m->ephemeral);
	for (size_t i = 0; i < m->checks.len; i++) {
		const struct cfg_check *c = m->checks.entries[i].value;
		struct refs_place in = *u;

		in.check = c;
		refs_check_conditions(&in, &c->asserts);
	}
	for (size_t i = 0; i < m->imports.len; i++) {
		const struct cfg_import *im = &m->imports.items[i];
		struct refs_place in = *u;

		in.each = im->for_each.root != NULL;
		refs_check_expr(u, im->for_each);
		refs_check_expr(&in, im->id);
		refs_check_expr(&in, im->identity);
	}
}

/* --- arguments of module calls --- */

/* Reports each error once: a call in a module that is itself called several
 * times is checked as often. */
static void say_once(struct diags *ds, struct map *said,
		     const struct diags *found)
{
	for (size_t i = 0; i < found->len; i++) {
		const struct diag *d = &found->items[i];
		struct str key =
			str_printf(ds->arena, "%.*s %u %.*s",
				   STR_ARG(d->subject.file),
				   d->subject.start.byte, STR_ARG(d->detail));

		if (map_has(said, key))
			continue;
		map_put(ds->arena, said, key, (void *)d);
		diags_push(ds, *d);
	}
}

int config_check_arguments(const struct config *c, struct diags *ds)
{
	static const struct block_schema no_blocks[] = { { NULL, { NULL } } };
	const size_t errors = ds->errors;
	struct map said = { 0 };

	for (size_t i = 1; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;
		struct attr_schema *attrs =
			ARENA_ARRAY(ds->arena, struct attr_schema,
				    m->variables.len + 1);
		const struct body_schema schema = { attrs, no_blocks };
		struct diags found = DIAGS_INIT(ds->arena);
		struct body_content content;

		for (size_t k = 0; k < m->variables.len; k++) {
			const struct cfg_variable *v =
				m->variables.entries[k].value;

			attrs[k].name =
				arena_strndup(ds->arena, v->name.p, v->name.n);
			attrs[k].required = !v->default_value.root;
		}
		body_content(ds->arena, m->call->body, &schema, &content,
			     &found);
		say_once(ds, &said, &found);
	}
	return ds->errors == errors ? 0 : -1;
}
