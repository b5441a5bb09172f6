/* decode_resource.c - resource, data and ephemeral blocks */
#include "config/decode/decode_int.h"
#include "config/module.h"
#include "lang/syntax/body.h"

static const struct attr_schema attrs[] = {
	{ "count", false },      { "for_each", false }, { "provider", false },
	{ "depends_on", false }, { NULL, false },
};
static const struct block_schema resource_blocks[] = {
	{ "locals", { NULL } }, /* reserved */
	{ "lifecycle", { NULL } },
	{ "connection", { NULL } },
	{ "provisioner", { "type" } },
	{ "_", { NULL } },
	{ NULL, { NULL } },
};
static const struct block_schema data_blocks[] = {
	{ "lifecycle", { NULL } },
	{ "locals", { NULL } }, /* reserved */
	{ "_", { NULL } },
	{ NULL, { NULL } },
};
static const struct body_schema resource_schema = { attrs, resource_blocks };
static const struct body_schema data_schema = { attrs, data_blocks };

/* Texts that differ by mode. */
static const struct mode_text {
	const char *bad_type, *bad_name; /* summaries */
	const char *block;               /* the block's type */
	const char *what;                /* "This … has a lifecycle block" */
	const char *many;
} texts[] = {
	[MODE_MANAGED] = { "Invalid resource type name",
			   "Invalid resource name", "resource",
			   "This resource's lifecycle block", "resources" },
	[MODE_DATA] = { "Invalid data source name",
			"Invalid data resource name", "data",
			"This resource's lifecycle block", "data sources" },
	[MODE_EPHEMERAL] = { "Invalid ephemeral resource type name",
			     "Invalid ephemeral resource name", "ephemeral",
			     "This ephemeral resource's lifecycle block",
			     "ephemeral resources" },
};

/* One resource block being decoded. */
struct resource_work {
	struct decoder *d;
	const struct mode_text *text;
	struct cfg_resource *r;
	struct repeating repetition;
	bool nested; /* a data block in a check */
	const struct block *lifecycle, *connection, *escape;
};

static void not_in_nested(struct resource_work *w, const struct attribute *at)
{
	struct range r = attribute_name_range(at);

	diag_error(w->d->ds, &r,
		   arena_printf(w->d->a, "Invalid \"%.*s\" attribute",
				STR_ARG(at->name)),
		   "A nested data block cannot use \"%.*s\".",
		   STR_ARG(at->name));
}

static void take_repetition(struct resource_work *w,
			    const struct body_content *c)
{
	const struct attribute *count = content_attr(c, "count");
	const struct attribute *each = content_attr(c, "for_each");

	if (w->nested) {
		if (count)
			not_in_nested(w, count);
		if (each)
			not_in_nested(w, each);
		return;
	}
	if (count) {
		w->r->count = w->repetition.count = count->expr;
		w->repetition.count_at = attribute_name_range(count);
	}
	if (each) {
		w->r->for_each = w->repetition.for_each = each->expr;
		w->repetition.for_each_at = attribute_name_range(each);
	}
}

static void take_attrs(struct resource_work *w, const struct body_content *c)
{
	const struct attribute *at;
	struct cfg_provider_ref *ref;

	take_repetition(w, c);
	if ((at = content_attr(c, "provider"))) {
		ref = ARENA_NEW(w->d->a, struct cfg_provider_ref);
		decode_provider_ref(w->d, at->expr, "provider", ref);
		w->r->provider_ref = ref;
	}
	decode_depends_on(w->d, content_attr(c, "depends_on"),
			  &w->r->depends_on);
}

static void take_lifecycle(struct resource_work *w, const struct block *b)
{
	struct range at = block_range(b);

	if (w->nested)
		diag_error(w->d->ds, &at, "Invalid lifecycle block",
			   "A nested data block has no lifecycle of its own: "
			   "the block around it manages it.");
	if (decode_is_duplicate(w->d, b, &w->lifecycle,
				"Duplicate lifecycle block", w->text->what))
		return;
	w->r->lifecycle = decode_lifecycle(w->d, b, w->r);
}

static void not_ephemeral(struct resource_work *w, const struct block *b)
{
	struct range at = block_range(b);

	diag_error(w->d->ds, &at,
		   "Invalid configuration block for ephemeral resource",
		   "\"%.*s\" blocks belong in \"resource\" blocks only.",
		   STR_ARG(b->type));
}

static void take_block(struct resource_work *w, const struct block *b)
{
	struct decoder *d = w->d;
	bool ephemeral = w->r->addr.mode == MODE_EPHEMERAL;
	struct range at = source_range(b->src, b->type_span);
	struct cfg_provisioner *p;

	if (str_is(b->type, "lifecycle")) {
		take_lifecycle(w, b);
	} else if (str_is(b->type, "_")) {
		if (!decode_is_duplicate(d, b, &w->escape,
					 "Duplicate escaping block",
					 "The escaping block of this block"))
			w->r->body = body_merge(d->a, BODY_UNION, w->r->body,
						b->body);
	} else if (ephemeral && !str_is(b->type, "locals")) {
		not_ephemeral(w, b);
	} else if (str_is(b->type, "connection")) {
		if (!decode_is_duplicate(d, b, &w->connection,
					 "Duplicate connection block",
					 "This resource's connection block"))
			w->r->connection = b->body;
	} else if (str_is(b->type, "provisioner")) {
		p = decode_provisioner(d, b);
		if (p)
			vec_push(d->a, &w->r->provisioners, *p);
	} else {
		diag_error(
			d->ds, &at,
			arena_printf(d->a,
				     "Reserved block type name in %s block",
				     w->text->block),
			"The block type \"%.*s\" is reserved for a future version.",
			STR_ARG(b->type));
	}
}

/* A connection of destroy-time provisioners is evaluated at destroy time. */
static void check_connection(struct resource_work *w)
{
	struct cfg_resource *r = w->r;

	for (size_t i = 0; r->connection && i < r->provisioners.len; i++)
		if (r->provisioners.items[i].when_destroy) {
			check_only_self(w->d, r->connection);
			return;
		}
}

static struct cfg_resource *decode(struct decoder *d, const struct block *b,
				   enum resource_mode mode, bool nested)
{
	const struct body_schema *schema =
		mode == MODE_DATA ? &data_schema : &resource_schema;
	struct cfg_resource *r = cfg_resource_new(d->a);
	struct resource_work w = {
		.d = d, .text = &texts[mode], .r = r, .nested = nested
	};
	struct body_content c;

	r->addr.mode = mode;
	r->addr.type = b->labels[0].text;
	r->addr.name = b->labels[1].text;
	r->at = block_range(b);
	r->type_at = label_range(b, 0);
	body_partial(d->a, b->body, schema, &c, &r->body, d->ds);
	check_name(d, b, 0, w.text->bad_type);
	check_name(d, b, 1, w.text->bad_name);
	take_attrs(&w, &c);
	for (size_t i = 0; i < c.blocks.len; i++)
		take_block(&w, &c.blocks.items[i]);
	w.repetition.enabled = r->lifecycle->enabled;
	w.repetition.enabled_at = r->lifecycle->enabled_at;
	check_repetition(d, &w.repetition, w.text->many);
	check_connection(&w);
	return r;
}

void decode_resource(struct decoder *d, const struct block *b,
		     enum resource_mode mode)
{
	vec_push(d->a, &d->out->resources, decode(d, b, mode, false));
}

struct cfg_resource *decode_nested_data(struct decoder *d,
					const struct block *b)
{
	size_t errors = d->ds->errors;
	struct cfg_resource *r = decode(d, b, MODE_DATA, true);

	return d->ds->errors > errors ? NULL : r;
}
