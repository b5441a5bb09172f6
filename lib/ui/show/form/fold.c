/*
 * fold.c - like changes as one; see form_int.h
 *
 * Changes are alike when all of these are the same:
 *   the resource, but for the keys of it and of the modules it is in;
 *   the action, the reason that the plan gives, and what forces a replacement;
 *   whether they are imported or moved, and from which resource;
 *   the attributes that change;
 *   of updates and replacements, what these were and what they become, unless
 *   that is known after apply.
 * Where values of those that are alike differ nevertheless (the id of each, the
 * names of what is created), the line says of which attributes.  A deposed
 * object is like no other, and secrets count as what is shown of them, for
 * whether two are the same is a secret, too.
 */
#include <stdlib.h>

#include "addr/walk.h"
#include "base/visible.h"
#include "json/tree.h"
#include "ui/show/form/form_int.h"

enum { NAMED = 5, RUNS = 6 }; /* of a list, so many are told */

/* A change as far as it is compared. */
struct folded {
	const struct form_entry *e;
	const uint64_t *values; /* of its leaves, hashed */
	struct group *group;
};
struct folded_vec VEC_OF(struct folded);

struct group {
	struct folded_vec items;
	struct str_vec paths; /* of the leaves */
	struct str forced;    /* what forces the replacement */
	struct str moved;     /* the resource that they were, without keys */
};

struct folding {
	struct arena *a;
	const struct shown *s;
	bool show_sensitive;
	struct map groups;
	struct fold_vec *out;
};

/* --- actions --- */

static const char *const ranks[RANKS] = {
	[RANK_DELETE] = "to destroy",       [RANK_REPLACE] = "to replace",
	[RANK_FORGET] = "to forget",        [RANK_UPDATE] = "to change",
	[RANK_CREATE] = "to add",           [RANK_READ] = "to read",
	[RANK_OTHER] = "moved or imported",
};

unsigned form_entry_rank(const struct form_entry *e)
{
	switch (e->change.action) {
	case DIFF_DELETE:
		return RANK_DELETE;
	case DIFF_REPLACE_CREATE_FIRST:
	case DIFF_REPLACE_DESTROY_FIRST:
	case DIFF_FORGET_CREATE:
		return RANK_REPLACE;
	case DIFF_FORGET:
		return RANK_FORGET;
	case DIFF_UPDATE:
		return RANK_UPDATE;
	case DIFF_CREATE:
		return RANK_CREATE;
	case DIFF_READ:
		return RANK_READ;
	default:
		return RANK_OTHER;
	}
}

const char *fold_rank_words(unsigned rank)
{
	return rank < RANKS ? ranks[rank] : NULL;
}

void fold_ranks_text(struct buf *b, const size_t counts[RANKS])
{
	const size_t begin = b->len;

	for (unsigned r = 0; r < RANKS; r++)
		if (counts[r])
			buf_addf(b, "%s%zu %s", b->len > begin ? ", " : "",
				 counts[r], ranks[r]);
}

/* --- keys --- */

/* Of an address the keys are numbered: those of the modules, then its own. */
static size_t key_count(const struct form_entry *e)
{
	return e->addressed ? e->addr.module.len + 1 : 0;
}

static struct inst_key key_at(const struct form_entry *e, size_t i)
{
	return i < e->addr.module.len ? e->addr.module.steps[i].key
				      : e->addr.key;
}

static int compare_keys(const void *x, const void *y)
{
	return inst_key_cmp(*(const struct inst_key *)x,
			    *(const struct inst_key *)y);
}

/* The different keys at a place, sorted. */
static size_t keys_of(struct arena *a, const struct folded *items, size_t n,
		      size_t at, struct inst_key **out)
{
	struct inst_key *all = ARENA_ARRAY(a, struct inst_key, n);
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		all[i] = key_at(items[i].e, at);
	qsort(all, n, sizeof(*all), compare_keys);
	for (size_t i = 0; i < n; i++)
		if (!len || !inst_key_equal(all[len - 1], all[i]))
			all[len++] = all[i];
	*out = all;
	return len;
}

static size_t run_length(const struct inst_key *keys, size_t n)
{
	size_t len = 1;

	while (len < n && keys[0].kind == KEY_INT &&
	       keys[len].kind == KEY_INT && keys[len].i == keys[len - 1].i + 1)
		len++;
	return len;
}

static void put_key(struct buf *b, struct inst_key k)
{
	if (k.kind == KEY_INT)
		buf_int(b, k.i);
	else
		addr_print_quoted(b, k.s);
}

/* Puts the inside of [0..3, 7, "a"]; nothing where there are no keys. */
static void put_keys(struct buf *b, const struct inst_key *keys, size_t n)
{
	size_t i = 0, told = 0;

	while (i < n && keys[i].kind != KEY_NONE) {
		const size_t run = run_length(keys + i, n - i);

		if (told)
			buf_puts(b, ", ");
		if (told++ == RUNS) {
			buf_addf(b, "%zu more", n - i);
			return;
		}
		put_key(b, keys[i]);
		if (run > 1) {
			buf_puts(b, "..");
			put_key(b, keys[i + run - 1]);
		}
		i += run;
	}
}

/* --- addresses --- */

struct keys {
	struct inst_key *items;
	size_t n;
};

static void put_bracketed(struct buf *b, const struct keys *k)
{
	if (!k || !k->n || k->items[0].kind == KEY_NONE)
		return;
	buf_putc(b, '[');
	put_keys(b, k->items, k->n);
	buf_putc(b, ']');
}

/* The address with keys; NULL: without any. */
static void put_address(struct buf *b, const struct instance_addr *addr,
			const struct keys *keys)
{
	for (size_t i = 0; i < addr->module.len; i++) {
		buf_addf(b, "%smodule.%.*s", i ? "." : "",
			 STR_ARG(addr->module.steps[i].name));
		put_bracketed(b, keys ? &keys[i] : NULL);
	}
	if (addr->module.len)
		buf_putc(b, '.');
	resource_addr_print(b, addr->resource);
	put_bracketed(b, keys ? &keys[addr->module.len] : NULL);
}

struct str form_entry_resource(struct arena *a, const struct form_entry *e)
{
	struct buf b = BUF_INIT;

	if (e->addressed)
		put_address(&b, &e->addr, NULL);
	return buf_take(a, &b);
}

static struct str module_text(struct arena *a, const struct instance_addr *addr,
			      const struct keys *keys)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < addr->module.len; i++) {
		buf_addf(&b, "%smodule.%.*s", i ? "." : "",
			 STR_ARG(addr->module.steps[i].name));
		put_bracketed(&b, keys ? &keys[i] : NULL);
	}
	return buf_take(a, &b);
}

/* Where it moved from without keys, if it had the same ones as now; else the
 * whole address, which nothing else has. */
static struct str moved_from(struct arena *a, const struct form_entry *e)
{
	struct diags quiet = DIAGS_INIT(a);
	struct str text = e->change.previous_address;
	struct buf b = BUF_INIT;
	struct form_entry was = { 0 };

	if (!e->change.moved)
		return STR("");
	if (!e->addressed || instance_addr_parse(a, text, &was.addr, &quiet) ||
	    was.addr.module.len != e->addr.module.len)
		return text;
	for (size_t i = 0; i < key_count(e); i++)
		if (!inst_key_equal(key_at(&was, i), key_at(e, i)))
			return text;
	put_address(&b, &was.addr, NULL);
	return buf_take(a, &b);
}

/* --- what is alike --- */

static bool compares_values(const struct form_entry *e)
{
	const unsigned rank = form_entry_rank(e);

	return rank == RANK_UPDATE || rank == RANK_REPLACE;
}

static void put_part(struct buf *b, struct str part)
{
	/* Its length, so that nothing in a part can end it. */
	buf_int(b, (int64_t)part.n);
	buf_putc(b, ':');
	buf_str(b, part);
}

/* Two changes are alike if this is the same of both. */
static void put_likeness(struct buf *b, struct arena *a,
			 const struct form_entry *e,
			 const struct leaf_vec *leaves, struct str moved)
{
	const struct shown_change *c = &e->change;

	if (e->addressed && !c->deposed.n)
		put_address(b, &e->addr, NULL);
	else
		put_part(b, c->address);
	buf_addf(b, "\n%d %d %d %d ", (int)e->kind, (int)c->action,
		 (int)c->importing, e->addressed ? (int)e->addr.key.kind : -1);
	put_part(b, c->deposed);
	put_part(b, c->reason);
	put_part(b, c->json.replace_paths);
	put_part(b, moved);
	put_part(b, c->provider);
	for (size_t i = 0; i < leaves->len; i++) {
		const struct leaf *l = &leaves->items[i];

		put_part(b, l->path);
		if (l->unknown)
			put_part(b, l->is);
		else if (compares_values(e))
			put_part(b, STR_CAT(a, l->was, STR("\n"), l->is));
	}
}

static struct str forced_by(struct arena *a, const struct shown_change *c)
{
	const struct json *paths = json_slice_tree(
		a, STR_CAT(a, STR("{\"p\":"), c->json.replace_paths, STR("}")),
		NULL);
	struct buf b = BUF_INIT;

	paths = c->json.replace_paths.n ? json_get(paths, "p") : NULL;
	for (uint32_t i = 0;
	     paths && paths->kind == JSON_ARRAY && i < paths->len; i++) {
		struct buf path = BUF_INIT;
		const struct json *p = &paths->items[i];

		for (uint32_t k = 0; p->kind == JSON_ARRAY && k < p->len; k++)
			if (p->items[k].kind == JSON_STRING)
				addr_attr_name(&path, p->items[k].text);
			else if (p->items[k].kind == JSON_NUMBER)
				buf_addf(&path, "[%.*s]",
					 STR_ARG(p->items[k].text));
		if (b.len)
			buf_puts(&b, ", ");
		buf_str(&b, buf_view(&path));
		buf_release(&path);
	}
	return buf_take(a, &b);
}

static struct group *group_make(struct folding *f, const struct form_entry *e,
				const struct leaf_vec *leaves, struct str moved)
{
	struct group *g = ARENA_NEW(f->a, struct group);

	for (size_t i = 0; i < leaves->len; i++)
		vec_push(f->a, &g->paths, str_dup(f->a, leaves->items[i].path));
	g->forced = forced_by(f->a, &e->change);
	g->moved = str_dup(f->a, moved);
	return g;
}

static void sort_in(struct folding *f, struct arena *scratch,
		    const struct form_entry *e)
{
	struct leaf_vec leaves = { 0 };
	struct buf key = BUF_INIT;
	struct str moved = moved_from(scratch, e);
	struct folded it = { .e = e };
	uint64_t *values;

	leaf_list(scratch, form_entry_diff(scratch, f->s, e), f->show_sensitive,
		  &leaves);
	put_likeness(&key, scratch, e, &leaves, moved);
	it.group = map_get(&f->groups, buf_view(&key));
	if (!it.group) {
		it.group = group_make(f, e, &leaves, moved);
		map_put(f->a, &f->groups, buf_dup(f->a, &key), it.group);
	}
	values = ARENA_ARRAY(f->a, uint64_t, leaves.len);
	for (size_t i = 0; i < leaves.len; i++)
		values[i] = str_hash(STR_CAT(scratch, leaves.items[i].was,
					     STR("\n"), leaves.items[i].is));
	it.values = values;
	vec_push(f->a, &it.group->items, it);
	buf_release(&key);
}

/* --- the line --- */

static void put_names(struct buf *b, const struct str_vec *names)
{
	for (size_t i = 0; i < names->len; i++) {
		if (i == NAMED && names->len > NAMED + 1) {
			buf_addf(b, " and %zu more", names->len - i);
			return;
		}
		buf_addf(b, "%s%.*s", i ? ", " : "", STR_ARG(names->items[i]));
	}
}

/* "100 alike, but for id, name" */
static void said_alike(struct buf *b, struct arena *a,
		       const struct folded *items, size_t n)
{
	const struct group *g = items[0].group;
	struct str_vec differ = { 0 };

	buf_addf(b, "%zu alike", n);
	for (size_t p = 0; p < g->paths.len; p++) {
		size_t i = 1;

		while (i < n && items[i].values[p] == items[0].values[p])
			i++;
		if (i < n)
			vec_push(a, &differ, g->paths.items[p]);
	}
	if (!differ.len)
		return;
	buf_puts(b, ", but for ");
	put_names(b, &differ);
}

static void said_replaced(struct buf *b, const struct shown_change *c,
			  const struct group *g)
{
	static const struct {
		const char *reason, *text;
	} rules[] = {
		{ "replace_because_tainted", "because it is tainted" },
		{ "replace_by_request", "as requested by -replace" },
		{ "replace_by_triggers",
		  "because of changes in replace_triggered_by" },
	};
	const size_t begin = b->len;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (str_is(c->reason, rules[i].reason))
			buf_puts(b, rules[i].text);
	if (g->forced.n)
		buf_addf(b, "%sbecause of %.*s", b->len > begin ? ", " : "",
			 STR_ARG(g->forced));
	if (c->action == DIFF_REPLACE_CREATE_FIRST)
		buf_addf(b, "%screated before it is destroyed",
			 b->len > begin ? ", " : "");
	else if (c->action == DIFF_FORGET_CREATE)
		buf_addf(b, "%sthe old one is not destroyed",
			 b->len > begin ? ", " : "");
}

static void begin_part(struct buf *b)
{
	if (b->len)
		buf_puts(b, "; ");
}

/* keys: of all, by their place; NULL: they are the address's own */
static struct str said_of(struct arena *a, const struct folded *items, size_t n,
			  const struct keys *keys, struct str address)
{
	const struct form_entry *e = items[0].e;
	struct shown_change c = e->change;
	struct str index = c.json.index;
	struct buf b = BUF_INIT, part = BUF_INIT;
	const unsigned rank = form_entry_rank(e);

	if (n > 1)
		said_alike(&b, a, items, n);
	if (n > 1 && keys) {
		put_keys(&part, keys[e->addr.module.len].items,
			 keys[e->addr.module.len].n);
		index = buf_take(a, &part);
		c.module = module_text(a, &e->addr, keys);
		c.address = address;
		if (c.moved)
			c.previous_address = items[0].group->moved;
	}
	part = (struct buf)BUF_INIT;
	plan_why_text(&part, &c, index);
	if (rank == RANK_REPLACE)
		said_replaced(&part, &c, items[0].group);
	if (rank == RANK_UPDATE && items[0].group->paths.len) {
		buf_puts(&part, "changes ");
		put_names(&part, &items[0].group->paths);
	}
	if (part.len) {
		begin_part(&b);
		buf_str(&b, buf_view(&part));
	}
	buf_release(&part);
	if (c.moved) {
		begin_part(&b);
		buf_addf(&b, "moved from %.*s", STR_ARG(c.previous_address));
	}
	if (c.importing) {
		begin_part(&b);
		buf_puts(&b, c.generated_config.n
				     ? "imported, its configuration generated"
				     : "imported");
	}
	return visible_word(a, buf_take(a, &b));
}

/* --- folds --- */

/* These as one: what they are at one place all are with all of the others. */
static void put_fold(struct folding *f, const struct folded *items, size_t n,
		     const struct keys *keys)
{
	const struct form_entry *e = items[0].e;
	const struct form_entry **members =
		ARENA_ARRAY(f->a, const struct form_entry *, n);
	struct fold fold = { .members = members, .n = n };
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		members[i] = items[i].e;
	if (n > 1) {
		put_address(&b, &e->addr, keys);
		fold.address = visible_word(f->a, buf_take(f->a, &b));
	} else {
		fold.address = form_entry_name(f->a, e);
	}
	if (e->addressed)
		fold.place =
			visible_word(f->a, module_text(f->a, &e->addr, NULL));
	fold.said = said_of(f->a, items, n, keys, fold.address);
	vec_push(f->a, f->out, fold);
}

static void split(struct folding *f, const struct folded *items, size_t n);

/* Splits the items by their key at a place.  Items with one key lie together:
 * all are in the order of their addresses, and equal at the places before. */
static void split_at(struct folding *f, const struct folded *items, size_t n,
		     size_t at)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n; end++)
			if (!inst_key_equal(key_at(items[end].e, at),
					    key_at(items[i].e, at)))
				break;
		split(f, items + i, end - i);
	}
}

/* They are one if there is an object for each combination of their keys. */
static void split(struct folding *f, const struct folded *items, size_t n)
{
	const size_t places = key_count(items[0].e);
	struct keys *keys = ARENA_ARRAY(f->a, struct keys, places + 1);
	size_t product = 1, first = places;

	for (size_t p = 0; p < places; p++) {
		keys[p].n = keys_of(f->a, items, n, p, &keys[p].items);
		if (keys[p].n > 1 && first == places)
			first = p;
		product *= keys[p].n <= n ? keys[p].n : n;
		if (product > n)
			product = n + 1;
	}
	if (product == n || first == places)
		put_fold(f, items, n, keys);
	else
		split_at(f, items, n, first);
}

static int in_order(const void *x, const void *y)
{
	const struct fold *a = x, *b = y;
	const struct form_entry *e = a->members[0], *o = b->members[0];
	int c = str_cmp(a->place, b->place);

	if (!c)
		c = str_cmp(e->change.mode, o->change.mode);
	if (!c)
		c = str_cmp(e->change.type, o->change.type);
	if (!c)
		c = (int)form_entry_rank(e) - (int)form_entry_rank(o);
	if (c)
		return c;
	return e < o ? -1 : e > o; /* of one list, which is sorted */
}

void folds_of(struct arena *a, const struct shown *s,
	      const struct form_entry_vec *all, bool show_sensitive,
	      struct fold_vec *out)
{
	struct folding f = {
		.a = a, .s = s, .show_sensitive = show_sensitive, .out = out
	};
	struct arena scratch = ARENA_INIT;

	for (size_t i = 0; i < all->len; i++) {
		sort_in(&f, &scratch, &all->items[i]);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	for (size_t i = 0; i < f.groups.len; i++) {
		const struct group *g = f.groups.entries[i].value;

		split(&f, g->items.items, g->items.len);
	}
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), in_order);
}
