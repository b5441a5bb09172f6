/*
 * convert.c - conversion of values between types; see convert.h
 *
 * Which conversions exist, and those between primitive, object and tuple
 * types, and what becomes of unknown values.  Conversions that make collections
 * are in convert_coll.c.
 */
#include "value/convert.h"
#include "value/value_int.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/string.h"
#include "value/refine.h"

/* --- null and unknown values --- */

/* They have a type only: the one asked for, with what it leaves open taken from
 * the one they had. */

static const struct type *fill_elem(struct arena *a, const struct type *in,
				    const struct type *out)
{
	if (type_is_collection(in))
		return convert_open_type(a, in->elem, out->elem);
	if (in->kind == TYPE_TUPLE || in->kind == TYPE_OBJECT)
		return convert_open_type(a, unify_parts(in, true), out->elem);
	return out->elem;
}

static const struct type *fill_object(struct arena *a, const struct type *in,
				      const struct type *out)
{
	struct type_attr *attrs = arena_alloc(a, out->len * sizeof(*attrs));

	for (uint32_t i = 0; i < out->len; i++) {
		const struct type *from = NULL;
		int at = type_attr_index(in, out->attrs[i].name);

		if (in->kind == TYPE_MAP)
			from = in->elem;
		else if (at >= 0)
			from = in->attrs[at].type;
		attrs[i] = out->attrs[i];
		attrs[i].type = convert_open_type(a, from, attrs[i].type);
	}
	return type_object(attrs, out->len);
}

static const struct type *fill_tuple(struct arena *a, const struct type *in,
				     const struct type *out)
{
	const struct type **elems = arena_alloc(a, out->len * sizeof(*elems));

	for (uint32_t i = 0; i < out->len; i++)
		elems[i] =
			convert_open_type(a,
					  in->kind == TYPE_TUPLE && i < in->len
						  ? in->elems[i]
						  : NULL,
					  out->elems[i]);
	return type_tuple(elems, out->len);
}

const struct type *convert_open_type(struct arena *a, const struct type *in,
				     const struct type *out)
{
	if (!in || in == &type_dynamic || !out->has_dynamic)
		return out;
	switch (out->kind) {
	case TYPE_DYNAMIC:
		return in;
	case TYPE_LIST:
		return type_list(fill_elem(a, in, out));
	case TYPE_SET:
		return type_set(fill_elem(a, in, out));
	case TYPE_MAP:
		return type_map(fill_elem(a, in, out));
	case TYPE_OBJECT:
		return fill_object(a, in, out);
	case TYPE_TUPLE:
		return fill_tuple(a, in, out);
	default:
		return out;
	}
}

/* The unknown v as an unknown of type out; keeps as much of its refinements as
 * the types allow. */
static const struct value *convert_unknown(struct arena *a,
					   const struct value *v,
					   const struct type *out)
{
	const struct refinement *from = value_refinement(v);
	struct refinement r = refinement_none;
	const struct type *in = v->type;

	r.not_null = from->not_null;
	if ((in->kind == TYPE_OBJECT && out->kind == TYPE_MAP) ||
	    (in->kind == TYPE_TUPLE && out->kind == TYPE_LIST)) {
		r.len_min = r.len_max = in->len;
	} else if (in->kind == TYPE_TUPLE && out->kind == TYPE_SET) {
		r.len_min = in->len > 0;
		r.len_max = in->len;
	} else if (type_is_collection(in) && type_is_collection(out)) {
		r.len_min = from->len_min;
		if (out->kind == TYPE_SET && r.len_min > 1)
			r.len_min = 1;
		r.len_max = from->len_max;
	}
	return value_unknown_refined(a, out, &r);
}

/* --- values --- */

/* --- which conversions exist --- */

static bool part_converts(const struct type *in, const struct type *out,
			  bool unsafe)
{
	return in == out || conversion_exists(in, out, unsafe);
}

static bool primitives_convert(const struct type *in, const struct type *out,
			       bool unsafe)
{
	if (out == &type_string)
		return in != &type_string;
	return unsafe && in == &type_string;
}

static bool objects_convert(const struct type *in, const struct type *out,
			    bool unsafe)
{
	for (uint32_t i = 0; i < out->len; i++) {
		const struct type_attr *attr = &out->attrs[i];
		int at = type_attr_index(in, attr->name);

		if (at < 0 ? !attr->optional
			   : !part_converts(in->attrs[at].type, attr->type,
					    unsafe))
			return false;
	}
	return true;
}

static bool tuples_convert(const struct type *in, const struct type *out,
			   bool unsafe)
{
	if (in->len != out->len)
		return false;
	for (uint32_t i = 0; i < out->len; i++) {
		if (!part_converts(in->elems[i], out->elems[i], unsafe))
			return false;
	}
	return true;
}

static bool all_dynamic(const struct type *tuple)
{
	for (uint32_t i = 0; i < tuple->len; i++) {
		if (tuple->elems[i] != &type_dynamic)
			return false;
	}
	return true;
}

static bool tuple_to_collection(const struct type *in, const struct type *elem,
				bool unsafe)
{
	if (!in->len)
		return true;
	if (elem == &type_dynamic) {
		elem = unify_parts(in, unsafe);
		if (!elem || (elem == &type_dynamic && !all_dynamic(in)))
			return false;
	}
	for (uint32_t i = 0; i < in->len; i++) {
		if (!part_converts(in->elems[i], elem, unsafe))
			return false;
	}
	return true;
}

static bool object_to_map(const struct type *in, const struct type *elem,
			  bool unsafe)
{
	if (in->len && elem == &type_dynamic) {
		elem = unify_parts(in, unsafe);
		if (!elem)
			return false;
	}
	for (uint32_t i = 0; i < in->len; i++) {
		if (!part_converts(in->attrs[i].type, elem, unsafe))
			return false;
	}
	return true;
}

/* Optional attributes need not convert: the map may not have them. */
static bool map_to_object(const struct type *elem, const struct type *out)
{
	for (uint32_t i = 0; i < out->len; i++) {
		if (!out->attrs[i].optional &&
		    !part_converts(elem, out->attrs[i].type, true))
			return false;
	}
	return true;
}

bool conversion_exists(const struct type *in, const struct type *out,
		       bool unsafe)
{
	enum type_kind k = in->kind;

	if (out->kind == TYPE_DYNAMIC || (unsafe && k == TYPE_DYNAMIC))
		return true;
	switch (out->kind) {
	case TYPE_LIST:
		if (k == TYPE_LIST || k == TYPE_SET)
			return part_converts(in->elem, out->elem, unsafe);
		return k == TYPE_TUPLE &&
		       tuple_to_collection(in, out->elem, unsafe);
	case TYPE_SET:
		if (k == TYPE_SET || (k == TYPE_LIST && unsafe))
			return part_converts(in->elem, out->elem, unsafe);
		return k == TYPE_TUPLE &&
		       tuple_to_collection(in, out->elem, unsafe);
	case TYPE_MAP:
		if (k == TYPE_MAP)
			return conversion_exists(in->elem, out->elem, unsafe);
		return k == TYPE_OBJECT && object_to_map(in, out->elem, unsafe);
	case TYPE_OBJECT:
		if (k == TYPE_OBJECT)
			return objects_convert(in, out, unsafe);
		return k == TYPE_MAP && unsafe && map_to_object(in->elem, out);
	case TYPE_TUPLE:
		return k == TYPE_TUPLE && tuples_convert(in, out, unsafe);
	default:
		return type_is_primitive(in) &&
		       primitives_convert(in, out, unsafe);
	}
}

/* --- primitive values --- */

static bool same_word(struct str s, const char *word)
{
	if (s.n != strlen(word))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != word[i])
			return false;
	}
	return true;
}

static const struct value *string_to_bool(struct conversion *c,
					  const struct frame *at, struct str s)
{
	if (str_is(s, "true") || str_is(s, "1"))
		return &value_true;
	if (str_is(s, "false") || str_is(s, "0"))
		return &value_false;
	if (same_word(s, "true"))
		return convert_fail(
			c, at,
			STR("a bool is required; to convert from string, use lowercase \"true\""));
	if (same_word(s, "false"))
		return convert_fail(
			c, at,
			STR("a bool is required; to convert from string, use lowercase \"false\""));
	return convert_fail(c, at, STR("a bool is required"));
}

static const struct value *convert_primitive(struct conversion *c,
					     const struct frame *at,
					     const struct value *v,
					     const struct type *out)
{
	const struct value *n;

	if (out == &type_string) {
		if (v->type == &type_bool)
			return value_string(c->arena, v->boolean
							      ? STR("true")
							      : STR("false"));
		return value_string(c->arena, value_number_text(c->arena, v));
	}
	if (out == &type_bool)
		return string_to_bool(c, at, v->string);
	n = value_number_parse(c->arena, v->string);
	return n ? n : convert_fail(c, at, STR("a number is required"));
}

/* --- objects and tuples --- */

const struct value *convert_part(struct conversion *c, const struct frame *at,
				 const struct value *v, const struct type *out)
{
	v = convert_at(c, at, v, out);
	if (v && v->state == VALUE_NULL && v->marks)
		return value_null(c->arena, v->type);
	return v;
}

static const struct value *object_to_object(struct conversion *c,
					    const struct frame *at,
					    const struct value *v,
					    const struct type *out)
{
	struct str *names = arena_alloc(c->arena, out->len * sizeof(*names));
	const struct value **elems =
		arena_alloc(c->arena, out->len * sizeof(*elems));

	for (uint32_t i = 0; i < out->len; i++) {
		struct frame here = frame_attr(at, out->attrs[i].name);
		int from = type_attr_index(v->type, out->attrs[i].name);

		names[i] = out->attrs[i].name;
		elems[i] = from < 0 ? value_null(c->arena, out->attrs[i].type)
				    : convert_part(c, &here, v->elems[from],
						   out->attrs[i].type);
		if (!elems[i])
			return NULL;
	}
	return value_object(c->arena, names, elems, out->len);
}

static const struct value *tuple_to_tuple(struct conversion *c,
					  const struct frame *at,
					  const struct value *v,
					  const struct type *out)
{
	const struct value **elems =
		arena_alloc(c->arena, out->len * sizeof(*elems));

	for (uint32_t i = 0; i < out->len; i++) {
		struct frame here = frame_index(at, i);

		elems[i] = convert_at(c, &here, v->elems[i], out->elems[i]);
		if (!elems[i])
			return NULL;
	}
	return value_tuple(c->arena, elems, out->len);
}

static const struct value *fail_named(struct conversion *c,
				      const struct frame *at, const char *what,
				      struct str name, struct str why)
{
	struct buf b = BUF_INIT;
	struct str text;

	buf_puts(&b, what);
	str_quote(&b, name);
	if (why.n)
		buf_addf(&b, ": %.*s", STR_ARG(why));
	text = buf_dup(c->arena, &b);
	buf_release(&b);
	return convert_fail(c, at, text);
}

/* The elements that the object has attributes for, in elems; 0 or -1. */
static int map_elements(struct conversion *c, const struct frame *at,
			const struct value *map, const struct type *out,
			const struct value **elems)
{
	for (uint32_t i = 0; i < map->len; i++) {
		struct frame here = frame_key(at, map->keys[i]);
		int to = type_attr_index(out, map->keys[i]);
		const struct type *want;

		if (to < 0)
			continue;
		want = out->attrs[to].type;
		if (!part_converts(map->type->elem, want, true)) {
			fail_named(
				c, at,
				"map element type is incompatible with attribute ",
				map->keys[i],
				type_mismatch(c->arena, map->type->elem, want));
			return -1;
		}
		elems[to] = convert_part(c, &here, map->elems[i], want);
		if (!elems[to])
			return -1;
	}
	return 0;
}

static const struct value *map_to_object_at(struct conversion *c,
					    const struct frame *at,
					    const struct value *v,
					    const struct type *out)
{
	struct str *names = arena_alloc(c->arena, out->len * sizeof(*names));
	const struct value **elems =
		arena_alloc0(c->arena, out->len * sizeof(*elems));

	if (map_elements(c, at, v, out, elems) < 0)
		return NULL;
	for (uint32_t i = 0; i < out->len; i++) {
		names[i] = out->attrs[i].name;
		if (elems[i])
			continue;
		if (!out->attrs[i].optional)
			return fail_named(
				c, at,
				"map has no element for required attribute ",
				names[i], STR_NONE);
		elems[i] = value_null(c->arena, out->attrs[i].type);
	}
	return value_object(c->arena, names, elems, out->len);
}

/* --- all together --- */

static const struct value *convert_known(struct conversion *c,
					 const struct frame *at,
					 const struct value *v,
					 const struct type *out)
{
	switch (out->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return convert_collection(c, at, v, out);
	case TYPE_OBJECT:
		if (v->type->kind == TYPE_MAP)
			return map_to_object_at(c, at, v, out);
		return object_to_object(c, at, v, out);
	case TYPE_TUPLE:
		return tuple_to_tuple(c, at, v, out);
	default:
		return convert_primitive(c, at, v, out);
	}
}

const struct value *convert_at(struct conversion *c, const struct frame *at,
			       const struct value *v, const struct type *out)
{
	struct arena *a = c->arena;
	const struct value *w;
	const struct marks *m;

	if (v->type == out || out == &type_dynamic)
		return v;
	v = value_unmark(a, v, &m);
	if (v->state == VALUE_KNOWN) {
		w = convert_known(c, at, v, out);
	} else {
		out = convert_open_type(a, v->type, type_without_optional(out));
		w = v->state == VALUE_NULL ? value_null(a, out)
					   : convert_unknown(a, v, out);
	}
	return w ? value_with_marks(a, w, m) : NULL;
}

/* The texts of frames may be gone when the path is looked at. */
static struct path_step lasting_step(struct arena *a, const struct frame *f)
{
	struct path_step s = { STR_NONE, NULL };

	if (f->index.type)
		s.index = value_copy(a, &f->index);
	else
		s.attr = str_dup(a, f->attr);
	return s;
}

const struct value *convert_fail(struct conversion *c, const struct frame *at,
				 struct str message)
{
	struct path_step *steps;
	size_t n = 0;

	for (const struct frame *f = at; f; f = f->up)
		n++;
	steps = arena_alloc(c->arena, n * sizeof(*steps));
	c->err->path = (struct path){ steps, n };
	for (const struct frame *f = at; f; f = f->up)
		steps[--n] = lasting_step(c->arena, f);
	c->err->message = message;
	return NULL;
}

bool type_convertible(const struct type *from, const struct type *to)
{
	return from == type_without_optional(to) ||
	       conversion_exists(from, to, true);
}

/* Leaves out the steps into a confidential value: a key is part of it. */
static void cut_path(struct arena *a, const struct value *v, struct path *p)
{
	const struct path whole = *p;

	for (p->len = 0; p->len < whole.len; p->len++) {
		if (!v || marks_confidential(v->marks))
			return;
		v = path_get(a, v, (struct path){ whole.steps + p->len, 1 });
	}
}

const struct value *convert(struct arena *a, const struct value *v,
			    const struct type *t, struct verror *err)
{
	struct conversion c = { a, err };
	const struct value *r;

	if (v->type == type_without_optional(t))
		return v;
	if (!conversion_exists(v->type, t, true))
		return convert_fail(&c, NULL, value_mismatch(a, v, t));
	r = convert_at(&c, NULL, v, t);
	if (!r)
		cut_path(a, v, &err->path);
	return r;
}

struct str verror_text(struct arena *a, const struct verror *e)
{
	struct str where;

	if (!e->path.len)
		return e->message;
	where = path_text(a, e->path);
	return str_printf(a, "%.*s: %.*s", STR_ARG(where), STR_ARG(e->message));
}
