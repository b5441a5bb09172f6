/* decode_call.c - module blocks */
#include "config/decode/decode_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"

static const struct attr_schema attrs[] = {
	{ "source", true },    { "version", false },    { "count", false },
	{ "for_each", false }, { "depends_on", false }, { "providers", false },
	{ NULL, false },
};
static const struct attr_schema override_attrs[] = {
	{ "source", false },   { "version", false },    { "count", false },
	{ "for_each", false }, { "depends_on", false }, { "providers", false },
	{ NULL, false },
};
static const struct block_schema blocks[] = {
	{ "_", { NULL } },          { "lifecycle", { NULL } },
	{ "locals", { NULL } },     /* reserved */
	{ "provider", { "type" } }, /* reserved */
	{ NULL, { NULL } },
};

static const struct attr_schema lifecycle_attrs[] = {
	{ "enabled", false },
	{ NULL, false },
};
static const struct block_schema no_blocks[] = { { NULL, { NULL } } };
static const struct body_schema lifecycle_schema = { lifecycle_attrs,
						     no_blocks };

/* providers = { child = parent, … } */
void decode_passes(struct decoder *d, const struct attribute *at,
		   struct cfg_call *call)
{
	struct expression *keys, *values;
	struct map seen = { 0 };
	size_t n;

	call->providers_given = true;
	if (expression_map(d->a, at->expr, &keys, &values, &n, d->ds))
		return;
	for (size_t i = 0; i < n; i++) {
		struct cfg_provider_ref child = { 0 }, parent = { 0 };
		struct range value_at = expression_range(values[i]);
		struct range *prev, *pair;
		struct str name;
		int rc = decode_provider_ref(d, keys[i], "providers", &child);

		if (decode_provider_ref(d, values[i], "providers", &parent) ||
		    rc)
			continue;
		name = provider_ref_name(d->a, &child);
		prev = map_get(&seen, name);
		if (prev) {
			diag_error(
				d->ds, &value_at, "Duplicate provider address",
				"A configuration for %.*s is passed at %s already.",
				STR_ARG(name), range_text(d->a, prev));
			continue;
		}
		pair = ARENA_NEW(d->a, struct range);
		*pair = expression_range(keys[i]);
		pair->end = value_at.end;
		map_put(d->a, &seen, name, pair);
		vec_push(d->a, &call->providers,
			 (struct cfg_provider_pass){ child.name, child.alias,
						     child.key, child.name_at,
						     parent });
	}
}

static void take_attrs(struct decoder *d, const struct body_content *c,
		       struct cfg_call *call, struct repeating *r)
{
	const struct attribute *at;

	if ((at = content_attr(c, "version"))) {
		call->version_expr = at->expr;
		call->version_at = attribute_range(at);
	}
	if ((at = content_attr(c, "source"))) {
		call->source_expr = at->expr;
		call->source_at = expression_range(at->expr);
	}
	if ((at = content_attr(c, "count"))) {
		call->count = r->count = at->expr;
		r->count_at = attribute_name_range(at);
	}
	if ((at = content_attr(c, "for_each"))) {
		call->for_each = r->for_each = at->expr;
		r->for_each_at = attribute_name_range(at);
	}
	decode_depends_on(d, content_attr(c, "depends_on"), &call->depends_on);
	if ((at = content_attr(c, "providers")))
		decode_passes(d, at, call);
}

static void take_lifecycle(struct decoder *d, const struct block *b,
			   struct cfg_call *call, struct repeating *r)
{
	const struct attribute *at;
	struct body_content c;

	body_content(d->a, b->body, &lifecycle_schema, &c, d->ds);
	if ((at = content_attr(&c, "enabled"))) {
		call->enabled = r->enabled = at->expr;
		r->enabled_at = attribute_name_range(at);
	}
}

void decode_call(struct decoder *d, const struct block *b)
{
	const struct body_schema schema = { d->override ? override_attrs
							: attrs,
					    blocks };
	struct cfg_call *call = ARENA_NEW(d->a, struct cfg_call);
	const struct block *lifecycle = NULL, *escape = NULL;
	struct repeating r = { 0 };
	struct body_content c;

	call->name = b->labels[0].text;
	call->at = block_range(b);
	body_partial(d->a, b->body, &schema, &c, &call->body, d->ds);
	check_name(d, b, 0, "Invalid module instance name");
	take_attrs(d, &c, call, &r);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *in = &c.blocks.items[i];
		struct range at = source_range(in->src, in->type_span);

		if (str_is(in->type, "lifecycle")) {
			if (!decode_is_duplicate(d, in, &lifecycle,
						 "Duplicate lifecycle block",
						 "This call's lifecycle block"))
				take_lifecycle(d, in, call, &r);
		} else if (str_is(in->type, "_")) {
			if (!decode_is_duplicate(
				    d, in, &escape, "Duplicate escaping block",
				    "The escaping block of this call"))
				call->body = body_merge(d->a, BODY_UNION,
							call->body, in->body);
		} else {
			diag_error(
				d->ds, &at,
				"Reserved block type name in module block",
				"The block type \"%.*s\" is reserved for a future version.",
				STR_ARG(in->type));
		}
	}
	check_repetition(d, &r, "module instances");
	vec_push(d->a, &d->out->calls, call);
}
