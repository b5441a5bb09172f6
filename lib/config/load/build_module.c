/*
 * build_module.c - what the files of one module declare, put together
 *
 * Of two declarations of the same thing the later is an error; in most cases
 * it still wins, so that what refers to it is checked against something.
 */
#include "config/load/load_int.h"
#include "addr/provider.h"
#include "config/decode/decode_int.h"
#include "config/module.h"
#include "config/module_int.h"

/* --- one file's declarations --- */

struct build {
	struct cfg_module *m;
	struct arena *a;
	struct diags *ds;
};

/* Reports a second declaration; `format` says what the thing is. */
static void duplicate(struct build *b, const struct range *at,
		      const char *summary, const char *what, struct str name,
		      const struct range *first)
{
	diag_error(b->ds, at, summary,
		   "%s \"%.*s\" was declared at %s already; its name must be "
		   "unique in the module.",
		   what, STR_ARG(name), range_text(b->a, first));
}

static void add_values(struct build *b, struct decls *f)
{
	for (size_t i = 0; i < f->variables.len; i++) {
		struct cfg_variable *v = f->variables.items[i];
		struct cfg_variable *old =
			map_put(b->a, &b->m->variables, v->name, v);

		if (old)
			duplicate(b, &v->at, "Duplicate variable declaration",
				  "A variable", v->name, &old->at);
	}
	for (size_t i = 0; i < f->locals.len; i++) {
		struct cfg_local *l = f->locals.items[i];
		struct cfg_local *old =
			map_put(b->a, &b->m->locals, l->name, l);

		if (old)
			duplicate(b, &l->at, "Duplicate local value definition",
				  "A local value", l->name, &old->at);
	}
}

static void add_results(struct build *b, struct decls *f)
{
	for (size_t i = 0; i < f->outputs.len; i++) {
		struct cfg_output *o = f->outputs.items[i];
		struct cfg_output *old =
			map_put(b->a, &b->m->outputs, o->name, o);

		if (old)
			duplicate(b, &o->at, "Duplicate output definition",
				  "An output", o->name, &old->at);
	}
	for (size_t i = 0; i < f->calls.len; i++) {
		struct cfg_call *c = f->calls.items[i];
		struct cfg_call *old = map_put(b->a, &b->m->calls, c->name, c);

		c->module = b->m;
		if (old)
			duplicate(b, &c->at, "Duplicate module call",
				  "A module call", c->name, &old->at);
	}
}

static void resolve_resource(struct cfg_resource *r)
{
	struct str name = r->provider_ref->given
				  ? r->provider_ref->name
				  : addr_implied_provider(r->addr.type);
	struct str normal;

	if (!provider_part_check(r->module->config->arena, name, &normal))
		r->provider =
			module_provider(r->module,
					r->provider_ref->given ? name : normal);
}

static bool add_resource(struct build *b, struct cfg_resource *r)
{
	static const char *const kind[] = { [MODE_MANAGED] = "resource",
					    [MODE_DATA] = "data",
					    [MODE_EPHEMERAL] =
						    "ephemeral resource" };
	struct map_entry *e =
		map_slot(b->a, module_resources(b->m, r->addr.mode),
			 cfg_resource_map_key(b->a, &r->addr));
	struct cfg_resource *old = e->value;

	if (old) {
		duplicate(b, &r->at,
			  arena_printf(b->a,
				       "Duplicate %s \"%.*s\" configuration",
				       kind[r->addr.mode],
				       STR_ARG(r->addr.type)),
			  "A resource", cfg_resource_key(b->a, &r->addr),
			  &old->at);
		return false;
	}
	e->value = r;
	r->module = b->m;
	resolve_resource(r);
	return true;
}

static void add_check(struct build *b, struct cfg_check *c)
{
	struct map_entry *e;

	c->module = b->m;
	if (c->data && !add_resource(b, c->data))
		return;
	e = map_slot(b->a, &b->m->checks, c->name);
	if (e->value) {
		struct cfg_check *old = e->value;

		duplicate(b, &c->at,
			  arena_printf(b->a,
				       "Duplicate check \"%.*s\" configuration",
				       STR_ARG(c->name)),
			  "A check block", c->name, &old->at);
		return;
	}
	e->value = c;
}

static void add_provider(struct build *b, struct cfg_provider *p)
{
	struct str key = p->name;
	struct map_entry *e;

	if (p->alias.n)
		key = str_printf(b->a, "%.*s.%.*s", STR_ARG(p->name),
				 STR_ARG(p->alias));
	e = map_slot(b->a, &b->m->providers, key);
	p->module = b->m;
	if (e->value) {
		struct cfg_provider *old = e->value;

		duplicate(b, &p->at, "Duplicate provider configuration",
			  "A provider configuration", key, &old->at);
		return;
	}
	p->provider = module_provider(b->m, p->name);
	e->value = p;
}

static void add_settings(struct build *b, struct decls *f)
{
	struct cfg_module *m = b->m;

	for (size_t i = 0; i < f->backends.len; i++) {
		struct cfg_backend *be = f->backends.items[i];
		struct cfg_backend **slot = be->cloud ? &m->cloud : &m->backend;

		if (!*slot)
			*slot = be;
		else
			diag_error(
				b->ds, &be->at,
				be->cloud ? "Duplicate cloud configurations"
					  : "Duplicate backend configuration",
				"A module has at most one; the first is at %s.",
				range_text(b->a, &(*slot)->at));
	}
	if (m->backend && m->cloud)
		diag_error(
			b->ds, &m->backend->at,
			"Both a backend and a cloud configuration are present",
			"A module declares a backend or a cloud block (here at %s), not both.",
			range_text(b->a, &m->cloud->at));
	for (size_t i = 0; i < f->providers.len; i++)
		add_provider(b, f->providers.items[i]);
	for (size_t i = 0; i < f->encryptions.len; i++) {
		struct block *e = &f->encryptions.items[i];
		struct range at = block_range(e);

		if (m->encryption) {
			diag_error(
				b->ds, &at,
				"Duplicate encryption configuration",
				"A module has at most one; the first is at %s.",
				range_text(b->a, &m->encryption_at));
			continue;
		}
		m->encryption = e->body;
		m->encryption_at = at;
	}
	for (size_t i = 0; i < f->required_versions.len; i++)
		vec_push(b->a, &m->required_versions,
			 f->required_versions.items[i]);
}

static void add_provider_metas(struct build *b, struct decls *f)
{
	for (size_t i = 0; i < f->provider_metas.len; i++) {
		struct cfg_provider_meta *pm = f->provider_metas.items[i];
		struct cfg_provider_meta *old;
		struct str key;

		pm->provider = module_provider(b->m, pm->name);
		key = provider_addr_text(b->a, pm->provider);
		old = map_put(b->a, &b->m->provider_meta, key, pm);
		if (old)
			duplicate(b, &pm->at, "Duplicate provider_meta block",
				  "A provider_meta block for", pm->name,
				  &old->at);
	}
}

/* Two import blocks that name the same instance. */
static void check_import(struct build *b, struct cfg_import *im,
			 struct map *seen)
{
	struct buf quoted = BUF_INIT;
	struct str key;
	struct cfg_import *old;

	if (!im->to_is_static)
		return;
	key = instance_addr_text(b->a, &im->static_to);
	old = map_get(seen, key);
	if (!old) {
		map_put(b->a, seen, key, im);
		return;
	}
	addr_print_quoted(&quoted, key);
	diag_error(b->ds, &im->at,
		   arena_printf(b->a, "Duplicate import configuration for %.*s",
				STR_ARG(buf_view(&quoted))),
		   "There is an import block for %.*s at %s already.",
		   STR_ARG(key), range_text(b->a, &old->at));
	buf_release(&quoted);
}

/* An import into a resource of the configuration must repeat the resource's
 * `provider` argument or have none. */
static void check_import_provider(struct build *b, const struct cfg_import *im)
{
	const struct cfg_provider_ref *ref = im->provider_ref, *own;
	const struct cfg_resource *r;

	if (!ref->given || im->static_to.module.len)
		return;
	r = config_resource(b->m, &im->static_to.resource);
	if (!r)
		return;
	own = r->provider_ref;
	if (!own->given || !str_eq(own->name, ref->name) ||
	    !str_eq(own->alias, ref->alias))
		diag_error(b->ds, &im->provider_at,
			   "Invalid import provider argument",
			   "The resource that is imported to has %s "
			   "\"provider\": the two must say the same, or the "
			   "import block nothing.",
			   own->given ? "another" : "no");
}

static void add_import(struct build *b, struct cfg_import *im, struct map *seen)
{
	struct str name =
		im->provider_ref->given
			? im->provider_ref->name
			: addr_implied_provider(im->static_to.resource.type);
	struct str normal;

	check_import(b, im, seen);
	im->module = b->m;
	if (!provider_part_check(b->a, name, &normal))
		im->provider = module_provider(b->m, normal);
	vec_push(b->a, &b->m->imports, *im);
}

static void add_file(struct build *b, struct decls *f, struct map *imports)
{
	add_settings(b, f);
	add_provider_metas(b, f);
	add_values(b, f);
	add_results(b, f);
	for (size_t i = 0; i < f->resources.len; i++)
		add_resource(b, f->resources.items[i]);
	for (size_t i = 0; i < f->checks.len; i++)
		add_check(b, f->checks.items[i]);
	for (size_t i = 0; i < f->moved.len; i++) {
		f->moved.items[i]->module = b->m;
		vec_push(b->a, &b->m->moved, *f->moved.items[i]);
	}
	for (size_t i = 0; i < f->imports.len; i++)
		add_import(b, f->imports.items[i], imports);
	for (size_t i = 0; i < f->removed.len; i++) {
		f->removed.items[i]->module = b->m;
		vec_push(b->a, &b->m->removed, *f->removed.items[i]);
	}
}

/* Requirements come first: everything else resolves its provider by them. */
static void add_required(struct build *b, struct decls *f, bool override)
{
	for (size_t i = 0; i < f->required_blocks.len; i++) {
		struct cfg_required_block *r = f->required_blocks.items[i];

		if (!override && range_present(&b->m->required_providers_at)) {
			diag_error(
				b->ds, &r->at,
				"Duplicate required providers configuration",
				"A module has at most one required_providers block; the first is at %s.",
				range_text(b->a, &b->m->required_providers_at));
			continue;
		}
		if (!override)
			b->m->required_providers_at = r->at;
		for (size_t k = 0; k < r->items.len; k++)
			map_put(b->a, &b->m->required_providers,
				r->items.items[k]->name, r->items.items[k]);
	}
}

void decls_early(struct arena *a, const struct decls *from, bool backend,
		 struct decls *out)
{
	*out = (struct decls){ 0 };
	for (size_t i = 0; i < from->variables.len; i++)
		vec_push(a, &out->variables,
			 arena_dup(a, from->variables.items[i],
				   sizeof(struct cfg_variable)));
	for (size_t i = 0; i < from->locals.len; i++)
		vec_push(a, &out->locals,
			 arena_dup(a, from->locals.items[i],
				   sizeof(struct cfg_local)));
	for (size_t i = 0; backend && i < from->backends.len; i++)
		vec_push(a, &out->backends, from->backends.items[i]);
	for (size_t i = 0; !backend && i < from->encryptions.len; i++)
		vec_push(a, &out->encryptions, from->encryptions.items[i]);
}

void build_module(struct cfg_module *m, struct decls *primary, size_t nprimary,
		  struct decls *override, size_t noverride, struct diags *ds)
{
	struct build b = { m, m->config->arena, ds };
	struct map imports = { 0 };

	for (size_t i = 0; i < nprimary; i++)
		add_required(&b, &primary[i], false);
	for (size_t i = 0; i < noverride; i++)
		add_required(&b, &override[i], true);
	for (size_t i = 0; i < nprimary; i++)
		add_file(&b, &primary[i], &imports);
	for (size_t i = 0; i < noverride; i++)
		override_module(m, &override[i], ds);
	for (size_t i = 0; i < m->imports.len; i++)
		check_import_provider(&b, &m->imports.items[i]);
}
