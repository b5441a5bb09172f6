/*
 * family.c - joins, and the instances of a resource that meet in them
 */
#include "engine/order/apply_graph_int.h"
#include "engine/order/family_int.h"

uint32_t agb_join(struct agb *b, struct str name)
{
	uint32_t n = graph_add(b->g, NODE_JOIN, name, NULL, NULL);

	b->g->nodes.items[n].data = ARENA_NEW(b->a, struct apply_node);
	return n;
}

uint32_t agb_node(struct agb *b, enum node_kind kind, enum apply_kind what,
		  struct str address, struct change *c,
		  const struct cfg_resource *config)
{
	uint32_t n = graph_add(b->g, kind, address,
			       config ? config->module : NULL, c);
	struct apply_node *an = ARENA_NEW(b->a, struct apply_node);

	an->kind = what;
	an->change = c;
	an->config = config;
	b->g->nodes.items[n].data = an;
	return n;
}

static struct str gather_name(struct agb *b, const struct gather *g,
			      const char *side)
{
	return STR_CAT(b->a, g->address, STR(": "), str_c(g->what),
		       str_c(side));
}

uint32_t gather_before(struct agb *b, struct gather *g)
{
	if (g->before != GRAPH_NONE)
		return g->before;
	if (g->members.len == 1)
		return g->before = g->members.items[0];
	g->before = agb_join(b, gather_name(b, g, " (before)"));
	for (size_t i = 0; i < g->members.len; i++)
		graph_edge(b->g, g->members.items[i], g->before, NULL, NULL);
	return g->before;
}

uint32_t gather_after(struct agb *b, struct gather *g)
{
	if (g->after != GRAPH_NONE)
		return g->after;
	if (g->members.len == 1)
		return g->after = g->members.items[0];
	g->after = agb_join(b, gather_name(b, g, " (after)"));
	for (size_t i = 0; i < g->members.len; i++)
		graph_edge(b->g, g->after, g->members.items[i], NULL, NULL);
	return g->after;
}

static void gather_init(struct gather *g, struct str address, const char *what)
{
	*g = (struct gather){ .before = GRAPH_NONE,
			      .after = GRAPH_NONE,
			      .address = address,
			      .what = what };
}

static struct family *family_new(struct agb *b, struct map *in,
				 struct str address, struct str module,
				 struct str module_path)
{
	struct family *f = ARENA_NEW(b->a, struct family);
	struct str name;

	f->address = str_dup(b->a, address);
	f->module = str_dup(b->a, module);
	f->module_path = str_dup(b->a, module_path);
	name = in == &b->families
		       ? f->address
		       : STR_CAT(b->a, f->address, STR(" (before moving)"));
	gather_init(&f->creators, name, "creating");
	gather_init(&f->kept, name, "creating first");
	gather_init(&f->users, name, "using");
	gather_init(&f->destroyers, name, "destroying");
	gather_init(&f->destroyers_cbd, name, "destroying after");
	gather_init(&f->all_destroyers, name, "destroying all");
	map_put(b->a, in, f->address, f);
	return f;
}

enum { CALL_WITH_KEY = 1, CALL_WITHOUT_KEY = 2, CALL_MIXED = 3 };

static void note_calls(struct agb *b, struct module_addr m)
{
	for (size_t n = 1; n <= m.len; n++) {
		struct map_entry *e;
		unsigned *found;
		struct buf path = BUF_INIT;

		module_addr_print_path(&path,
				       (struct module_addr){ m.steps, n });
		e = map_slot(b->a, &b->calls, buf_view(&path));
		if (!e->value) {
			e->key = buf_dup(b->a, &path);
			e->value = ARENA_NEW(b->a, unsigned);
		}
		found = e->value;
		*found |= m.steps[n - 1].key.kind == KEY_NONE ? CALL_WITHOUT_KEY
							      : CALL_WITH_KEY;
		b->any_mixed |= *found == CALL_MIXED;
		buf_release(&path);
	}
}

/* The address that the object had in the state. */
static const struct instance_addr *place_of(const struct change *c)
{
	return c->prev_addr.resource.type.n ? &c->prev_addr : &c->addr;
}

static void note_calls_once(struct agb *b, struct module_addr m,
			    struct module_addr *last)
{
	if (module_addr_equal(m, *last))
		return;
	*last = m;
	note_calls(b, m);
}

void agb_note_calls(struct agb *b, const struct change_vec *changes)
{
	struct module_addr last = { NULL, 0 }, last_place = { NULL, 0 };

	for (size_t i = 0; i < changes->len; i++) {
		const struct change *c = changes->items[i];

		note_calls_once(b, c->addr.module, &last);
		note_calls_once(b, place_of(c)->module, &last_place);
	}
}

/* Is step n of m one of several instances of its call, with a key or, beside
 * others that have one, without? */
static bool is_repeated(const struct agb *b, struct module_addr m, size_t n)
{
	struct buf path = BUF_INIT;
	const unsigned *found;

	if (m.steps[n].key.kind != KEY_NONE || !b->any_mixed)
		return m.steps[n].key.kind != KEY_NONE;
	module_addr_print_path(&path, (struct module_addr){ m.steps, n + 1 });
	found = map_get(&b->calls, buf_view(&path));
	buf_release(&path);
	return found && *found == CALL_MIXED;
}

/* "[]" stands for having no key where other instances of the call have one:
 * without it the address is that of all of them. */
static void print_keyed(struct buf *text, const struct agb *b,
			struct module_addr m)
{
	for (size_t n = 0; n < m.len; n++) {
		if (n)
			buf_putc(text, '.');
		buf_str(text, STR("module."));
		buf_str(text, m.steps[n].name);
		inst_key_print(text, m.steps[n].key);
		if (m.steps[n].key.kind == KEY_NONE && is_repeated(b, m, n))
			buf_str(text, STR("[]"));
	}
}

/* Its module and its address. */
struct family_name {
	struct buf module, text;
};

static void name_release(struct family_name *n)
{
	buf_release(&n->module);
	buf_release(&n->text);
}

/* Of all instances that share the first `keyed` calls of modules with i. */
static struct family_name name_of(const struct agb *b,
				  const struct instance_addr *i, size_t keyed)
{
	struct module_addr around = { i->module.steps, keyed };
	struct module_addr below = { i->module.steps + keyed,
				     i->module.len - keyed };
	struct family_name n = { BUF_INIT, BUF_INIT };

	print_keyed(&n.module, b, around);
	if (around.len && below.len)
		buf_putc(&n.module, '.');
	module_addr_print_path(&n.module, below);
	buf_str(&n.text, buf_view(&n.module));
	if (n.text.len)
		buf_putc(&n.text, '.');
	resource_addr_print(&n.text, i->resource);
	return n;
}

/* One of families or places, made if it is not there. */
static struct family *family_of(struct agb *b, struct map *in,
				const struct instance_addr *i, size_t keyed)
{
	struct family_name n = name_of(b, i, keyed);
	struct family *f = map_get(in, buf_view(&n.text));

	if (!f) {
		struct buf path = BUF_INIT;

		module_addr_print_path(&path, i->module);
		f = family_new(b, in, buf_view(&n.text), buf_view(&n.module),
			       buf_view(&path));
		buf_release(&path);
	}
	name_release(&n);
	return f;
}

struct family *agb_local_family(struct agb *b, const struct instance_addr *i)
{
	return family_of(b, &b->families, i, i->module.len);
}

struct family *agb_config_family(struct agb *b, const struct instance_addr *i)
{
	return family_of(b, &b->families, i, 0);
}

const struct family_vec *agb_families(struct agb *b,
				      const struct instance_addr *i)
{
	b->found.len = 0;
	vec_push(b->a, &b->found, agb_config_family(b, i));
	for (size_t n = 0; n < i->module.len; n++)
		if (is_repeated(b, i->module, n))
			vec_push(b->a, &b->found,
				 family_of(b, &b->families, i, n + 1));
	return &b->found;
}

/* --- where it was --- */

static void add_places(struct agb *b, const struct instance_addr *i)
{
	for (size_t n = 0; n <= i->module.len; n++)
		if (!n || is_repeated(b, i->module, n - 1))
			family_of(b, &b->places, i, n);
}

void agb_note_move(struct agb *b, const struct change *c)
{
	const struct instance_addr *from = place_of(c);

	if (resource_addr_equal(from->resource, c->addr.resource) &&
	    module_addr_equal(from->module, c->addr.module))
		return;
	add_places(b, from);
	add_places(b, &c->addr);
}

static struct family *place_at(const struct agb *b, struct str address)
{
	struct family *f = map_get(&b->places, address);

	return f ? f : map_get(&b->families, address);
}

const struct family_vec *agb_places(struct agb *b, const struct change *c)
{
	const struct instance_addr *i = place_of(c);

	b->found_places.len = 0;
	for (size_t n = 0; b->places.len && n <= i->module.len; n++) {
		struct family_name name;
		struct family *f;

		if (n && !is_repeated(b, i->module, n - 1))
			continue;
		name = name_of(b, i, n);
		f = map_get(&b->places, buf_view(&name.text));
		name_release(&name);
		if (!f) /* nothing moved to or from what is within it */
			break;
		vec_push(b->a, &b->found_places, f);
	}
	return &b->found_places;
}

struct family *agb_local_place(struct agb *b, const struct change *c,
			       struct family *local)
{
	const struct instance_addr *i = place_of(c);
	struct family_name n;
	struct family *f;

	if (!b->places.len)
		return local;
	n = name_of(b, i, i->module.len);
	f = map_get(&b->places, buf_view(&n.text));
	name_release(&n);
	return f ? f : local;
}

/* --- as seen from an instance of a module --- */

/* [0], ["x"] or [] at the front. */
static size_t key_len(struct str s)
{
	bool quoted = false;
	size_t i = 1;

	for (; i < s.n && (quoted || s.p[i] != ']'); i++) {
		if (quoted && s.p[i] == '\\')
			i++;
		else if (s.p[i] == '"')
			quoted = !quoted;
	}
	return i < s.n ? i + 1 : s.n;
}

/* "module.NAME" at the front. */
static size_t call_len(struct str s)
{
	size_t i = sizeof("module.") - 1;

	while (i < s.n && s.p[i] != '.' && s.p[i] != '[')
		i++;
	return i;
}

struct shared { /* lengths */
	size_t module, path;
};

/* The calls that begin both a module's address and `path`, which has no keys:
 * of module.a["x"].module.b and module.a.module.c those are module.a["x"] and
 * module.a. */
static struct shared shared_calls(struct str module, struct str path)
{
	struct shared s = { 0, 0 };
	size_t i = 0, k = 0;

	while (i < module.n && k < path.n) {
		struct str x = str_sub(module, i, module.n);
		struct str y = str_sub(path, k, path.n);
		size_t n = call_len(y);

		if (call_len(x) != n ||
		    !str_eq(str_sub(x, 0, n), str_sub(y, 0, n)))
			break;
		i += n;
		k += n;
		if (i < module.n && module.p[i] == '[')
			i += key_len(str_sub(module, i, module.n));
		s = (struct shared){ i++, k++ };
	}
	return s;
}

/* The address of the part of `whole` in those instances of modules that f is
 * in, too; its own where they share none with a key. */
static struct str part_address(const struct family *f,
			       const struct family *whole, struct buf *text)
{
	struct shared s;

	if (!f->module.n) /* most of what asks is in no module */
		return whole->address;
	s = shared_calls(f->module, whole->module_path);
	if (s.module == s.path)
		return whole->address;
	buf_str(text, str_sub(f->module, 0, s.module));
	buf_str(text, str_sub(whole->address, s.path, whole->address.n));
	return buf_view(text);
}

struct family *agb_seen_from(struct agb *b, const struct family *f,
			     struct family *whole)
{
	struct buf text = BUF_INIT;
	struct str address = part_address(f, whole, &text);
	struct family *part = whole;

	if (address.p != whole->address.p)
		part = map_get(&b->families, address);
	buf_release(&text);
	return part;
}

struct family *agb_place_seen_from(struct agb *b, const struct family *f,
				   struct str address)
{
	struct family *whole = place_at(b, address), *part;
	struct buf text = BUF_INIT;

	if (!whole)
		return NULL;
	part = place_at(b, part_address(f, whole, &text));
	buf_release(&text);
	return part;
}
