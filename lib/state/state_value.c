/* state_value.c - see state.h */
#include "state/state.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "state/flatmap.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/path.h"
#include "value/string.h"

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

static const struct json *parsed(struct arena *a, struct str text)
{
	struct json_error err;
	const struct json *j = json_slice_tree(a, text, NULL);

	return j ? j : json_parse(a, text, &err);
}

/* --- what the schema does not have --- */

static const struct json *fitting(struct arena *a, const struct json *j,
				  const struct type *t);

static const struct json *fitting_members(struct arena *a, const struct json *j,
					  const struct type *t)
{
	struct json_member *kept = arena_alloc(a, j->len * sizeof(*kept));
	struct json *out = arena_alloc(a, sizeof(*out));
	bool same = true;

	*out = (struct json){ .kind = JSON_OBJECT, .members = kept };
	for (uint32_t i = 0; i < j->len; i++) {
		const struct json_member *m = &j->members[i];
		const struct type *below = t->elem;
		const struct json *v;

		if (t->kind == TYPE_OBJECT) {
			int to = type_attr_index(t, str_nfc(a, m->name));

			if (to < 0) {
				same = false;
				continue;
			}
			below = t->attrs[to].type;
		}
		v = fitting(a, &m->value, below);
		same = same && v == &m->value;
		kept[out->len++] = (struct json_member){ m->name, *v };
	}
	return same ? j : out;
}

static const struct json *fitting_items(struct arena *a, const struct json *j,
					const struct type *t)
{
	struct json *items = arena_alloc(a, j->len * sizeof(*items));
	struct json *out = arena_alloc(a, sizeof(*out));
	bool same = true;

	for (uint32_t i = 0; i < j->len; i++) {
		const struct json *v = fitting(a, &j->items[i], t->elem);

		same = same && v == &j->items[i];
		items[i] = *v;
	}
	*out = (struct json){ JSON_ARRAY, j->len, { .items = items } };
	return same ? j : out;
}

/* j without the attributes that type t lacks; j itself if there are none. */
static const struct json *fitting(struct arena *a, const struct json *j,
				  const struct type *t)
{
	bool list = t->kind == TYPE_LIST || t->kind == TYPE_SET;

	if (j->kind == JSON_OBJECT &&
	    (t->kind == TYPE_OBJECT || t->kind == TYPE_MAP))
		return fitting_members(a, j, t);
	return j->kind == JSON_ARRAY && list ? fitting_items(a, j, t) : j;
}

struct str state_attributes_fitting(struct arena *a, struct str attributes,
				    const struct schema_block *schema)
{
	const struct json *j = parsed(a, attributes);
	const struct json *kept = j ? fitting(a, j, schema->implied) : NULL;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (kept == j)
		return attributes;
	jw_json(&w, kept);
	return buf_take(a, &b);
}

/* --- values --- */

/* The attributes as JSON of the schema's type. */
static const struct json *tree_of(struct arena *a,
				  const struct state_instance *i,
				  struct str attributes,
				  const struct schema_block *schema)
{
	const struct json *flat;

	if (attributes.n || !i->attributes_flat.n)
		return parsed(a, attributes);
	flat = parsed(a, i->attributes_flat);
	return flat ? flatmap_json(a, flat, schema->implied) : NULL;
}

/* By the schema's type, with the marks that the state has.  NULL: it does not
 * fit. */
static const struct value *exact(struct arena *a,
				 const struct state_instance *i,
				 struct str attributes,
				 const struct schema_block *schema)
{
	struct verror err;
	const struct json *j = tree_of(a, i, attributes, schema);
	const struct value *v =
		j ? value_from_json(a, j, schema->implied, &err) : NULL;

	return v ? state_instance_mark(a, i, v) : NULL;
}

/* The object by the schema's type, without what the schema does not have. */
static const struct value *decoded(struct arena *a,
				   const struct state_instance *i,
				   const struct schema_block *schema)
{
	const struct value *v = exact(a, i, i->attributes, schema);
	struct str less;

	if (v)
		return v;
	less = state_attributes_fitting(a, i->attributes, schema);
	return less.p == i->attributes.p ? NULL : exact(a, i, less, schema);
}

const struct value *state_instance_exact(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema)
{
	const struct value *v = exact(a, i, i->attributes, schema);

	return v ? schema_mark_sensitive(a, v, schema) : NULL;
}

const struct value *state_instance_value(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema)
{
	const struct value *v = decoded(a, i, schema);

	return v ? schema_mark_sensitive(a, v, schema) : NULL;
}

const struct value *state_instance_published(struct arena *a,
					     const struct state_instance *i,
					     const struct schema_block *schema)
{
	const struct value *v = decoded(a, i, schema);

	if (!v)
		return NULL;
	return i->deposed.n ? schema_mark_sensitive(a, v, schema)
			    : schema_mark_published(a, v, schema);
}

const struct value *state_instance_as_written(struct arena *a,
					      const struct state_instance *i)
{
	const struct json *j = parsed(a, i->attributes);
	const struct value *v = j ? value_from_json_implied(a, j) : NULL;

	return v ? state_instance_mark(a, i, v) : NULL;
}

struct str state_instance_misfit(struct arena *a,
				 const struct state_instance *i,
				 const struct schema_block *schema)
{
	struct verror err = { .message = STR("it is no JSON") };
	const struct json *j = tree_of(a, i, i->attributes, schema);

	if (j)
		value_from_json(a, fitting(a, j, schema->implied),
				schema->implied, &err);
	return err.message;
}
