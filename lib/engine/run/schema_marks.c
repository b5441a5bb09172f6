/*
 * schema_marks.c - marks by the schema on the values that references see
 *
 * Attributes that the provider has deprecated warn where they are used, not
 * where they are stored, so these marks are made for references alone.
 */
#include "config/module.h"
#include "engine/run/run_int.h"
#include "schema/objects.h"
#include "value/marks.h"

/* by: the address of the resource and the path, as messages name it. */
static const struct value *with_cause(struct arena *a, const struct value *v,
				      struct str by, struct str message,
				      bool remote)
{
	struct deprecation *d = ARENA_NEW(a, struct deprecation);
	struct marks *m = ARENA_NEW(a, struct marks);

	*d = (struct deprecation){ by, message, remote };
	*m = (struct marks){ MARK_DEPRECATED, 1, d };
	return value_with_marks(a, v, m);
}

struct seen_as {
	struct str resource;
	bool remote;
};

static const struct value *deprecate(struct schema_walk *w,
				     const struct schema_attr *attr,
				     const struct value *v, const struct at *at)
{
	const struct seen_as *s = w->data;
	struct str by = str_printf(w->a, "%.*s%.*s", STR_ARG(s->resource),
				   STR_ARG(path_text(w->a, at_path(w->a, at))));

	return with_cause(w->a, v, by, attr->deprecation_message, s->remote);
}

static bool is_marked(const struct schema_attr *attr)
{
	return attr->sensitive || attr->deprecated;
}

/* OpenTofu (configschema's ContainsMarks) looks for marks where an attribute
 * has some, so a type that is deprecated as a whole warns only then. */
const struct value *run_resource_as_seen(struct run_resource *rr,
					 const struct value *v)
{
	struct arena *a = rr->module->run->arena;
	const struct schema_block *block =
		rr->schema ? rr->schema->block : NULL;
	struct buf b = BUF_INIT;
	struct seen_as seen = { .resource = STR_NONE };
	struct schema_walk w = { a, schema_attr_is_deprecated, deprecate,
				 &seen };

	if (rr->plain || !block)
		return v;
	if (!schema_any(block, is_marked)) {
		rr->plain = true;
		return v;
	}
	resource_addr_print(&b, rr->config->addr);
	seen.resource = buf_dup(a, &b);
	seen.remote = config_is_remote(rr->module->config);
	buf_release(&b);
	v = schema_walk(&w, block, v);
	return block->deprecated
		       ? with_cause(a, v, seen.resource,
				    block->deprecation_message, seen.remote)
		       : v;
}
