/*
 * import_addr.c - the static part of an import block's `to`
 *
 * module.a[expr].aws_vpc.m[expr]: names are fixed, only index keys may be
 * expressions, so the resource is known before anything is evaluated.
 */
#include "graph/plan_graph.h"
#include "lang/eval/eval.h"
#include "value/number.h"

enum { IMPORT_MAX_STEPS = 200 };

struct names {
	struct str items[IMPORT_MAX_STEPS];
	size_t n;
	bool overflow;
	struct inst_key key; /* written behind the last name */
};

static void add_name(struct names *ns, struct str name)
{
	if (ns->n == IMPORT_MAX_STEPS)
		ns->overflow = true;
	else
		ns->items[ns->n++] = name;
	ns->key = KEY_ABSENT;
}

static void add_key(struct names *ns, const struct value *key)
{
	if (key->type == &type_string)
		ns->key = (struct inst_key){ KEY_STRING, 0, key->string };
	else if (value_get_int(key, &ns->key.i))
		ns->key.kind = KEY_INT;
}

static void add_steps(struct names *ns, const struct traversal *t)
{
	if (t->root.n)
		add_name(ns, t->root);
	for (size_t i = 0; i < t->nsteps; i++)
		if (t->steps[i].kind == STEP_ATTR)
			add_name(ns, t->steps[i].name);
		else if (t->steps[i].kind == STEP_INDEX)
			add_key(ns, t->steps[i].key);
}

/* The names of the chain of accesses, outermost first; keys go to *keys. */
static int collect(struct arena *a, struct expression to, struct names *ns,
		   struct expr_vec *keys)
{
	const struct expr *chain[IMPORT_MAX_STEPS];
	const struct expr *e = to.root;
	struct traversal_ref t;
	struct diags ignored = DIAGS_INIT(a);
	size_t n = 0;

	if (e->kind == EXPR_JSON) {
		if (expression_traversal(a, to, &t, &ignored))
			return -1;
		add_steps(ns, &t.traversal);
		return 0;
	}
	while (e->kind == EXPR_INDEX || e->kind == EXPR_GET_ATTR) {
		if (n == IMPORT_MAX_STEPS)
			return -1;
		chain[n++] = e;
		e = e->get.on;
	}
	if (e->kind != EXPR_SCOPE)
		return -1;
	add_steps(ns, &e->scope);
	while (n--) {
		e = chain[n];
		if (e->kind == EXPR_GET_ATTR && e->get.step.kind == STEP_ATTR)
			add_name(ns, e->get.step.name);
		else if (e->kind == EXPR_INDEX)
			vec_push(a, keys, e->get.key);
	}
	return 0;
}

int import_static_address(struct arena *a, const struct cfg_import *im,
			  struct instance_addr *out, struct expr_vec *keys)
{
	struct names ns = { .n = 0 };
	VEC(struct module_step) steps = { 0 };
	size_t i = 0;

	memset(out, 0, sizeof(*out));
	if (!im->to.root || collect(a, im->to, &ns, keys) || ns.overflow)
		return -1;
	while (i + 1 < ns.n && str_is(ns.items[i], "module")) {
		struct module_step s = { ns.items[i + 1], KEY_ABSENT };

		vec_push(a, &steps, s);
		i += 2;
	}
	if (i < ns.n && str_is(ns.items[i], "data")) {
		out->resource.mode = MODE_DATA;
		i++;
	} else if (i < ns.n && str_is(ns.items[i], "ephemeral")) {
		out->resource.mode = MODE_EPHEMERAL;
		i++;
	} else if (i < ns.n && str_is(ns.items[i], "resource")) {
		i++;
	}
	if (i + 2 != ns.n)
		return -1;
	out->resource.type = ns.items[i];
	out->resource.name = ns.items[i + 1];
	out->module = (struct module_addr){ steps.items, steps.len };
	out->key = ns.key;
	return 0;
}

/* --- by resource --- */

static void resource_key(struct buf *b, struct module_addr m,
			 struct resource_addr r)
{
	module_addr_print_path(b, m);
	buf_putc(b, ' ');
	resource_addr_print(b, r);
}

struct map imports_by_resource(struct arena *a, const struct config *c)
{
	struct map all = { 0 };
	struct buf key = BUF_INIT;

	for (size_t i = 0; i < c->root->imports.len; i++) {
		const struct cfg_import *im = &c->root->imports.items[i];
		struct expr_vec keys = { 0 };
		struct import_vec *v;
		struct instance_addr to;

		if (import_static_address(a, im, &to, &keys))
			continue;
		buf_set_len(&key, 0);
		resource_key(&key, to.module, to.resource);
		v = map_get(&all, buf_view(&key));
		if (!v) {
			v = ARENA_NEW(a, struct import_vec);
			map_put(a, &all, buf_dup(a, &key), v);
		}
		vec_push(a, v, im);
	}
	buf_release(&key);
	return all;
}

const struct import_vec *imports_of(const struct map *m,
				    const struct cfg_resource *c)
{
	const struct import_vec *found;
	struct buf key = BUF_INIT;

	if (!m->len || c->addr.mode != MODE_MANAGED)
		return NULL;
	buf_addf(&key, "%.*s ", STR_ARG(c->module->path));
	resource_addr_print(&key, c->addr);
	found = map_get(m, buf_view(&key));
	buf_release(&key);
	return found;
}
