/* leaf.c - a value as its leaves; see compare_int.h */
#include <stdlib.h>

#include "addr/addr.h"
#include "compare/compare_int.h"
#include "json/write.h"

static bool is_true(const struct json *mask)
{
	return mask && mask->kind == JSON_BOOL && mask->boolean;
}

const struct json *leaf_member(const struct json *j, struct str name)
{
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++)
		if (str_eq(j->members[i].name, name))
			return &j->members[i].value;
	return NULL;
}

/* What is below something that is all so is so, too. */
static const struct json *mask_at(const struct json *mask, struct str name,
				  uint32_t i)
{
	if (!mask || is_true(mask))
		return mask;
	if (mask->kind == JSON_ARRAY)
		return i < mask->len ? &mask->items[i] : NULL;
	return name.p ? leaf_member(mask, name) : NULL;
}

struct leaf_masks leaf_masks_below(const struct leaf_masks *m, struct str name,
				   uint32_t i)
{
	return (struct leaf_masks){ mask_at(m->unknown, name, i),
				    mask_at(m->sensitive, name, i),
				    mask_at(m->also, name, i) };
}

static void give_text(struct leaf_walk *w, struct str text)
{
	const struct compared_leaf leaf = {
		.path = buf_view(&w->path),
		.visible = w->hidden ? w->visible : w->path.len,
		.text = text,
		.hidden = w->hidden,
	};

	w->put(w->data, &leaf);
}

static void put_leaf(struct leaf_walk *w, const struct json *j,
		     const struct leaf_masks *m)
{
	struct buf b = BUF_INIT;
	struct jw jw = JW_INIT(&b);

	jw.one_form = true;
	if (is_true(m->unknown))
		;
	else if (j->kind == JSON_STRING)
		json_quote(&b, j->text);
	else
		jw_json(&jw, j);
	give_text(w, buf_view(&b));
	buf_release(&b);
}

struct member {
	struct str name;
	const struct json *value;
};

static int by_name(const void *x, const void *y)
{
	const struct member *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

/* Writes the members that are there and those that will be. */
static void put_object(struct leaf_walk *w, const struct json *j,
		       const struct leaf_masks *m)
{
	static const struct json null = { .kind = JSON_NULL };
	const struct json *const later =
		m->unknown && m->unknown->kind == JSON_OBJECT ? m->unknown
							      : &null;
	struct member *all = ARENA_ARRAY(w->arena, struct member,
					 (j ? j->len : 0) + later->len);
	size_t n = 0;

	for (uint32_t i = 0; j && i < j->len; i++)
		all[n++] = (struct member){ j->members[i].name,
					    &j->members[i].value };
	for (uint32_t i = 0; i < later->len; i++)
		if (!leaf_member(j, later->members[i].name))
			all[n++] = (struct member){ later->members[i].name,
						    &null };
	if (n && w->lines)
		qsort(all, n, sizeof(*all), by_name);
	for (size_t i = 0; i < n; i++) {
		const struct leaf_masks sub =
			leaf_masks_below(m, all[i].name, UINT32_MAX);
		const size_t at = w->path.len;

		addr_attr_name(&w->path, all[i].name);
		leaf_walk(w, all[i].value, &sub);
		buf_set_len(&w->path, at);
	}
}

static bool is_made_of_others(const struct json *j, const struct leaf_masks *m)
{
	return j->kind >= JSON_ARRAY && j->len && !is_true(m->unknown);
}

static void put_element(struct leaf_walk *w, const struct json *j,
			const struct leaf_masks *m)
{
	const bool secret = !w->show_sensitive &&
			    (is_true(m->sensitive) || is_true(m->also));

	if (w->lines && !secret && is_made_of_others(j, m))
		give_text(w, j->kind == JSON_ARRAY ? STR("[") : STR("{"));
	if (w->lines && j->kind == JSON_NULL && !m->unknown)
		put_leaf(w, j, m);
	else
		leaf_walk(w, j, m);
}

static void put_array(struct leaf_walk *w, const struct json *j,
		      const struct leaf_masks *m)
{
	const size_t at = w->path.len;

	for (uint32_t i = 0; i < j->len; i++) {
		const struct leaf_masks sub = leaf_masks_below(m, STR_NONE, i);

		if (w->lines)
			buf_puts(&w->path, "[]");
		else
			addr_attr_index(&w->path, i);
		put_element(w, &j->items[i], &sub);
		buf_set_len(&w->path, at);
	}
}

static void put_inner(struct leaf_walk *w, const struct json *j,
		      const struct leaf_masks *m)
{
	if (is_true(m->unknown))
		put_leaf(w, j, m);
	else if (w->lines && w->hidden && j->kind != JSON_NULL)
		give_text(w, STR_NONE);
	else if (j->kind == JSON_OBJECT && j->len)
		put_object(w, j, m);
	else if (j->kind == JSON_ARRAY && j->len)
		put_array(w, j, m);
	else if (j->kind != JSON_NULL)
		put_leaf(w, j, m);
	else if (m->unknown && m->unknown->kind == JSON_OBJECT)
		put_object(w, NULL, m);
}

void leaf_walk(struct leaf_walk *w, const struct json *j,
	       const struct leaf_masks *m)
{
	const bool here = (is_true(m->sensitive) || is_true(m->also)) &&
			  !w->hidden && !w->show_sensitive;

	if (here) {
		w->hidden = COMPARED_SENSITIVE;
		w->visible = w->path.len;
	}
	put_inner(w, j, m);
	if (here)
		w->hidden = COMPARED_SHOWN;
}
