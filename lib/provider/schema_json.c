/*
 * schema_json.c - schemas in the shape that `providers schema -json` has
 *
 * Writing and reading in one file: the stream carries the schemas in use in
 * this shape, and tf-show and tf-apply read them back.
 */
#include "provider/schema_cache.h"
#include "json/json.h"
#include "json/tree.h"
#include "json/write.h"
#include "value/type.h"

static const char *const nesting_names[] = {
	[NESTING_SINGLE] = "single", [NESTING_GROUP] = "group",
	[NESTING_LIST] = "list",     [NESTING_SET] = "set",
	[NESTING_MAP] = "map",
};

/* --- writing --- */

static void attrs_json(struct jw *w, const struct schema_attr *attrs, size_t n);

static void description_json(struct jw *w, struct str text, bool markdown,
			     bool deprecated, struct str message)
{
	if (text.n)
		jw_member_str(w, "description", text);
	jw_key(w, "description_kind");
	jw_cstr(w, markdown ? "markdown" : "plain");
	if (deprecated)
		jw_member_bool(w, "deprecated", true);
	if (message.n)
		jw_member_str(w, "deprecation_message", message);
}

static void flag_json(struct jw *w, const char *name, bool set)
{
	if (set)
		jw_member_bool(w, name, true);
}

static void attr_json(struct jw *w, const struct schema_attr *attr)
{
	jw_object(w);
	if (attr->nested) {
		jw_key(w, "nested_type");
		jw_object(w);
		attrs_json(w, attr->nested->block->attrs,
			   attr->nested->block->nattrs);
		jw_key(w, "nesting_mode");
		jw_cstr(w, nesting_names[attr->nested->nesting]);
		jw_object_end(w);
	} else {
		jw_key(w, "type");
		type_to_json(w, attr->type);
	}
	description_json(w, attr->description, attr->description_markdown,
			 attr->deprecated, attr->deprecation_message);
	flag_json(w, "required", attr->required);
	flag_json(w, "optional", attr->optional);
	flag_json(w, "computed", attr->computed);
	flag_json(w, "sensitive", attr->sensitive);
	flag_json(w, "write_only", attr->write_only);
	jw_object_end(w);
}

static void attrs_json(struct jw *w, const struct schema_attr *attrs, size_t n)
{
	if (n == 0)
		return;
	jw_key(w, "attributes");
	jw_object(w);
	for (size_t i = 0; i < n; i++) {
		jw_key_str(w, attrs[i].name);
		attr_json(w, &attrs[i]);
	}
	jw_object_end(w);
}

static void nested_json(struct jw *w, const struct schema_nested *n)
{
	jw_object(w);
	jw_key(w, "nesting_mode");
	jw_cstr(w, nesting_names[n->nesting]);
	jw_key(w, "block");
	schema_block_json(w, n->block);
	if (n->min_items)
		jw_member_int(w, "min_items", (int64_t)n->min_items);
	if (n->max_items)
		jw_member_int(w, "max_items", (int64_t)n->max_items);
	jw_object_end(w);
}

void schema_block_json(struct jw *w, const struct schema_block *b)
{
	jw_object(w);
	attrs_json(w, b->attrs, b->nattrs);
	if (b->nblocks) {
		jw_key(w, "block_types");
		jw_object(w);
		for (size_t i = 0; i < b->nblocks; i++) {
			jw_key_str(w, b->blocks[i].type_name);
			nested_json(w, &b->blocks[i]);
		}
		jw_object_end(w);
	}
	description_json(w, b->description, b->description_markdown,
			 b->deprecated, b->deprecation_message);
	jw_object_end(w);
}

/* --- reading --- */

static int read_nesting(const struct json *j, enum nesting *out)
{
	struct str name = json_get_str(j, "nesting_mode");

	for (int i = 0; i <= NESTING_MAP; i++) {
		if (str_is(name, nesting_names[i])) {
			*out = (enum nesting)i;
			return 0;
		}
	}
	return -1;
}

static int read_attrs(struct arena *a, const struct json *j,
		      const struct schema_attr **out, size_t *n);

static int read_attr(struct arena *a, const struct json *j,
		     struct schema_attr *attr)
{
	const struct json *type = json_get(j, "type");
	const struct json *nested = json_get(j, "nested_type");

	attr->description = json_get_str(j, "description");
	attr->description_markdown =
		str_is(json_get_str(j, "description_kind"), "markdown");
	attr->deprecated = json_get_bool(j, "deprecated", false);
	attr->deprecation_message = json_get_str(j, "deprecation_message");
	attr->required = json_get_bool(j, "required", false);
	attr->optional = json_get_bool(j, "optional", false);
	attr->computed = json_get_bool(j, "computed", false);
	attr->sensitive = json_get_bool(j, "sensitive", false);
	attr->write_only = json_get_bool(j, "write_only", false);
	if (nested) {
		struct schema_nested *n = ARENA_NEW(a, struct schema_nested);
		struct schema_block *b = ARENA_NEW(a, struct schema_block);

		n->block = b;
		attr->nested = n;
		if (read_nesting(nested, &n->nesting) < 0)
			return -1;
		return read_attrs(a, json_get(nested, "attributes"), &b->attrs,
				  &b->nattrs);
	}
	attr->type = type ? type_from_json(a, type) : NULL;
	return attr->type ? 0 : -1;
}

static int read_attrs(struct arena *a, const struct json *j,
		      const struct schema_attr **out, size_t *n)
{
	struct schema_attr *attrs;

	*out = NULL;
	*n = 0;
	if (!j)
		return 0;
	if (j->kind != JSON_OBJECT)
		return -1;
	attrs = ARENA_ARRAY(a, struct schema_attr, j->len);
	for (size_t i = 0; i < j->len; i++) {
		attrs[i].name = j->members[i].name;
		if (read_attr(a, &j->members[i].value, &attrs[i]) < 0)
			return -1;
	}
	schema_sort_attrs(attrs, j->len);
	*out = attrs;
	*n = j->len;
	return 0;
}

static int read_blocks(struct arena *a, const struct json *j,
		       struct schema_block *b)
{
	struct schema_nested *blocks;

	if (!j)
		return 0;
	if (j->kind != JSON_OBJECT)
		return -1;
	blocks = ARENA_ARRAY(a, struct schema_nested, j->len);
	for (size_t i = 0; i < j->len; i++) {
		const struct json *m = &j->members[i].value;

		blocks[i].type_name = j->members[i].name;
		blocks[i].block =
			schema_block_from_json(a, json_get(m, "block"));
		blocks[i].min_items = (uint64_t)json_get_int(m, "min_items", 0);
		blocks[i].max_items = (uint64_t)json_get_int(m, "max_items", 0);
		if (!blocks[i].block || read_nesting(m, &blocks[i].nesting) < 0)
			return -1;
	}
	b->blocks = blocks;
	b->nblocks = j->len;
	return 0;
}

/* Recursion is bounded: the JSON reader limits depth. */
const struct schema_block *schema_block_from_json(struct arena *a,
						  const struct json *j)
{
	struct schema_block *b = ARENA_NEW(a, struct schema_block);

	if (!j || j->kind != JSON_OBJECT ||
	    read_attrs(a, json_get(j, "attributes"), &b->attrs, &b->nattrs) <
		    0 ||
	    read_blocks(a, json_get(j, "block_types"), b) < 0)
		return NULL;
	b->description = json_get_str(j, "description");
	b->description_markdown =
		str_is(json_get_str(j, "description_kind"), "markdown");
	b->deprecated = json_get_bool(j, "deprecated", false);
	b->deprecation_message = json_get_str(j, "deprecation_message");
	schema_block_finish(a, b);
	return b;
}
