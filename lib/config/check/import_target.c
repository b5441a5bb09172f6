/* import_target.c - what the import command can import into */
#include "config/check/refs.h"
#include "config/config.h"
#include "config/module.h"
#include "base/didyoumean.h"
#include "base/product.h"

static struct str near_module(struct arena *a, const struct config *c,
			      const struct instance_addr *addr)
{
	struct buf b = BUF_INIT;
	struct str path;

	module_addr_print_path(&b, addr->module);
	path = buf_dup(a, &b);
	buf_release(&b);
	return didyoumean_key(a, path, &c->modules);
}

int import_target_check(struct arena *a, const struct config *c,
			const struct instance_addr *addr, struct diags *ds)
{
	struct str text = instance_addr_text(a, addr);
	const struct resource_addr *r = &addr->resource;
	const struct cfg_module *m = config_module(c, addr->module);
	struct buf quoted = BUF_INIT;
	struct str near;

	if (r->mode != MODE_MANAGED)
		return diag_error(
			ds, NULL, "Invalid target resource address",
			"%.*s is no managed resource: only those can be imported into.",
			STR_ARG(text));
	if (!c->sources.by_name.len)
		return diag_error(
			ds, NULL,
			arena_printf(a, "No %s configuration files",
				     product_peer()),
			"The directory has no file that ends in .tf, .tofu, "
			".tf.json or .tofu.json. The option -config names "
			"another directory.");
	if (!m)
		return diag_error(
			ds, NULL, "Import to non-existent module",
			"The module of %.*s is not in the configuration. Add a call of it first.%.*s",
			STR_ARG(text), STR_ARG(near_module(a, c, addr)));
	if (config_resource(m, r))
		return 0;
	near = config_near_resource(a, m, r);
	addr_print_quoted(&quoted, text);
	text = buf_dup(a, &quoted);
	buf_release(&quoted);
	return diag_error(
		ds, NULL,
		arena_printf(
			a,
			"resource address %.*s does not exist in the configuration.",
			STR_ARG(text)),
		"Before importing this resource, write its "
		"configuration in %s.%.*s For example:\n\n"
		"resource \"%.*s\" \"%.*s\" {\n"
		"  # (resource arguments)\n}",
		addr->module.len ? "its module" : "the root module",
		STR_ARG(near), STR_ARG(r->type), STR_ARG(r->name));
}
