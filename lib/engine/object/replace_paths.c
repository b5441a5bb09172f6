/* replace_paths.c - which "requires replace" paths of a provider count, for the
 * plan and for the one made again when applying */
#include "engine/object/objchange.h"
#include "schema/objects.h"
#include "value/value.h"
#include "value/marks.h"

static bool is_write_only(const struct schema_block *b, struct path p)
{
	const struct schema_attr *attr = schema_attr_on_path(b, p, &p.len);

	return attr && attr->write_only;
}

static bool differ(struct arena *a, const struct value *was,
		   const struct value *is)
{
	const struct value *eq;

	if (!was)
		was = value_null(a, is->type);
	if (!is)
		is = value_null(a, was->type);
	eq = value_equals(a, value_unmark_deep(a, is, NULL),
			  value_unmark_deep(a, was, NULL));
	return !value_is_known(eq) || !eq->boolean;
}

bool replace_paths(struct arena *a, const struct schema_block *b,
		   const struct value *prior, const struct value *planned,
		   const struct path_vec *asked, struct path_vec *counts,
		   struct path_vec *absent)
{
	bool write_only = false;

	if (value_is_null(prior))
		return false;
	for (size_t i = 0; i < asked->len; i++) {
		const struct path p = asked->items[i];
		const struct value *was = path_get(a, prior, p);
		const struct value *is = path_get(a, planned, p);

		if (!was && !is) {
			vec_push(a, absent, p);
		} else if (differ(a, was, is)) {
			vec_push(a, counts, p);
		} else if (is_write_only(b, p)) {
			vec_push(a, counts, p);
			write_only = true;
		}
	}
	return write_only;
}
