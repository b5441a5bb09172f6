/* edit_instances.c - finding, forgetting and tainting instances; see edit.h */
#include <stdlib.h>

#include "state/edit/edit.h"
#include "addr/provider.h"
#include "addr/target.h"
#include "addr/walk.h"
#include "base/didyoumean.h"
#include "json/read.h"

struct str state_ref_text(struct arena *a, const struct state_ref *ref)
{
	struct instance_addr addr = { ref->r->module, ref->r->addr, ref->key };

	return instance_addr_text(a, &addr);
}

int state_target_parse(struct arena *a, struct str text, struct target *out,
		       struct diags *ds)
{
	struct traversal_ref t;
	const size_t from = ds->len;

	if (!addr_traversal(a, text, "", &t, ds) &&
	    !target_from_traversal(a, &t, out, ds))
		return 0;
	addr_told(ds, from, text);
	return -1;
}

/* Each key once, whether it has a current object or deposed ones only. */
static void add_resource(struct arena *a, struct state_resource *r,
			 const struct target *t, struct state_ref_vec *out)
{
	struct arena scratch = ARENA_INIT;
	struct state_instance **is = state_instances_sorted(&scratch, r);

	for (size_t n = 0; n < r->instances.len; n++) {
		struct instance_addr addr = { r->module, r->addr, is[n]->key };
		struct state_ref ref = { r, is[n]->key };

		if (n && inst_key_equal(is[n]->key, is[n - 1]->key))
			continue;
		if (!t || target_contains(t, &addr))
			vec_push(a, out, ref);
	}
	arena_release(&scratch);
}

static int ref_cmp(const void *x, const void *y)
{
	const struct state_ref *a = x, *b = y;
	struct instance_addr i = { a->r->module, a->r->addr, a->key };
	struct instance_addr j = { b->r->module, b->r->addr, b->key };

	return instance_addr_cmp(&i, &j);
}

static void sort_from(struct state_ref_vec *v, size_t first)
{
	if (v->len > first)
		qsort(v->items + first, v->len - first, sizeof(*v->items),
		      ref_cmp);
}

void state_all(struct arena *a, const struct state *s,
	       struct state_ref_vec *out)
{
	size_t first = out->len;

	for (size_t n = 0; n < s->resources.len; n++)
		add_resource(a, s->resources.items[n], NULL, out);
	sort_from(out, first);
}

struct str state_hint(struct arena *a, const struct state *s, struct str given)
{
	struct state_ref_vec refs = { 0 };
	struct str_vec names = { 0 };

	for (size_t n = 0; n < s->resources.len; n++)
		vec_push(a, &names,
			 module_addr_text(a, s->resources.items[n]->module));
	state_all(a, s, &refs);
	for (size_t i = 0; i < refs.len; i++)
		vec_push(a, &names, state_ref_text(a, &refs.items[i]));
	return didyoumean_hint(a, given, names.items, names.len);
}

static int not_found(const struct state *s, const struct target *t,
		     struct str text, struct diags *ds)
{
	static const char *const kinds[] = { "module", "resource",
					     "resource instance" };
	static const char *const summaries[] = { "Unknown module",
						 "Unknown resource",
						 "Unknown resource instance" };

	return diag_error(ds, NULL, summaries[t->kind],
			  "The state holds no %s %.*s.%.*s What was only just "
			  "written into the configuration appears in the state "
			  "with the next apply.",
			  kinds[t->kind], STR_ARG(text),
			  STR_ARG(state_hint(ds->arena, s, text)));
}

/* A module counts as known when it, or one below it, has a resource. */
static bool module_known(const struct state *s, const struct target *t)
{
	for (size_t n = 0; n < s->resources.len; n++) {
		const struct state_resource *r = s->resources.items[n];
		struct instance_addr addr = { r->module, r->addr, KEY_ABSENT };

		if (target_contains(t, &addr))
			return true;
	}
	return false;
}

int state_lookup(struct arena *a, const struct state *s, struct str text,
		 bool missing_ok, struct state_ref_vec *out, struct diags *ds)
{
	struct state_resource *r;
	size_t first = out->len;
	struct target t;
	bool known;

	if (state_target_parse(a, text, &t, ds))
		return -1;
	if (t.kind == TARGET_MODULE) {
		known = module_known(s, &t);
		for (size_t n = 0; n < s->resources.len; n++)
			add_resource(a, s->resources.items[n], &t, out);
	} else {
		r = state_resource(s, t.addr.module, &t.addr.resource);
		known = r != NULL;
		if (r)
			add_resource(a, r,
				     t.kind == TARGET_INSTANCE ? &t : NULL,
				     out);
		if (t.kind == TARGET_INSTANCE)
			known = out->len != first;
	}
	sort_from(out, first);
	return known || missing_ok ? 0 : not_found(s, &t, text, ds);
}

struct str state_object_id(struct arena *a, const struct state_instance *i)
{
	struct str text, name, id = STR_NONE;
	struct json_scan sc;
	bool first = true;

	if (!i)
		return STR("<not created>");
	text = i->attributes.n ? i->attributes : i->attributes_flat;
	sc = json_scan_start(a, text);
	if (json_scan_open(&sc, '{'))
		return STR("<none>");
	while (json_scan_member(&sc, &first, &name) == 1) {
		if (str_is(name, "id") && json_scan_peek(&sc) == '"') {
			if (json_scan_string(&sc, &id))
				break;
		} else if (json_scan_value(&sc, NULL)) {
			break;
		}
	}
	return id;
}

void state_forget(struct state *s, const struct state_ref *ref)
{
	struct state_resource *r = ref->r;

	for (size_t n = r->instances.len; n-- > 0;) {
		struct state_instance *i = r->instances.items[n];

		if (inst_key_equal(i->key, ref->key))
			state_remove(s, r, i->key, i->deposed);
	}
	if (!r->instances.len)
		state_drop_resource(s, r);
}

void state_of_provider(struct arena *a, const struct state *s,
		       struct provider_addr p, struct state_resource_vec *out)
{
	struct state_resource **rs = state_resources_sorted(a, s);

	for (size_t n = 0; n < s->resources.len; n++)
		if (provider_addr_equal(rs[n]->provider.provider, p))
			vec_push(a, out, rs[n]);
}

static int no_such_instance(struct str address, const char *why,
			    struct diags *ds)
{
	return diag_error(ds, NULL, "No such resource instance", "%.*s %s",
			  STR_ARG(address), why);
}

static bool has_deposed(const struct state_resource *r, struct inst_key key)
{
	for (size_t n = 0; n < r->instances.len; n++)
		if (inst_key_equal(r->instances.items[n]->key, key))
			return true;
	return false;
}

static int missing(const struct state *s, const struct state_resource *r,
		   struct inst_key key, struct str address, bool missing_ok,
		   struct diags *ds)
{
	if (r && has_deposed(r, key))
		return no_such_instance(address,
					"has deposed objects only: a "
					"create_before_destroy replacement was "
					"interrupted, and the next apply will "
					"complete it.",
					ds);
	if (missing_ok) {
		diag_warning(
			ds, NULL, "No such resource instance",
			"%.*s was not found, which -allow-missing makes no error.",
			STR_ARG(address));
		return 1;
	}
	if (state_is_empty(s))
		return no_such_instance(address,
					"is not in the state, which "
					"is empty: nothing was applied yet, or "
					"all was destroyed.",
					ds);
	return no_such_instance(
		address,
		arena_printf(ds->arena,
			     "is not in the state.%.*s If it was only just "
			     "added to the configuration, apply that first.",
			     STR_ARG(state_hint(ds->arena, s, address))),
		ds);
}

int state_taint(struct state *s, struct str address, bool tainted,
		bool missing_ok, struct diags *ds)
{
	struct instance_addr addr;
	struct state_resource *r;
	struct state_instance *i;
	const size_t from = ds->len;

	if (instance_addr_parse(s->arena, address, &addr, ds)) {
		addr_told(ds, from, address);
		return -1;
	}
	if (tainted && addr.resource.mode != MODE_MANAGED)
		return diag_error(
			ds, NULL, "Invalid resource address",
			"Only managed resources can be tainted; %.*s is none.",
			STR_ARG(address));
	r = state_resource(s, addr.module, &addr.resource);
	i = r ? state_instance(r, addr.key) : NULL;
	if (!i)
		return missing(s, r, addr.key, address, missing_ok, ds);
	if (!tainted && !i->tainted)
		return diag_error(
			ds, NULL, "Resource instance is not tainted",
			"%.*s is not tainted, so there is nothing to take back.",
			STR_ARG(address));
	i->tainted = tainted;
	return 0;
}
