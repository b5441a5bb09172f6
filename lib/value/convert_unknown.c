/*
 * convert_unknown.c - null and unknown values; see convert.c
 *
 * They have a type only: the one asked for, with what it leaves open taken from
 * the one they had.
 */
#include "value/value_int.h"
#include "value/refine.h"

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

const struct value *convert_unknown(struct arena *a, const struct value *v,
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
