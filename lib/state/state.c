/*
 * state.c - the state in memory: resources, instances, outputs
 *
 * Every lookup goes through a map.  An instance's map key is its instance key
 * in a form that needs no quoting, then NUL and the deposed key if there is
 * one.  Maps have no removal: removed instances map to NULL.
 */
#include <stdlib.h>

#include "state/state.h"
#include "addr/provider.h"
#include "base/io.h"

struct state *state_new(struct arena *a)
{
	struct state *s = ARENA_NEW(a, struct state);

	s->arena = a;
	return s;
}

void state_resource_text(struct buf *b, struct module_addr m,
			 const struct resource_addr *r)
{
	if (m.len) {
		module_addr_print(b, m);
		buf_putc(b, '.');
	}
	resource_addr_print(b, *r);
}

struct state_resource *state_resource(const struct state *s,
				      struct module_addr m,
				      const struct resource_addr *r)
{
	struct buf key = BUF_INIT;
	struct state_resource *found;

	state_resource_text(&key, m, r);
	found = map_get(&s->by_addr, buf_view(&key));
	buf_release(&key);
	return found;
}

struct state_resource *state_resource_make(struct state *s,
					   struct module_addr m,
					   const struct resource_addr *r)
{
	struct state_resource *res = state_resource(s, m, r);

	if (res)
		return res;
	res = ARENA_NEW(s->arena, struct state_resource);
	res->module = m;
	res->addr = *r;
	state_add_resource(s, res);
	return res;
}

void state_add_resource(struct state *s, struct state_resource *r)
{
	struct buf key = BUF_INIT;

	state_resource_text(&key, r->module, &r->addr);
	map_put(s->arena, &s->by_addr, buf_dup(s->arena, &key), r);
	r->place = s->resources.len;
	vec_push(s->arena, &s->resources, r);
	buf_release(&key);
}

void state_drop_resource(struct state *s, struct state_resource *r)
{
	struct buf key = BUF_INIT;
	struct state_resource *last;

	state_resource_text(&key, r->module, &r->addr);
	if (map_get(&s->by_addr, buf_view(&key)) == r) {
		map_put(s->arena, &s->by_addr, buf_view(&key), NULL);
		last = s->resources.items[--s->resources.len];
		last->place = r->place;
		s->resources.items[last->place] = last;
	}
	buf_release(&key);
}

static void index_key(struct buf *b, struct inst_key key, struct str deposed)
{
	switch (key.kind) {
	case KEY_NONE:
		buf_putc(b, 'n');
		break;
	case KEY_INT:
		buf_putc(b, 'i');
		buf_int(b, key.i);
		break;
	case KEY_STRING:
		buf_putc(b, 's');
		buf_str(b, key.s);
		break;
	}
	if (deposed.n) {
		buf_putc(b, '\0');
		buf_str(b, deposed);
	}
}

struct state_instance *state_deposed(const struct state_resource *r,
				     struct inst_key key, struct str deposed)
{
	struct buf text = BUF_INIT;
	struct state_instance *i;

	if (!r->index.len)
		return NULL;
	index_key(&text, key, deposed);
	i = map_get(&r->index, buf_view(&text));
	buf_release(&text);
	return i;
}

struct state_instance *state_instance(const struct state_resource *r,
				      struct inst_key key)
{
	return state_deposed(r, key, STR_NONE);
}

struct state_instance *state_next_object(const struct state_resource *r,
					 struct inst_key key, size_t *at)
{
	struct state_instance *i = NULL;

	while (!i && *at <= r->deposed_keys.len) {
		i = state_deposed(r, key,
				  *at ? r->deposed_keys.entries[*at - 1].key
				      : STR_NONE);
		++*at;
	}
	return i;
}

bool state_has_key(const struct state_resource *r, struct inst_key key)
{
	size_t at = 0;

	return r && state_next_object(r, key, &at);
}

void state_put(struct state *s, struct state_resource *r,
	       struct state_instance *i)
{
	struct buf text = BUF_INIT;
	struct map_entry *e;
	struct state_instance *old;
	size_t known = r->index.len;

	if (i->deposed.n)
		map_slot(s->arena, &r->deposed_keys, i->deposed);
	index_key(&text, i->key, i->deposed);
	e = map_slot(s->arena, &r->index, buf_view(&text));
	if (r->index.len != known)
		e->key = buf_dup(s->arena, &text);
	old = e->value;
	e->value = i;
	buf_release(&text);
	if (old) {
		i->slot = old->slot;
		r->instances.items[i->slot] = i;
		return;
	}
	i->slot = r->instances.len;
	vec_push(s->arena, &r->instances, i);
}

void state_remove(struct state *s, struct state_resource *r,
		  struct inst_key key, struct str deposed)
{
	struct state_instance *i = state_deposed(r, key, deposed), *last;
	struct buf text = BUF_INIT;

	if (!i)
		return;
	index_key(&text, key, deposed);
	map_slot(s->arena, &r->index, buf_view(&text))->value = NULL;
	buf_release(&text);
	last = r->instances.items[--r->instances.len];
	last->slot = i->slot;
	r->instances.items[last->slot] = last;
	r->kept &= r->instances.len > 0;
}

struct str state_deposed_key(struct arena *a, const struct state_resource *r)
{
	for (;;) {
		unsigned char raw[4] = { 0 };
		struct str key;

		if (io_random(raw, sizeof(raw)))
			raw[0] = (unsigned char)(raw[0] + r->instances.len);
		key = str_printf(a, "%02x%02x%02x%02x", raw[0], raw[1], raw[2],
				 raw[3]);
		if (!map_has(&r->deposed_keys, key))
			return key;
	}
}

bool state_is_empty(const struct state *s)
{
	if (state_outputs_sorted(s).len)
		return false;
	for (size_t n = 0; n < s->resources.len; n++)
		if (s->resources.items[n]->instances.len)
			return false;
	return true;
}

static int output_cmp(const void *x, const void *y)
{
	const struct state_output *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

static void put_in_order(struct arena *a, struct state_outputs *outs)
{
	struct state_output *items = outs->items.items;
	size_t n = 0;
	bool sorted = true;

	for (size_t i = 0; i < outs->items.len; i++) {
		if (!items[i].value) {
			map_put(a, &outs->places, items[i].name, NULL);
			continue;
		}
		sorted = sorted &&
			 (!n || output_cmp(&items[n - 1], &items[i]) < 0);
		items[n++] = items[i];
	}
	if (!sorted)
		qsort(items, n, sizeof(*items), output_cmp);
	for (size_t i = 0; i < n; i++)
		map_put(a, &outs->places, items[i].name,
			(void *)(uintptr_t)(i + 1));
	outs->items.len = n;
	outs->in_order = true;
}

struct state_output_list state_outputs_sorted(const struct state *s)
{
	struct state_outputs *outs = s->outputs;

	if (!outs)
		return (struct state_output_list){ NULL, 0 };
	if (!outs->in_order)
		put_in_order(s->arena, outs);
	return (struct state_output_list){ outs->items.items, outs->items.len };
}

/* NULL: there never was one of that name. */
static struct state_output *output_place(const struct state *s, struct str name)
{
	uintptr_t at =
		s->outputs ? (uintptr_t)map_get(&s->outputs->places, name) : 0;

	return at ? &s->outputs->items.items[at - 1] : NULL;
}

const struct state_output *state_output_entry(const struct state *s,
					      struct str name)
{
	const struct state_output *o = output_place(s, name);

	return o && o->value ? o : NULL;
}

const struct value *state_output(const struct state *s, struct str name)
{
	const struct state_output *o = output_place(s, name);

	return o ? o->value : NULL;
}

void state_output_set(struct state *s, struct str name, const struct value *v)
{
	struct state_output o = { .name = name, .value = v };
	struct state_output *was = output_place(s, name);
	struct state_outputs *outs = s->outputs;

	if (was) {
		was->value = v;
		was->deprecated = STR_NONE;
		outs->in_order = outs->in_order && v;
		return;
	}
	if (!v)
		return;
	if (!outs)
		outs = s->outputs = ARENA_NEW(s->arena, struct state_outputs);
	vec_push(s->arena, &outs->items, o);
	map_put(s->arena, &outs->places, name,
		(void *)(uintptr_t)outs->items.len);
	outs->in_order = false;
}

void state_copy_outputs(struct state *to, const struct state *from)
{
	const struct state_output_list outs = state_outputs_sorted(from);

	for (size_t i = 0; i < outs.len; i++) {
		state_output_set(to, outs.items[i].name, outs.items[i].value);
		state_output_deprecate(to, outs.items[i].name,
				       outs.items[i].deprecated);
	}
}

void state_output_deprecate(struct state *s, struct str name,
			    struct str message)
{
	struct state_output *o = output_place(s, name);

	if (o && o->value)
		o->deprecated = message;
}

size_t state_instance_count(const struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->resources.len; i++)
		n += s->resources.items[i]->instances.len;
	return n;
}

static int instance_cmp(const void *x, const void *y)
{
	const struct state_instance *const *a = x, *const *b = y;
	int c = inst_key_cmp((*a)->key, (*b)->key);

	return c ? c : str_cmp((*a)->deposed, (*b)->deposed);
}

struct state_instance **state_instances_sorted(struct arena *a,
					       const struct state_resource *r)
{
	size_t n = r->instances.len, i = 1;
	struct state_instance **list =
		arena_dup(a, r->instances.items, n * sizeof(*list));

	while (i < n && instance_cmp(&list[i - 1], &list[i]) <= 0)
		i++;
	if (i < n)
		qsort(list, n, sizeof(*list), instance_cmp);
	return list;
}

/* Sorting compares modules as text, so each is printed once. */
struct sort_item {
	struct str module;
	struct state_resource *r;
};

/* "data" < "managed": the order of the mode's names, not of the enum. */
static int mode_rank(enum resource_mode m)
{
	return m == MODE_DATA ? 0 : m == MODE_EPHEMERAL ? 1 : 2;
}

static int resource_cmp(const void *x, const void *y)
{
	const struct sort_item *a = x, *b = y;
	int c = str_cmp(a->module, b->module);

	if (!c)
		c = mode_rank(a->r->addr.mode) - mode_rank(b->r->addr.mode);
	if (!c)
		c = str_cmp(a->r->addr.type, b->r->addr.type);
	return c ? c : str_cmp(a->r->addr.name, b->r->addr.name);
}

struct state_resource **state_resources_sorted(struct arena *a,
					       const struct state *s)
{
	size_t n = s->resources.len, i;
	struct state_resource **list =
		ARENA_ARRAY(a, struct state_resource *, n);
	struct sort_item *items = ARENA_ARRAY(a, struct sort_item, n);
	struct buf text = BUF_INIT;

	for (i = 0; i < n; i++) {
		struct state_resource *r = s->resources.items[i];

		items[i].r = r;
		buf_set_len(&text, 0);
		if (!r->module.len)
			continue;
		if (i && module_addr_equal(r->module, items[i - 1].r->module)) {
			items[i].module = items[i - 1].module;
			continue;
		}
		module_addr_print(&text, r->module);
		items[i].module = buf_dup(a, &text);
	}
	for (i = 1; i < n && resource_cmp(&items[i - 1], &items[i]) <= 0;)
		i++;
	if (i < n)
		qsort(items, n, sizeof(*items), resource_cmp);
	for (i = 0; i < n; i++)
		list[i] = items[i].r;
	buf_release(&text);
	return list;
}

struct str state_provider_text(struct arena *a, const struct state_resource *r,
			       const struct state_instance *i)
{
	struct str p = provider_config_text(a, &r->provider);

	if (!i || !i->provider_key.n)
		return p;
	return str_printf(a, "%.*s%.*s", STR_ARG(p), STR_ARG(i->provider_key));
}
