/*
 * decode_encryption.c - encryption blocks, so far as they can be wrong by
 * themselves
 *
 * The values in them are looked at by the program that encrypts.
 */
#include "config/decode/decode_encryption_int.h"
#include "config/decode/decode_int.h"

static const struct attr_schema no_attrs[] = { { NULL, false } };
static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

static void take_blocks(struct decoder *d, const struct body_content *c,
			const char *type, struct block_vec *out)
{
	for (size_t i = 0; i < c->blocks.len; i++)
		if (str_is(c->blocks.items[i].type, type))
			vec_push(d->a, out, c->blocks.items[i]);
}

/* Returns the block that may occur once; with more of them reports an error and
 * returns NULL. */
static const struct block *take_single(struct decoder *d,
				       const struct body_content *c,
				       const char *type)
{
	const char *summary = arena_printf(d->a, "Duplicate %s block", type);
	const char *what = arena_printf(d->a,
					"The one %s block that is "
					"allowed",
					type);
	const struct block *first = NULL;
	struct block_vec all = { 0 };

	take_blocks(d, c, type, &all);
	for (size_t i = 0; i < all.len; i++)
		if (decode_is_duplicate(d, &all.items[i], &first, summary,
					what))
			return NULL;
	return first;
}

/* state, plan, a fallback: which method, and what to try when that fails. */
static void check_target(struct decoder *d, const struct body *b,
			 bool enforceable)
{
	static const struct block_schema blocks[] = { { "fallback", { NULL } },
						      { NULL, { NULL } } };
	const struct attr_schema attrs[] = {
		{ "method", false },
		{ enforceable ? "enforced" : NULL, false },
		{ NULL, false },
	};
	const struct body_schema schema = { attrs, blocks };
	const struct attribute *at;
	const struct block *fallback;
	struct body_content c;
	bool enforced;

	body_content(d->a, b, &schema, &c, d->ds);
	if ((at = content_attr(&c, "enforced")))
		decode_static_bool(d, at, &enforced);
	fallback = take_single(d, &c, "fallback");
	if (fallback)
		check_target(d, fallback->body, false);
}

static void check_remote(struct decoder *d, const struct body *b,
			 struct block_vec *named)
{
	static const struct block_schema blocks[] = {
		{ "default", { NULL } },
		{ "remote_state_data_source", { "name" } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { no_attrs, blocks };
	const struct block *other;
	struct body_content c;

	body_content(d->a, b, &schema, &c, d->ds);
	other = take_single(d, &c, "default");
	if (other)
		check_target(d, other->body, false);
	take_blocks(d, &c, "remote_state_data_source", named);
	for (size_t i = 0; i < named->len; i++)
		check_target(d, named->items[i].body, false);
}

static void check_key_provider(struct decoder *d, const struct body *b)
{
	static const struct attr_schema attrs[] = {
		{ "encrypted_metadata_alias", false }, { NULL, false }
	};
	static const struct body_schema schema = { attrs, no_blocks };
	const struct attribute *at;
	struct body_content c;
	struct str alias;

	body_partial(d->a, b, &schema, &c, NULL, d->ds);
	if ((at = content_attr(&c, "encrypted_metadata_alias")))
		decode_static_string(d, at, &alias);
}

static bool same_labels(const struct block *x, const struct block *y)
{
	for (size_t i = 0; i < x->nlabels; i++)
		if (!str_eq(x->labels[i].text, y->labels[i].text))
			return false;
	return true;
}

/* Reports each block whose labels another one has, too, with the range of the
 * whole. */
static void check_unique(struct decoder *d, const struct block_vec *all,
			 const char *summary, const struct range *at)
{
	for (size_t i = 0; i < all->len; i++)
		for (size_t k = 0; k < all->len; k++) {
			if (i == k ||
			    !same_labels(&all->items[i], &all->items[k]))
				continue;
			diag_error(
				d->ds, at, summary,
				"The name \"%.*s\" is used more than once.",
				STR_ARG(all->items[i]
						.labels[all->items[i].nlabels -
							1]
						.text));
			break;
		}
}

static bool label_valid(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!memchr("_-", s.p[i], 2) &&
		    !((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') &&
		    !(s.p[i] >= '0' && s.p[i] <= '9'))
			return false;
	return s.n != 0;
}

static void check_labels(struct decoder *d, const struct block_vec *all,
			 const char *what)
{
	static const char *const which[] = { "type", "name" };

	for (size_t i = 0; i < all->len; i++)
		for (size_t k = 0; k < 2; k++) {
			struct range at = label_range(&all->items[i], k);

			if (label_valid(all->items[i].labels[k].text))
				continue;
			diag_error(d->ds, &at,
				   arena_printf(d->a,
						"The provided %s %s is "
						"invalid",
						what, which[k]),
				   "It may hold letters, digits, underscores "
				   "and dashes.");
		}
}

int check_encryption(struct decoder *d, const struct block *b)
{
	static const struct block_schema schema_blocks[] = {
		{ "key_provider", { "type", "name" } },
		{ "method", { "type", "name" } },
		{ "state", { NULL } },
		{ "plan", { NULL } },
		{ "remote_state_data_sources", { NULL } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { no_attrs, schema_blocks };
	struct block_vec keys = { 0 }, methods = { 0 }, named = { 0 };
	const struct block *in;
	struct range at = block_range(b);
	size_t errors = d->ds->errors;
	struct body_content c;

	body_content(d->a, b->body, &schema, &c, d->ds);
	take_blocks(d, &c, "key_provider", &keys);
	take_blocks(d, &c, "method", &methods);
	if ((in = take_single(d, &c, "state")))
		check_target(d, in->body, true);
	if ((in = take_single(d, &c, "plan")))
		check_target(d, in->body, true);
	if ((in = take_single(d, &c, "remote_state_data_sources")))
		check_remote(d, in->body, &named);
	for (size_t i = 0; i < keys.len; i++)
		check_key_provider(d, keys.items[i].body);
	if (d->ds->errors > errors)
		return -1;
	check_unique(d, &keys, "Duplicate key_provider", &at);
	check_labels(d, &keys, "key provider");
	check_unique(d, &methods, "Duplicate method", &at);
	check_labels(d, &methods, "encryption method");
	check_unique(d, &named, "Duplicate remote_data_source", &at);
	return d->ds->errors > errors ? -1 : 0;
}
