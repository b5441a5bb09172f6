/*
 * relevant.c - which attributes contributed to the planned changes
 *
 * From the configuration of everything that changes, references are followed
 * backwards through variables, locals, outputs and resources' arguments.  Those
 * that end at a resource are the relevant attributes; drift of anything else
 * need not be shown.  Each reference is looked at once for each module
 * instance.
 */
#include <stdlib.h>

#include "engine/plan/plan_int.h"
#include "addr/reference.h"
#include "config/module.h"
#include "json/write.h"
#include "lang/spec/decode.h"
#include "lang/syntax/walk.h"
#include "value/codec_json.h"
#include "engine/run/providers.h"
#include "value/convert.h"

/* --- which part of a configuration a reference leads to --- */

/* The schema of the resource's body, or NULL. */
static const struct schema_block *relevant_schema(struct relevant *x,
						  const struct cfg_resource *c)
{
	const struct resource_schema *s =
		run_resource_schema(x->p->run, c->provider, &c->addr, NULL);

	return s ? s->block : NULL;
}

static void relevant_expression(struct relevant *x, struct relevant_module *m,
				const struct cfg_resource *in,
				struct expression e);

struct body_vec VEC_OF(const struct body *);

/* The progress of a traversal into a resource's configuration. */
struct stepping {
	struct relevant *x;
	struct relevant_module *m;
	const struct cfg_resource *c;
	const struct schema_block *schema; /* of the bodies; NULL: the end */
	struct body_vec bodies;
};

static void step_to_attr(struct stepping *s, const char *name)
{
	const struct attr_schema attrs[] = { { name, false }, { 0 } };
	const struct block_schema none[] = { { 0 } };
	const struct body_schema only = { attrs, none };
	struct diags ignored = DIAGS_INIT(&s->x->a);

	for (size_t i = 0; i < s->bodies.len; i++) {
		struct body_content c = { 0 };

		body_partial(&s->x->a, s->bodies.items[i], &only, &c, NULL,
			     &ignored);
		if (c.attrs.len)
			relevant_expression(s->x, s->m, s->c,
					    c.attrs.items[0]->expr);
	}
	s->schema = NULL;
	s->bodies.len = 0;
}

/* A dynamic block is what it is made from, and its content. */
static void add_dynamic_parts(struct stepping *s, const struct body *b)
{
	static const struct attr_schema attrs[] = {
		{ "for_each", false },
		{ "labels", false },
		{ 0 },
	};
	static const struct block_schema blocks[] = { { .type = "content" },
						      { 0 } };
	static const struct body_schema parts = { attrs, blocks };
	struct diags ignored = DIAGS_INIT(&s->x->a);
	struct body_content c = { 0 };

	body_partial(&s->x->a, b, &parts, &c, NULL, &ignored);
	for (size_t i = 0; i < c.attrs.len; i++)
		relevant_expression(s->x, s->m, s->c, c.attrs.items[i]->expr);
	if (c.blocks.len)
		vec_push(&s->x->a, &s->bodies,
			 c.blocks.items[c.blocks.len - 1].body);
}

static void step_to_block(struct stepping *s, const char *name)
{
	const struct attr_schema none[] = { { 0 } };
	const struct block_schema blocks[] = { { .type = name },
					       { "dynamic", { "type" } },
					       { 0 } };
	const struct body_schema only = { none, blocks };
	struct diags ignored = DIAGS_INIT(&s->x->a);
	const struct body_vec from = s->bodies;

	s->bodies = (struct body_vec){ 0 };
	for (size_t i = 0; i < from.len; i++) {
		struct body_content c = { 0 };

		body_partial(&s->x->a, from.items[i], &only, &c, NULL,
			     &ignored);
		for (size_t k = 0; k < c.blocks.len; k++) {
			const struct block *b = &c.blocks.items[k];

			if (str_is(b->type, name))
				vec_push(&s->x->a, &s->bodies, b->body);
			else if (b->nlabels && str_is(b->labels[0].text, name))
				add_dynamic_parts(s, b->body);
		}
	}
}

/* One step of the traversal: into an argument, which is the end, or into a
 * single block.  Repeated blocks are not searched by index: they mean their
 * whole resource if nothing follows their name, and nothing otherwise (as
 * globalref in OpenTofu). */
static void take_step(struct stepping *s, struct str name)
{
	const struct schema_nested *n = schema_nested_find(s->schema, name);
	char *text = arena_strndup(&s->x->a, name.p, name.n);

	if (schema_attr_find(s->schema, name)) {
		step_to_attr(s, text);
	} else if (!n) {
		s->schema = NULL;
		s->bodies.len = 0;
	} else if (nesting_single(n->nesting)) {
		step_to_block(s, text);
		s->schema = n->block;
	}
}

static struct str step_name(struct relevant *x, const struct step *s)
{
	struct verror err = { 0 };
	const struct value *v;

	if (s->kind == STEP_ATTR)
		return s->name;
	v = s->kind == STEP_INDEX ? convert(&x->a, s->key, &type_string, &err)
				  : NULL;
	return v && value_usable(v) ? v->string : STR_NONE;
}

static void relevant_body(struct relevant *x, struct relevant_module *m,
			  const struct cfg_resource *in, const struct body *b,
			  const struct schema_block *schema);

/* Queues what the part of the resource that r names is made from. */
static void relevant_from_resource(struct relevant *x,
				   struct relevant_module *m,
				   const struct reference *r)
{
	const struct cfg_resource *c = config_resource(m->config, &r->resource);
	struct stepping s = { .x = x, .m = m, .c = c };

	if (!c)
		return;
	s.schema = relevant_schema(x, c);
	vec_push(&x->a, &s.bodies, c->body);
	for (size_t i = 0; i < r->nrest && s.schema && s.bodies.len; i++)
		take_step(&s, step_name(x, &r->rest[i]));
	for (size_t i = 0; i < s.bodies.len && s.schema; i++)
		relevant_body(x, m, c, s.bodies.items[i], s.schema);
}

/* --- attributes --- */

/* In x->key: equal for references that lead to the same.  Of a local value or
 * a variable all of the expression counts, whatever part of it is named. */
static struct str reference_key(struct relevant *x, struct relevant_module *m,
				const struct cfg_resource *in,
				const struct traversal_ref *t,
				enum ref_kind kind)
{
	struct traversal named = t->traversal;
	struct buf *b = &x->key;

	buf_set_len(b, 0);
	buf_str(b, m->path);
	buf_puts(b, "::");
	if (kind == REF_COUNT || kind == REF_EACH) {
		if (in)
			resource_addr_print(b, in->addr);
		buf_puts(b, "::");
	}
	if ((kind == REF_LOCAL || kind == REF_VARIABLE) && named.nsteps > 1)
		named.nsteps = 1;
	if (kind == REF_RESOURCE && str_is(named.root, "resource")) {
		named.root = named.steps->name;
		named.steps++;
		named.nsteps--;
	}
	traversal_print(&x->scratch, b, &named);
	return buf_view(b);
}

static void follow(struct relevant *x, struct relevant_module *m,
		   const struct cfg_resource *in, const struct traversal_ref *t)
{
	struct followed f = { m, in, t };
	struct diags ignored = DIAGS_INIT(&x->scratch);
	struct reference r;
	struct str key;

	arena_reset(&x->scratch);
	if (reference_parse(&x->scratch, t, &r, &ignored))
		return;
	key = reference_key(x, m, in, t, r.kind);
	if (map_has(&x->seen, key))
		return;
	map_put(&x->a, &x->seen, str_dup(&x->a, key), x);
	vec_push(&x->a, &x->queue, f);
}

static void follow_all(struct relevant *x, struct relevant_module *m,
		       const struct cfg_resource *in,
		       const struct traversal_vec *v)
{
	for (size_t i = 0; i < v->len; i++)
		follow(x, m, in, &v->items[i]);
}

static void relevant_expression(struct relevant *x, struct relevant_module *m,
				const struct cfg_resource *in,
				struct expression e)
{
	struct traversal_vec v = { 0 };

	if (!e.root)
		return;
	expression_variables(&x->a, e, &v);
	follow_all(x, m, in, &v);
}

/* Queues the references of an expression, or of a body, in module m; in: the
 * resource that it configures, or NULL. */
static void relevant_body(struct relevant *x, struct relevant_module *m,
			  const struct cfg_resource *in, const struct body *b,
			  const struct schema_block *schema)
{
	struct traversal_vec v = { 0 };

	body_variables(&x->a, b, schema, &v);
	follow_all(x, m, in, &v);
}

/* All of a valid body: it takes no schema to find the references in it. */
static void follow_whole(struct relevant *x, struct relevant_module *m,
			 const struct cfg_resource *c)
{
	struct traversal_vec v = { 0 };

	body_variables_unshaped(&x->a, c->body, &v);
	follow_all(x, m, c, &v);
}

/* --- modules --- */

static struct map *arguments(struct relevant *x, const struct cfg_module *m)
{
	struct map *args = map_get(&x->args, m->path);

	if (!args) {
		args = ARENA_NEW(&x->a, struct map);
		call_arguments(&x->a, m->call, args);
		map_put(&x->a, &x->args, m->path, args);
	}
	return args;
}

static struct relevant_module *module_named(struct relevant *x,
					    struct relevant_module *parent,
					    const struct cfg_module *config,
					    struct module_addr addr)
{
	struct buf path = BUF_INIT;
	struct relevant_module *m;

	module_addr_print(&path, addr);
	m = map_get(&x->modules, buf_view(&path));
	if (!m) {
		m = ARENA_NEW(&x->a, struct relevant_module);
		m->config = config;
		m->parent = parent;
		m->addr = addr;
		m->path = buf_dup(&x->a, &path);
		if (parent)
			m->args = arguments(x, config);
		map_put(&x->a, &x->modules, m->path, m);
	}
	buf_release(&path);
	return m;
}

/* NULL: the configuration has no such module. */
static struct relevant_module *module_child(struct relevant *x,
					    struct relevant_module *m,
					    struct str name,
					    struct inst_key key)
{
	const struct cfg_call *call = map_get(&m->config->calls, name);

	if (!call || !call->child)
		return NULL;
	return module_named(x, m, call->child,
			    module_addr_child(&x->a, m->addr, name, key));
}

static struct relevant_module *module_at(struct relevant *x,
					 struct module_addr addr)
{
	const struct module_addr none = { NULL, 0 };
	struct relevant_module *m =
		module_named(x, NULL, x->p->run->root->config, none);

	for (size_t i = 0; m && i < addr.len; i++)
		m = module_child(x, m, addr.steps[i].name, addr.steps[i].key);
	return m;
}

/* --- what a reference leads to --- */

static void from_output(struct relevant *x, struct relevant_module *m,
			struct str name)
{
	const struct cfg_output *o = map_get(&m->config->outputs, name);

	if (o)
		relevant_expression(x, m, NULL, o->value);
}

static void from_module(struct relevant *x, struct relevant_module *m,
			const struct reference *r)
{
	struct relevant_module *child = module_child(x, m, r->name, r->key);

	if (!child)
		return;
	if (r->output.n) {
		from_output(x, child, r->output);
		return;
	}
	for (size_t i = 0; i < child->config->outputs.len; i++)
		from_output(x, child, child->config->outputs.entries[i].key);
}

static void from_variable(struct relevant *x, struct relevant_module *m,
			  struct str name)
{
	const struct attribute *arg = m->parent ? map_get(m->args, name) : NULL;

	if (arg)
		relevant_expression(x, m->parent, NULL, arg->expr);
}

static void expand(struct relevant *x, const struct followed *f)
{
	struct arena own = ARENA_INIT; /* follow uses the scratch arena */
	struct diags ignored = DIAGS_INIT(&own);
	const struct cfg_local *l;
	struct reference r;

	if (reference_parse(&own, f->t, &r, &ignored)) {
		arena_release(&own);
		return;
	}
	switch (r.kind) {
	case REF_VARIABLE:
		from_variable(x, f->m, r.name);
		break;
	case REF_LOCAL:
		l = map_get(&f->m->config->locals, r.name);
		if (l)
			relevant_expression(x, f->m, NULL, l->value);
		break;
	case REF_MODULE:
		from_module(x, f->m, &r);
		break;
	case REF_RESOURCE:
		relevant_from_resource(x, f->m, &r);
		break;
	case REF_COUNT:
	case REF_EACH:
		if (f->in) {
			relevant_expression(x, f->m, NULL, f->in->count);
			relevant_expression(x, f->m, NULL, f->in->for_each);
		}
		break;
	default:
		break;
	}
	arena_release(&own);
}

/* Starts from all that changes, by resource, not by instance. */
static void seed(struct relevant *x)
{
	const struct module_addr root = { NULL, 0 };
	struct plan *p = x->p;
	struct relevant_module *last = NULL;
	const struct cfg_resource *last_c = NULL;

	for (size_t i = 0; i < p->run->changes.len; i++) {
		const struct change *c = p->run->changes.items[i];
		struct relevant_module *m;
		const struct cfg_resource *r;

		if (c->action == ACTION_NOOP)
			continue;
		m = last && module_addr_equal(last->addr, c->addr.module)
			    ? last
			    : module_at(x, c->addr.module);
		r = m ? config_resource(m->config, &c->addr.resource) : NULL;
		if (!r || (m == last && r == last_c))
			continue;
		last = m;
		last_c = r;
		follow_whole(x, m, r);
	}
	for (size_t i = 0; i < p->outputs.len; i++)
		if (p->outputs.items[i].action != ACTION_NOOP)
			from_output(x, module_at(x, root),
				    p->outputs.items[i].name);
	for (size_t i = 0; i < p->module_outputs.len; i++) {
		const struct module_output *o = &p->module_outputs.items[i];

		relevant_expression(x, module_at(x, o->module->addr), NULL,
				    o->config->value);
	}
}

struct relevant_attr {
	struct str resource;
	const struct traversal_ref *t;
	size_t at; /* in the queue */
};

static int by_resource(const void *x, const void *y)
{
	const struct relevant_attr *a = x, *b = y;
	int c = str_cmp(a->resource, b->resource);

	return c ? c : (a->at > b->at) - (a->at < b->at);
}

/* The references to resources, in the order of their addresses. */
static size_t resources(struct relevant *x, struct relevant_attr *out)
{
	size_t n = 0;

	for (size_t i = 0; i < x->queue.len; i++) {
		const struct followed *f = &x->queue.items[i];
		struct diags ignored = DIAGS_INIT(&x->scratch);
		struct buf *b = &x->key;
		struct reference r;

		arena_reset(&x->scratch);
		if (reference_parse(&x->scratch, f->t, &r, &ignored) ||
		    r.kind != REF_RESOURCE)
			continue;
		buf_set_len(b, 0);
		buf_str(b, f->m->path);
		if (b->len)
			buf_putc(b, '.');
		resource_addr_print(b, r.resource);
		inst_key_print(b, r.key);
		out[n++] = (struct relevant_attr){ buf_dup(&x->a, b), f->t, i };
	}
	if (n)
		qsort(out, n, sizeof(*out), by_resource);
	return n;
}

static void write_one(struct relevant *x, struct jw *w,
		      const struct relevant_attr *attr)
{
	struct diags ignored = DIAGS_INIT(&x->scratch);
	struct reference r;

	arena_reset(&x->scratch);
	reference_parse(&x->scratch, attr->t, &r, &ignored);
	jw_object(w);
	jw_member_str(w, "resource", attr->resource);
	jw_key(w, "attribute");
	jw_array(w);
	for (size_t i = 0; i < r.nrest; i++) {
		const struct step *s = &r.rest[i];

		if (s->kind == STEP_ATTR)
			jw_str(w, s->name);
		else if (s->kind == STEP_INDEX)
			value_to_json(w, s->key, NULL);
	}
	jw_array_end(w);
	jw_object_end(w);
}

void relevant_attributes(struct plan *p, struct buf *out)
{
	struct relevant x = { .p = p, .a = ARENA_INIT };
	struct jw w = JW_INIT(out);
	struct relevant_attr *attrs;
	size_t n;

	seed(&x);
	for (x.next = 0; x.next < x.queue.len; x.next++) {
		struct followed f = x.queue.items[x.next];

		expand(&x, &f);
	}
	attrs = ARENA_ARRAY(&x.a, struct relevant_attr, x.queue.len + 1);
	n = resources(&x, attrs);
	jw_array(&w);
	for (size_t i = 0; i < n; i++)
		write_one(&x, &w, &attrs[i]);
	jw_array_end(&w);
	buf_release(&x.key);
	arena_release(&x.scratch);
	arena_release(&x.a);
}
