/* resource_object.c - see resource_object.h */
#include "engine/object/resource_object.h"
#include "base/base64.h"
#include "json/read.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/path.h"

void resource_object_read(struct arena *a, const struct resource_schema *schema,
			  const struct state_instance *si,
			  struct resource_object *out)
{
	*out = (struct resource_object){
		.tainted = si->tainted,
		.create_before_destroy = si->create_before_destroy,
		.skip_destroy = si->skip_destroy,
		.dependencies = si->dependencies,
		.ndependencies = si->ndependencies,
	};
	if (!base64_decode(a, si->private_data, &out->private_data))
		out->private_data = STR_NONE;
	if (si->identity.n && schema->identity) {
		struct json_error jerr;
		struct verror verr;
		const struct json *j = json_parse(a, si->identity, &jerr);

		if (j)
			out->identity =
				value_from_json(a, j, schema->identity->implied,
						&verr);
	}
}

static struct str value_text(struct arena *a, const struct value *v,
			     const struct type *t)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	value_to_json(&w, v, t);
	return buf_take(a, &b);
}

static struct str sensitive_paths(struct arena *a, const struct value *v)
{
	struct path_vec paths = { NULL, 0, 0 };
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!v->inner_marks)
		return STR("[]");
	value_marked_paths(a, v, MARK_SENSITIVE, &paths);
	jw_array(&w);
	for (size_t i = 0; i < paths.len; i++)
		path_to_state_json(&w, paths.items[i]);
	jw_array_end(&w);
	return buf_take(a, &b);
}

void resource_object_write_rest(struct arena *a,
				const struct resource_schema *schema,
				const struct resource_object *o,
				struct state_instance *si)
{
	si->tainted = o->tainted;
	si->create_before_destroy = o->create_before_destroy;
	si->skip_destroy = o->skip_destroy;
	si->schema_version = schema->version;
	si->private_data = o->private_data.n ? base64_encode(a, o->private_data)
					     : STR_NONE;
	si->identity =
		o->identity && schema->identity && value_usable(o->identity)
			? value_text(a, o->identity, schema->identity->implied)
			: STR_NONE;
	si->identity_schema_version = (uint64_t)schema->identity_version;
	si->identity_unversioned = false;
	si->dependencies = o->dependencies;
	si->ndependencies = o->ndependencies;
}

void resource_object_write(struct arena *a,
			   const struct resource_schema *schema,
			   const struct resource_object *o,
			   struct state_instance *si)
{
	const struct value *v =
		value_without_write_only(a, schema->block, o->value);

	resource_object_write_rest(a, schema, o, si);
	si->attributes = value_text(a, v, schema->block->implied);
	si->attributes_flat = STR_NONE;
	si->sensitive = sensitive_paths(a, v);
}
