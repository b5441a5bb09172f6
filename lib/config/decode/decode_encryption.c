/*
 * decode_encryption.c - encryption blocks, so far as they can be wrong by
 * themselves
 *
 * See decode_encryption.c.
 */
#include "config/decode/decode.h"
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
	const char *what =
		arena_printf(d->a, "The one %s block that is allowed", type);
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
static const struct cfg_encryption_target *read_target(struct decoder *d,
						       const struct block *b,
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
	struct cfg_encryption_target *t;
	const struct attribute *at;
	const struct block *fallback;
	struct body_content c;

	if (!b)
		return NULL;
	t = ARENA_NEW(d->a, struct cfg_encryption_target);
	t->at = block_range(b);
	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "method")))
		t->method = at->expr;
	if ((at = content_attr(&c, "enforced")))
		decode_static_bool(d, at, &t->enforced);
	fallback = take_single(d, &c, "fallback");
	t->fallback = read_target(d, fallback, false);
	return t;
}

static void read_remote(struct decoder *d, const struct body *b,
			struct cfg_encryption *out, struct block_vec *named)
{
	static const struct block_schema blocks[] = {
		{ "default", { NULL } },
		{ "remote_state_data_source", { "name" } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { no_attrs, blocks };
	struct body_content c;

	body_content(d->a, b, &schema, &c, d->ds);
	out->remote = read_target(d, take_single(d, &c, "default"), false);
	take_blocks(d, &c, "remote_state_data_source", named);
	for (size_t i = 0; i < named->len; i++) {
		const struct block *n = &named->items[i];
		const struct cfg_encryption_named x = {
			n->labels[0].text, read_target(d, n, false)
		};

		vec_push(d->a, &out->named, x);
	}
}

static void read_block(struct decoder *d, const struct block *b, bool aliased,
		       struct cfg_encryption_blocks *out)
{
	static const struct attr_schema attrs[] = {
		{ "encrypted_metadata_alias", false }, { NULL, false }
	};
	static const struct body_schema schema = { attrs, no_blocks };
	struct cfg_encryption_block x = { .type = b->labels[0].text,
					  .name = b->labels[1].text,
					  .body = b->body,
					  .at = block_range(b) };
	const struct attribute *at;
	struct body_content c;

	if (aliased) {
		body_partial(d->a, b->body, &schema, &c, &x.body, d->ds);
		if ((at = content_attr(&c, "encrypted_metadata_alias")))
			decode_static_string(d, at, &x.alias);
	}
	vec_push(d->a, out, x);
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
			diag_error(
				d->ds, &at,
				arena_printf(d->a,
					     "The provided %s %s is invalid",
					     what, which[k]),
				"It may hold letters, digits, underscores and dashes.");
		}
}

int cfg_encryption_decode(struct arena *a, const struct body *b,
			  const struct range *at, struct cfg_encryption *out,
			  struct diags *ds)
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
	struct decoder dec = { .a = a, .ds = ds }, *d = &dec;
	struct block_vec keys = { 0 }, methods = { 0 }, named = { 0 };
	const struct block *in;
	size_t errors = ds->errors;
	struct body_content c;

	*out = (struct cfg_encryption){ .at = *at };
	body_content(a, b, &schema, &c, ds);
	take_blocks(d, &c, "key_provider", &keys);
	take_blocks(d, &c, "method", &methods);
	out->state = read_target(d, take_single(d, &c, "state"), true);
	out->plan = read_target(d, take_single(d, &c, "plan"), true);
	if ((in = take_single(d, &c, "remote_state_data_sources")))
		read_remote(d, in->body, out, &named);
	for (size_t i = 0; i < keys.len; i++)
		read_block(d, &keys.items[i], true, &out->keys);
	for (size_t i = 0; i < methods.len; i++)
		read_block(d, &methods.items[i], false, &out->methods);
	if (ds->errors > errors)
		return -1;
	check_unique(d, &keys, "Duplicate key_provider", at);
	check_labels(d, &keys, "key provider");
	check_unique(d, &methods, "Duplicate method", at);
	check_labels(d, &methods, "encryption method");
	check_unique(d, &named, "Duplicate remote_data_source", at);
	return ds->errors > errors ? -1 : 0;
}
