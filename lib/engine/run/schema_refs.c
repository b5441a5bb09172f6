/* schema_refs.c - see values.h */
#include "engine/run/values.h"
#include "addr/reference.h"
#include "config/module.h"
#include "base/didyoumean.h"
#include "engine/run/providers.h"
#include "lang/eval/eval.h"

static int at_step(const struct source *src, const struct step *s,
		   struct diags *ds, const char *summary, const char *detail)
{
	struct range at = source_range(src, s->span);

	return diag_error(ds, &at, summary, "%s", detail);
}

static int no_such_name(const struct schema_block *b, const struct source *src,
			const struct step *s, struct diags *ds)
{
	struct range at = source_range(src, s->span);
	size_t n = b->nattrs + b->nblocks;
	struct str *names = ARENA_ARRAY(ds->arena, struct str, n);
	struct str near;

	for (size_t i = 0; i < b->nattrs; i++)
		names[i] = b->attrs[i].name;
	for (size_t i = 0; i < b->nblocks; i++)
		names[b->nattrs + i] = b->blocks[i].type_name;
	near = didyoumean(s->name, names, n);
	return diag_error(ds, &at, "Unsupported attribute",
			  "There is no argument, nested block or exported "
			  "attribute named \"%.*s\".%s%.*s%s",
			  STR_ARG(s->name), near.n ? " Did you mean \"" : "",
			  STR_ARG(near), near.n ? "\"?" : "");
}

/* The steps into an attribute, along its type. */
static int check_in_type(const struct type *t, const struct source *src,
			 const struct step *steps, size_t n, struct diags *ds)
{
	const struct value *v = value_unknown(ds->arena, t);
	const size_t errors = ds->errors;

	for (size_t i = 0; i < n && ds->errors == errors; i++) {
		struct range at = source_range(src, steps[i].span);

		v = steps[i].kind == STEP_ATTR
			    ? eval_get_attr(ds->arena, v, steps[i].name, &at,
					    ds)
			    : eval_get_index(ds->arena, v, steps[i].key, &at,
					     ds);
	}
	return ds->errors == errors ? 0 : -1;
}

static int check_in_nested(const struct schema_nested *b,
			   const struct source *src, const struct step *steps,
			   size_t n, struct diags *ds)
{
	if (nesting_single(b->nesting))
		return schema_check_steps(b->block, src, steps, n, ds);
	if (!n)
		return 0;
	if (b->nesting == NESTING_SET)
		return at_step(src, steps, ds, "Cannot index a set value",
			       "The blocks form a set, whose elements have no "
			       "keys. Use a for expression to find one.");
	if (b->nesting == NESTING_LIST && steps[0].kind != STEP_INDEX)
		return at_step(
			src, steps, ds, "Invalid operation",
			"The blocks form a list: name one of them by its number.");
	return schema_check_steps(b->block, src, steps + 1, n - 1, ds);
}

int schema_check_steps(const struct schema_block *b, const struct source *src,
		       const struct step *steps, size_t n, struct diags *ds)
{
	const struct schema_attr *a;
	const struct schema_nested *k;

	if (!n)
		return 0;
	if (steps[0].kind != STEP_ATTR)
		return at_step(
			src, steps, ds, "Invalid index operation",
			"Only attributes can be accessed here, with the dot operator.");
	a = schema_attr_find(b, steps[0].name);
	if (a)
		return check_in_type(a->type, src, steps + 1, n - 1, ds);
	k = schema_nested_find(b, steps[0].name);
	if (k)
		return check_in_nested(k, src, steps + 1, n - 1, ds);
	return no_such_name(b, src, steps, ds);
}

const struct schema_attr *schema_attr_at(const struct schema_block *b,
					 const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct schema_nested *k;

		if (steps[i].kind != STEP_ATTR)
			continue;
		k = schema_nested_find(b, steps[i].name);
		if (!k)
			return schema_attr_find(b, steps[i].name);
		b = k->block;
	}
	return NULL;
}

int schema_check_reference(struct run_module *m, const struct reference *r,
			   struct diags *ds)
{
	const struct resource_schema *s;
	struct cfg_resource *c;

	if (r->kind != REF_RESOURCE || !r->nrest)
		return 0;
	c = config_resource(m->config, &r->resource);
	if (!c)
		return 0;
	/* A type without a schema is reported where it is declared. */
	s = run_resource_schema(m->run, c->provider, &c->addr, NULL);
	if (!s)
		return 0;
	/* a.b["key"] of a single resource reads as an instance. */
	return schema_check_steps(s->block, r->src, r->rest, r->nrest, ds);
}

static int check_one(struct arena *a, struct run_module *m,
		     const struct traversal_ref *t, struct diags *ds)
{
	struct diags ignored = DIAGS_INIT(a);
	struct reference r;

	return reference_parse(a, t, &r, &ignored)
		       ? 0
		       : schema_check_reference(m, &r, ds);
}

int schema_check_references(struct arena *a, struct run_module *m,
			    const struct traversal_vec *v, struct diags *ds)
{
	int rc = 0;

	for (size_t i = 0; i < v->len; i++)
		rc |= check_one(a, m, &v->items[i], ds);
	return rc;
}
