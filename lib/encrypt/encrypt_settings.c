/*
 * encrypt_settings.c - what asks for encryption: the block of the root module,
 * and TF_ENCRYPTION, which is laid over it as OpenTofu does that
 *
 * Blocks of the same type and name become one, whose arguments are those of
 * TF_ENCRYPTION where both have them; of targets the method, and the fallback
 * as a whole.
 */
#include "encrypt/encrypt_int.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"

/* TF_ENCRYPTION holds keys: errors say where in it they are, but no source lets
 * anybody show a line of it. */
static int read_environment(struct encryption *e, struct cfg_encryption *out,
			    struct diags *ds)
{
	struct str text = encrypt_environment();
	struct source *src =
		source_new(e->a, STR(ENCRYPT_VARIABLE), str_dup(e->a, text));
	struct range at = source_range(src, source_whole(src));
	const size_t errors = ds->errors;
	struct body *b;

	at.end = at.start;
	b = *text.p == '{' ? parse_json_body(e->a, src, ds)
			   : parse_native(e->a, src, ds);
	if (ds->errors > errors)
		return -1;
	return cfg_encryption_decode(e->a, b, &at, out, ds);
}

static void merge_blocks(struct encryption *e,
			 struct cfg_encryption_blocks *into,
			 const struct cfg_encryption_blocks *over)
{
	for (size_t i = 0; i < over->len; i++) {
		const struct cfg_encryption_block *x = &over->items[i];
		struct cfg_encryption_block *same = NULL;

		for (size_t k = 0; k < into->len; k++)
			if (str_eq(into->items[k].type, x->type) &&
			    str_eq(into->items[k].name, x->name))
				same = &into->items[k];
		if (same)
			same->body = body_merge(e->a, BODY_OVERRIDE, same->body,
						x->body);
		else
			vec_push(e->a, into, *x);
	}
}

static const struct cfg_encryption_target *merge_target(
	struct encryption *e, const struct cfg_encryption_target *under,
	const struct cfg_encryption_target *over)
{
	struct cfg_encryption_target *t;

	if (!under || !over)
		return under ? under : over;
	t = arena_dup(e->a, under, sizeof(*under));
	t->enforced |= over->enforced;
	if (over->method.root)
		t->method = over->method;
	if (over->fallback)
		t->fallback = over->fallback;
	return t;
}

static void merge_names(struct encryption *e, struct cfg_encryption_names *into,
			const struct cfg_encryption_names *over)
{
	for (size_t i = 0; i < over->len; i++) {
		struct cfg_encryption_named *same = NULL;

		for (size_t k = 0; k < into->len; k++)
			if (str_eq(into->items[k].name, over->items[i].name))
				same = &into->items[k];
		if (same)
			same->target = merge_target(e, same->target,
						    over->items[i].target);
		else
			vec_push(e->a, into, over->items[i]);
	}
}

static void merge(struct encryption *e, const struct cfg_encryption *over)
{
	struct cfg_encryption *into = &e->cfg;

	merge_blocks(e, &into->keys, &over->keys);
	merge_blocks(e, &into->methods, &over->methods);
	into->state = merge_target(e, into->state, over->state);
	into->plan = merge_target(e, into->plan, over->plan);
	into->remote = merge_target(e, into->remote, over->remote);
	merge_names(e, &into->named, &over->named);
}

int encrypt_settings(struct encryption *e, struct diags *ds)
{
	const struct cfg_module *root = e->c->root;
	struct cfg_encryption over;

	if (root->encryption &&
	    cfg_encryption_decode(e->a, root->encryption, &root->encryption_at,
				  &e->cfg, ds))
		return -1;
	if (!encrypt_environment().n)
		return 0;
	if (read_environment(e, &over, ds))
		return -1;
	if (root->encryption)
		merge(e, &over);
	else
		e->cfg = over;
	return 0;
}
