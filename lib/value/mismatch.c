/*
 * mismatch.c - why one type does not convert to another; see convert.h
 *
 * Users and their tools know these texts, so they are OpenTofu's.  If several
 * attributes could be named, names the first in order.
 */
#include "value/value_int.h"
#include "value/marks.h"
#include "value/string.h"
#include "value/type.h"

static struct str mismatch(struct arena *a, const struct value *v,
			   const struct type *got, const struct type *want);

/* The part of v that is there for messages; within confidential values those
 * themselves. */
static const struct value *part_of(const struct value *v, uint32_t i)
{
	if (!v || marks_confidential(v->marks))
		return v;
	return value_usable(v) && i < v->len ? v->elems[i] : NULL;
}

static struct str finish(struct arena *a, struct buf *b)
{
	struct str s = buf_dup(a, b);

	buf_release(b);
	return s;
}

static struct str required(struct arena *a, const struct type *want)
{
	return str_printf(a, "%s required",
			  type_friendly_constraint(a, want).p);
}

static struct str at_name(struct arena *a, const char *what, struct str name,
			  struct str message)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "%s ", what);
	str_quote(&b, name);
	buf_addf(&b, ": %.*s", STR_ARG(message));
	return finish(a, &b);
}

/* attribute "a" is required; attributes "a", "b", and "c" are required */
static struct str missing(struct arena *a, const struct type *got,
			  const struct type *want, size_t n)
{
	struct buf b = BUF_INIT;
	size_t k = 0;

	buf_puts(&b, n == 1 ? "attribute " : "attributes ");
	for (uint32_t i = 0; i < want->len; i++) {
		const struct type_attr *attr = &want->attrs[i];

		if (attr->optional || type_attr_index(got, attr->name) >= 0)
			continue;
		k++;
		if (k > 1)
			buf_puts(&b, n == 2 ? " " : ", ");
		if (k > 1 && k == n)
			buf_puts(&b, "and ");
		str_quote(&b, attr->name);
	}
	buf_puts(&b, n == 1 ? " is required" : " are required");
	return finish(a, &b);
}

static struct str objects(struct arena *a, const struct value *v,
			  const struct type *got, const struct type *want)
{
	const struct type_attr *worst = NULL;
	const struct type *from = NULL;
	const struct value *part = NULL;
	bool worst_unsafe = false;
	size_t nmissing = 0;

	for (uint32_t i = 0; i < want->len; i++) {
		const struct type_attr *attr = &want->attrs[i];
		int at = type_attr_index(got, attr->name);
		const struct type *t;

		if (at < 0) {
			nmissing += !attr->optional;
			continue;
		}
		t = got->attrs[at].type;
		if (t == attr->type || worst_unsafe)
			continue;
		worst_unsafe = !conversion_exists(t, attr->type, true);
		if (worst_unsafe ||
		    (!worst && !conversion_exists(t, attr->type, false))) {
			worst = attr;
			from = t;
			part = part_of(v, (uint32_t)at);
		}
	}
	if (nmissing)
		return missing(a, got, want, nmissing);
	if (!worst)
		return STR("incorrect object attributes");
	return at_name(a, "attribute", worst->name,
		       mismatch(a, part, from, worst->type));
}

static bool part_fits(const struct type *got, const struct type *want)
{
	return got == want || conversion_exists(got, want, true);
}

static struct str collection_from_tuple(struct arena *a, const struct value *v,
					const struct type *got,
					const struct type *elem)
{
	for (uint32_t i = 0; i < got->len; i++) {
		if (!part_fits(got->elems[i], elem))
			return str_printf(a, "element %u: %s", (unsigned)i,
					  mismatch(a, part_of(v, i),
						   got->elems[i], elem)
						  .p);
	}
	return str_printf(a, "all elements must be %s",
			  type_friendly_constraint(a, elem).p);
}

/* The keys of a confidential value are not named. */
static struct str map_from_object(struct arena *a, const struct value *v,
				  const struct type *got,
				  const struct type *elem)
{
	bool named = !v || !marks_confidential(v->marks);

	for (uint32_t i = 0; i < got->len; i++) {
		if (named && !part_fits(got->attrs[i].type, elem))
			return at_name(a, "element", got->attrs[i].name,
				       mismatch(a, part_of(v, i),
						got->attrs[i].type, elem));
	}
	return str_printf(a, "all elements must be %s",
			  type_friendly_constraint(a, elem).p);
}

static struct str collection_from_structural(struct arena *a,
					     const struct value *v,
					     const struct type *got,
					     const struct type *want)
{
	bool any = want->elem == &type_dynamic;
	bool to_map = want->kind == TYPE_MAP;

	if (to_map != (got->kind == TYPE_OBJECT))
		return required(a, want);
	if (any && want->kind == TYPE_LIST)
		return STR("all list elements must have the same type");
	if (any && want->kind == TYPE_SET)
		return STR("all set elements must have the same type");
	if (any)
		return STR("all map elements must have the same type");
	return to_map ? map_from_object(a, v, got, want->elem)
		      : collection_from_tuple(a, v, got, want->elem);
}

static struct str collections(struct arena *a, const struct value *v,
			      const struct type *got, const struct type *want)
{
	static const char *const names[] = {
		[TYPE_LIST] = "list", [TYPE_SET] = "set", [TYPE_MAP] = "map"
	};

	if ((want->kind == TYPE_MAP) != (got->kind == TYPE_MAP))
		return required(a, want);
	return str_printf(a, "incorrect %s element type: %s", names[want->kind],
			  mismatch(a, part_of(v, 0), got->elem, want->elem).p);
}

/* Does naming both types help the reader more than the wanted one alone? */
static bool worth_naming_both(const struct type *got, const struct type *want)
{
	if (type_is_primitive(got) != type_is_primitive(want))
		return true;
	if (want == &type_string)
		return true;
	if ((want == &type_bool && got == &type_number) ||
	    (want == &type_number && got == &type_bool))
		return true;
	return got->kind == TYPE_TUPLE && want->kind == TYPE_OBJECT;
}

static struct str mismatch(struct arena *a, const struct value *v,
			   const struct type *got, const struct type *want)
{
	bool structural = got->kind == TYPE_TUPLE || got->kind == TYPE_OBJECT;

	if (got->kind == TYPE_OBJECT && want->kind == TYPE_OBJECT)
		return objects(a, v, got, want);
	if (structural && type_is_collection(want))
		return collection_from_structural(a, v, got, want);
	if (type_is_collection(got) && type_is_collection(want))
		return collections(a, v, got, want);
	if (worth_naming_both(got, want))
		return str_printf(a, "%s required, but have %s",
				  type_friendly(a, want).p,
				  type_friendly(a, got).p);
	return required(a, want);
}

struct str type_mismatch(struct arena *a, const struct type *got,
			 const struct type *want)
{
	return mismatch(a, NULL, got, want);
}

struct str value_mismatch(struct arena *a, const struct value *v,
			  const struct type *want)
{
	return mismatch(a, v, v->type, want);
}
