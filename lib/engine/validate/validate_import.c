/* validate_import.c - the validate walk at import blocks */
#include "engine/run/imports.h"
#include "engine/validate/validate_int.h"
#include "graph/plan_graph.h"

struct import_check {
	const struct cfg_resource *config;
	const struct resource_schema *schema;
};

static void check_one(struct import_eval *x, void *data)
{
	const struct import_check *t = data;
	const struct value *identity;
	struct str id;

	if (x->im->id.root)
		import_eval_id(x, &id);
	else
		import_eval_identity(x, t->config->addr.type, t->schema,
				     &identity);
}

void validate_imports(struct visit *x, const struct cfg_resource *c,
		      const struct resource_schema *schema)
{
	struct arena *a = x->w.a;
	const struct import_vec *all = imports_of(&x->v->pg->imports, c);
	struct import_check t = { c, schema };
	struct import_eval e = {
		.arena = a,
		.run = x->v->run,
		.checking = true,
		.ds = &x->w.ds,
		.each = check_one,
		.data = &t,
	};

	for (size_t i = 0; all && i < all->len; i++) {
		e.im = all->items[i];
		import_eval_each(&e);
	}
}
