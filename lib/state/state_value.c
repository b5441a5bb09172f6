/* state_value.c - see state_value.h */
#include "state/state_value.h"

#include "json/read.h"
#include "json/tree.h"
#include "value/codec_json_read.h"
#include "value/convert.h"
#include "value/path.h"
#include "value/path_json.h"

const struct value *state_instance_mark(struct arena *a,
					const struct state_instance *i,
					const struct value *v)
{
	struct path_vec paths = { 0 };
	struct json_error err;
	const struct json *j;

	if (!i->sensitive.n || str_is(i->sensitive, "[]"))
		return v;
	j = json_parse(a, i->sensitive, &err);
	for (uint32_t k = 0; j && j->kind == JSON_ARRAY && k < j->len; k++) {
		struct path p;

		if (path_from_state_json(a, &j->items[k], &p) == 0)
			vec_push(a, &paths, p);
	}
	return paths.len ? value_mark_paths(a, v, &paths, &marks_sensitive) : v;
}

const struct value *state_instance_value(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema)
{
	struct json_error jerr;
	struct verror err;
	const struct json *j = json_slice_tree(a, i->attributes, NULL);
	const struct value *v;

	if (!j)
		j = json_parse(a, i->attributes, &jerr);
	v = j ? value_from_json(a, j, schema->implied, &err) : NULL;
	if (!v)
		return NULL;
	return schema_mark_sensitive(a, state_instance_mark(a, i, v), schema);
}
