/*
 * type_text.c - types as text: friendly names, console notation, JSON
 *
 * Recursion is bounded by the depth of types (TYPE_DEPTH_MAX).
 */
#include "value/type.h"
#include "json/write.h"
#include "value/string.h"

/* --- friendly names --- */

static const char *const collection_names[] = {
	[TYPE_LIST] = "list", [TYPE_SET] = "set", [TYPE_MAP] = "map"
};

static const char *simple_name(const struct type *t)
{
	switch (t->kind) {
	case TYPE_BOOL:
		return "bool";
	case TYPE_NUMBER:
		return "number";
	case TYPE_STRING:
		return "string";
	case TYPE_TUPLE:
		return "tuple";
	case TYPE_OBJECT:
		return "object";
	default:
		return "dynamic";
	}
}

static struct str friendly(struct arena *a, const struct type *t,
			   const char *dynamic, const char *dynamic_elem)
{
	struct buf b = BUF_INIT;
	struct str s;

	while (type_is_collection(t)) {
		buf_addf(&b, "%s of ", collection_names[t->kind]);
		dynamic = dynamic_elem;
		t = t->elem;
	}
	buf_puts(&b, t->kind == TYPE_DYNAMIC ? dynamic : simple_name(t));
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

struct str type_friendly(struct arena *a, const struct type *t)
{
	return friendly(a, t, "dynamic", "dynamic");
}

struct str type_friendly_constraint(struct arena *a, const struct type *t)
{
	return friendly(a, t, "any type", "any single type");
}

/* --- the console's notation --- */

static void render(struct buf *b, const struct type *t, int level);

static void indent(struct buf *b, int level)
{
	while (level-- > 0)
		buf_puts(b, "    ");
}

static void render_object(struct buf *b, const struct type *t, int level)
{
	if (!t->len) {
		buf_puts(b, "object({})");
		return;
	}
	buf_puts(b, "object({\n");
	for (uint32_t i = 0; i < t->len; i++) {
		indent(b, level + 1);
		buf_str(b, t->attrs[i].name);
		buf_puts(b, ": ");
		render(b, t->attrs[i].type, level + 1);
		buf_puts(b, ",\n");
	}
	indent(b, level);
	buf_puts(b, "})");
}

static void render_tuple(struct buf *b, const struct type *t, int level)
{
	if (!t->len) {
		buf_puts(b, "tuple([])");
		return;
	}
	buf_puts(b, "tuple([\n");
	for (uint32_t i = 0; i < t->len; i++) {
		indent(b, level + 1);
		render(b, t->elems[i], level + 1);
		buf_puts(b, ",\n");
	}
	indent(b, level);
	buf_puts(b, "])");
}

static void render_collection(struct buf *b, const struct type *t, int level)
{
	bool wide = t->elem->kind == TYPE_OBJECT || t->elem->kind == TYPE_TUPLE;

	buf_addf(b, "%s(", collection_names[t->kind]);
	if (!wide) {
		render(b, t->elem, level);
	} else {
		buf_putc(b, '\n');
		indent(b, level + 1);
		render(b, t->elem, level + 1);
		buf_puts(b, ",\n");
		indent(b, level);
	}
	buf_putc(b, ')');
}

static void render(struct buf *b, const struct type *t, int level)
{
	switch (t->kind) {
	case TYPE_OBJECT:
		render_object(b, t, level);
		break;
	case TYPE_TUPLE:
		render_tuple(b, t, level);
		break;
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		render_collection(b, t, level);
		break;
	default:
		buf_puts(b, simple_name(t));
	}
}

void type_render(struct buf *b, const struct type *t)
{
	render(b, t, 0);
}

/* --- JSON --- */

static void object_to_json(struct jw *w, const struct type *t)
{
	bool optional = false;

	jw_object(w);
	for (uint32_t i = 0; i < t->len; i++) {
		jw_key_str(w, t->attrs[i].name);
		type_to_json(w, t->attrs[i].type);
		optional |= t->attrs[i].optional;
	}
	jw_object_end(w);
	if (!optional)
		return;
	jw_array(w);
	for (uint32_t i = 0; i < t->len; i++) {
		if (t->attrs[i].optional)
			jw_str(w, t->attrs[i].name);
	}
	jw_array_end(w);
}

void type_to_json(struct jw *w, const struct type *t)
{
	if (t->kind < TYPE_LIST) {
		jw_cstr(w, simple_name(t));
		return;
	}
	jw_array(w);
	if (type_is_collection(t)) {
		jw_cstr(w, collection_names[t->kind]);
		type_to_json(w, t->elem);
	} else if (t->kind == TYPE_TUPLE) {
		jw_cstr(w, "tuple");
		jw_array(w);
		for (uint32_t i = 0; i < t->len; i++)
			type_to_json(w, t->elems[i]);
		jw_array_end(w);
	} else {
		jw_cstr(w, "object");
		object_to_json(w, t);
	}
	jw_array_end(w);
}

static const struct type *simple_from_json(struct str name)
{
	if (str_is(name, "bool"))
		return &type_bool;
	if (str_is(name, "number"))
		return &type_number;
	if (str_is(name, "string"))
		return &type_string;
	if (str_is(name, "dynamic"))
		return &type_dynamic;
	return NULL;
}

static const struct type *tuple_from_json(struct arena *a, const struct json *j)
{
	const struct type **elems;

	if (j->kind != JSON_ARRAY)
		return NULL;
	elems = ARENA_ARRAY(a, const struct type *, j->len);
	for (uint32_t i = 0; i < j->len; i++) {
		elems[i] = type_from_json(a, &j->items[i]);
		if (!elems[i])
			return NULL;
	}
	return type_tuple(elems, j->len);
}

/* Sets the attributes that j, an array of names, lists. */
static bool mark_optional(struct arena *a, const struct json *j,
			  struct type_attr *attrs, uint32_t n)
{
	struct map names = { 0 };

	if (j->kind != JSON_ARRAY)
		return false;
	for (uint32_t i = 0; i < n; i++)
		map_put(a, &names, attrs[i].name, &attrs[i]);
	for (uint32_t i = 0; i < j->len; i++) {
		struct type_attr *attr;

		if (j->items[i].kind != JSON_STRING)
			return false;
		attr = map_get(&names, str_nfc(a, j->items[i].text));
		if (!attr)
			return false;
		attr->optional = true;
	}
	return true;
}

static const struct type *object_from_json(struct arena *a,
					   const struct json *j,
					   const struct json *optional)
{
	struct type_attr *attrs;

	if (j->kind != JSON_OBJECT)
		return NULL;
	attrs = ARENA_ARRAY(a, struct type_attr, j->len);
	for (uint32_t i = 0; i < j->len; i++) {
		attrs[i].name = str_nfc(a, j->members[i].name);
		attrs[i].type = type_from_json(a, &j->members[i].value);
		if (!attrs[i].type)
			return NULL;
	}
	if (optional && !mark_optional(a, optional, attrs, j->len))
		return NULL;
	return type_object(attrs, j->len);
}

const struct type *type_from_json(struct arena *a, const struct json *j)
{
	const struct type *elem;
	struct str name;

	if (j->kind == JSON_STRING)
		return simple_from_json(j->text);
	if (j->kind != JSON_ARRAY || j->len < 2 || j->len > 3 ||
	    j->items[0].kind != JSON_STRING)
		return NULL;
	name = j->items[0].text;
	if (str_is(name, "object"))
		return object_from_json(a, &j->items[1],
					j->len == 3 ? &j->items[2] : NULL);
	if (j->len != 2)
		return NULL;
	if (str_is(name, "tuple"))
		return tuple_from_json(a, &j->items[1]);
	elem = type_from_json(a, &j->items[1]);
	if (!elem)
		return NULL;
	if (str_is(name, "list"))
		return type_list(elem);
	if (str_is(name, "set"))
		return type_set(elem);
	if (str_is(name, "map"))
		return type_map(elem);
	return NULL;
}
