/* missing.c - see eval_steps.h */
#include "config/load/load.h"
#include "engine/stage/eval_steps.h"
#include "state/backend/backend_config.h"

void missing_inputs(const struct cfg_module *root, const struct inputs *in,
		    struct arena *a, struct str_vec *out)
{
	const struct map *vars = &root->variables;

	for (size_t i = 0; i < vars->len; i++) {
		const struct cfg_variable *v = vars->entries[i].value;

		if (!v->default_value.root && !map_has(&in->by_name, v->name))
			vec_push(a, out, v->name);
	}
}

static bool is_listed(const struct str_vec *names, struct str name)
{
	for (size_t i = 0; i < names->len; i++)
		if (str_eq(names->items[i], name))
			return true;
	return false;
}

static void add_constants(struct arena *a, const struct cfg_module *root,
			  const struct map *given, struct str_vec *out)
{
	for (size_t i = 0; i < root->variables.len; i++) {
		const struct cfg_variable *v = root->variables.entries[i].value;

		if (v->constant && !v->default_value.root &&
		    !map_has(given, v->name) && !is_listed(out, v->name))
			vec_push(a, out, v->name);
	}
}

void missing_early(struct arena *a, const struct config_options *o,
		   bool backend, struct str_vec *out)
{
	struct diags unused = DIAGS_INIT(a);
	struct config_options root_alone = *o;
	struct backend_settings settings;
	static const struct str_vec none = { NULL, 0, 0 };
	const struct cfg_module *root;
	struct config *c;

	root_alone.root_only = true;
	c = config_load(a, &root_alone, &unused);
	root = c->root;
	if (backend)
		backend_wanted(a, c, &root_alone, &none, &settings, &unused);
	*out = c->early_missing;
	add_constants(a, root, o->variables, out);
}
