/* decode_check.c - check blocks, and the rules they share with others */
#include "config/decode/decode_int.h"
#include "lang/syntax/walk.h"

static const struct attr_schema condition_attrs[] = {
	{ "condition", true },
	{ "error_message", true },
	{ NULL, false },
};
static const struct block_schema no_blocks[] = { { NULL, { NULL } } };
static const struct body_schema condition_schema = { condition_attrs,
						     no_blocks };

int decode_condition(struct decoder *d, const struct block *b,
		     struct cfg_condition *out)
{
	size_t errors = d->ds->errors;
	struct traversal_vec vars = { 0 };
	const struct attribute *at;
	struct body_content c;
	struct range r;

	*out = (struct cfg_condition){ .at = block_range(b) };
	if (d->override)
		return diag_error(
			d->ds, &out->at,
			arena_printf(d->a, "Can't override %.*s blocks",
				     STR_ARG(b->type)),
			"A \"%.*s\" block cannot stand in an override file.",
			STR_ARG(b->type));
	body_content(d->a, b->body, &condition_schema, &c, d->ds);
	if ((at = content_attr(&c, "condition"))) {
		out->condition = at->expr;
		expression_variables(d->a, at->expr, &vars);
		r = expression_range(at->expr);
		if (!vars.len)
			diag_error(
				d->ds, &r,
				arena_printf(d->a, "Invalid %.*s expression",
					     STR_ARG(b->type)),
				"The condition refers to nothing, so its result can never change.");
	}
	if ((at = content_attr(&c, "error_message")))
		out->error_message = at->expr;
	return d->ds->errors > errors ? -1 : 0;
}

static const struct attr_schema no_attrs[] = { { NULL, false } };
static const struct block_schema check_blocks[] = {
	{ "data", { "type", "name" } },
	{ "assert", { NULL } },
	{ NULL, { NULL } },
};
static const struct body_schema check_schema = { no_attrs, check_blocks };

static void decode_check_data(struct decoder *d, const struct block *b,
			      struct cfg_check *check)
{
	struct range at = block_range(b);
	struct cfg_resource *r;

	if (check->data) {
		diag_error(
			d->ds, &at, "Multiple data resource blocks",
			"This check block has a data resource already, at %s.",
			range_text(d->a, &check->data->at));
		return;
	}
	r = decode_nested_data(d, b);
	if (!r)
		return;
	r->check = check;
	check->data = r;
}

void decode_check(struct decoder *d, const struct block *b)
{
	struct cfg_check *check = ARENA_NEW(d->a, struct cfg_check);
	struct body_content c;

	check->name = b->labels[0].text;
	check->at = block_range(b);
	vec_push(d->a, &d->out->checks, check);
	if (d->override) {
		diag_error(d->ds, &check->at, "Can't override check blocks",
			   "A check block cannot stand in an override file.");
		return;
	}
	body_content(d->a, b->body, &check_schema, &c, d->ds);
	check_name(d, b, 0, "Invalid check block name");
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *inner = &c.blocks.items[i];
		struct cfg_condition cond;

		if (str_is(inner->type, "data"))
			decode_check_data(d, inner, check);
		else if (!decode_condition(d, inner, &cond))
			vec_push(d->a, &check->asserts, cond);
	}
	if (!check->asserts.len)
		diag_error(d->ds, &check->at, "Zero assert blocks",
			   "A check block needs at least one assert block.");
}
