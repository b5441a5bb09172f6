/* flatmap.c - see flatmap.h */
#include "state/flatmap.h"

/* What stood for an unknown value. */
#define UNKNOWN "74D93920-ED26-11E3-AC10-0800200C9A66"

struct flat {
	struct arena *a;
	const struct json *all;
};

static bool put(struct flat *f, struct str key, const struct type *t,
		struct json *out);

/* STR_NONE, too, for what was unknown. */
static struct str text_at(struct flat *f, struct str key)
{
	for (uint32_t i = 0; i < f->all->len; i++) {
		const struct json_member *m = &f->all->members[i];

		if (str_eq(m->name, key) && m->value.kind == JSON_STRING &&
		    !str_is(m->value.text, UNKNOWN))
			return m->value.text.p ? m->value.text : STR("");
	}
	return STR_NONE;
}

/* The number at KEY.#; false when it is none. */
static bool count_at(struct flat *f, struct str key, bool *there, uint32_t *n)
{
	struct str s = text_at(f, STR_CAT(f->a, key, STR(".#")));
	size_t i;

	*n = 0;
	*there = s.p != NULL;
	for (i = 0; i < s.n && i < 9 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		*n = *n * 10 + (uint32_t)(s.p[i] - '0');
	return i == s.n && (!*there || s.n) && *n <= f->all->len;
}

/* The name of the i-th member after "KEY."; STR_NONE if it is another's. */
static struct str below(const struct flat *f, struct str key, uint32_t i)
{
	struct str name = f->all->members[i].name;

	if (name.n <= key.n + 1 || name.p[key.n] != '.' ||
	    !str_eq(str_sub(name, 0, key.n), key))
		return STR_NONE;
	return str_sub(name, key.n + 1, name.n);
}

/* A list has its elements' types from elem, a tuple from elems. */
static bool put_sequence(struct flat *f, struct str key, const struct type *t,
			 struct json *out)
{
	const bool tuple = t->kind == TYPE_TUPLE;
	struct json *items;
	uint32_t n;
	bool there;

	if (!count_at(f, key, &there, &n) || (there && tuple && n != t->len))
		return false;
	if (!there)
		return true;
	items = ARENA_ARRAY(f->a, struct json, n + 1);
	*out = (struct json){ JSON_ARRAY, n, { .items = items } };
	for (uint32_t i = 0; i < n; i++)
		if (!put(f, str_printf(f->a, "%.*s.%u", STR_ARG(key), i),
			 tuple ? t->elems[i] : t->elem, &items[i]))
			return false;
	return true;
}

/* An empty object has no members: only the count tells of it. */
static bool put_set(struct flat *f, struct str key, const struct type *t,
		    struct json *out)
{
	struct str_vec hashes = { 0 };
	struct json *items;
	uint32_t n;
	bool there;

	if (!count_at(f, key, &there, &n))
		return false;
	if (!there)
		return true;
	for (uint32_t i = 0; i < f->all->len; i++) {
		struct str hash = below(f, key, i);
		ptrdiff_t dot = str_chr(hash, '.');

		hash = dot < 0 ? hash : str_sub(hash, 0, (size_t)dot);
		if (hash.n && !str_is(hash, "#") && !str_vec_has(&hashes, hash))
			vec_push(f->a, &hashes, hash);
	}
	if (!hashes.len && n == 1)
		vec_push(f->a, &hashes, STR("0"));
	n = (uint32_t)hashes.len;
	items = ARENA_ARRAY(f->a, struct json, n + 1);
	*out = (struct json){ JSON_ARRAY, n, { .items = items } };
	for (size_t i = 0; i < hashes.len; i++)
		if (!put(f, STR_CAT(f->a, key, STR("."), hashes.items[i]),
			 t->elem, &items[i]))
			return false;
	return true;
}

/* Of what is primitive: a dot may be part of a key. */
static bool put_map(struct flat *f, struct str key, const struct type *t,
		    struct json *out)
{
	struct json_member *members;

	if (!text_at(f, STR_CAT(f->a, key, STR(".%"))).p)
		return true;
	members = ARENA_ARRAY(f->a, struct json_member, f->all->len);
	*out = (struct json){ .kind = JSON_OBJECT, .members = members };
	for (uint32_t i = 0; i < f->all->len; i++) {
		struct str name = below(f, key, i);
		struct json_member *m = &members[out->len];

		if (!name.n || str_is(name, "%"))
			continue;
		m->name = name;
		if (!put(f, f->all->members[i].name, t->elem, &m->value))
			return false;
		out->len++;
	}
	return true;
}

static bool put_object(struct flat *f, struct str key, const struct type *t,
		       struct json *out)
{
	struct json_member *members =
		ARENA_ARRAY(f->a, struct json_member, t->len + 1);

	*out = (struct json){ JSON_OBJECT, t->len, { .members = members } };
	for (uint32_t i = 0; i < t->len; i++) {
		const struct type_attr *at = &t->attrs[i];
		struct json_member *m = &members[i];

		m->name = at->name;
		if (!put(f,
			 key.n ? STR_CAT(f->a, key, STR("."), at->name)
			       : at->name,
			 at->type, &m->value))
			return false;
	}
	return true;
}

static bool put(struct flat *f, struct str key, const struct type *t,
		struct json *out)
{
	*out = (struct json){ .kind = JSON_NULL };
	switch (t->kind) {
	case TYPE_OBJECT:
		return put_object(f, key, t, out);
	case TYPE_MAP:
		return put_map(f, key, t, out);
	case TYPE_SET:
		return put_set(f, key, t, out);
	case TYPE_LIST:
	case TYPE_TUPLE:
		return put_sequence(f, key, t, out);
	case TYPE_DYNAMIC:
		return false;
	default:
		out->text = text_at(f, key);
		if (out->text.p)
			out->kind = JSON_STRING;
		return true;
	}
}

const struct json *flatmap_json(struct arena *a, const struct json *flat,
				const struct type *t)
{
	struct flat f = { a, flat };
	struct json *out = ARENA_NEW(a, struct json);

	return put(&f, STR_NONE, t, out) ? out : NULL;
}
