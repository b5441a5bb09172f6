/* s3.c - states in S3 and services that speak as it does; see s3_int.h
 *
 * The state is an object, KEY, that of another workspace PREFIX/NAME/KEY.  With
 * a table of DynamoDB the MD5 digest of the text is in its item BUCKET/KEY-md5,
 * by which a reader notices that S3 still has an older text.
 */
#include "state/backend/s3/s3_int.h"
#include "crypto/crypto.h"
#include "state/backend/workspaces.h"

enum { PATIENCE_MS = 10000, PAUSE_MS = 2000, TIMES = 4 };

static int s3_open(struct backend *b, struct diags *ds)
{
	b->data = ARENA_NEW(b->arena, struct s3);
	return s3_configure(b, ds);
}

static void s3_take_over(struct backend *b, const struct backend *from)
{
	struct s3 *s = b->data;
	const struct s3 *f = from->data;

	aws_keys_take(s->aws, f->aws);
	s->known = f->known;
}

static void s3_close(struct backend *b)
{
	(void)b;
}

/* --- digests --- */

static struct str digest_id(struct backend *b)
{
	const struct s3 *s = b->data;

	return STR_CAT(b->arena, s->bucket, STR("/"), s->key, STR("-md5"));
}

static struct str md5_hex(struct arena *a, struct str text)
{
	return text.n ? digest_hex(a, "md5", text) : STR_NONE;
}

/* Is it the text that was stored last?  A digest that cannot be had says
 * nothing, as in OpenTofu. */
static bool is_newest(struct backend *b, struct str text)
{
	const struct s3 *s = b->data;
	struct str want, why;

	if (!s->table.n ||
	    s3_item_get(b, digest_id(b), "Digest", &want, &why) || want.n != 32)
		return true;
	return str_eq(want, md5_hex(b->arena, text));
}

/* Whatever refuses it: without it readers take the text for an older one. */
static int store_digest(struct backend *b, struct str text, struct str *why)
{
	const struct s3 *s = b->data;
	const struct str digest = md5_hex(b->arena, text);

	for (int i = 0; s->table.n && i < TIMES; i++) {
		if (!s3_item_put(b, digest_id(b), "Digest", digest, false, NULL,
				 why))
			return 0;
		remote_pause(&b->remote, PAUSE_MS / TIMES);
	}
	if (!s->table.n)
		return 0;
	*why = str_printf(b->arena,
			  "failed to store state MD5: %.*s; the state is in "
			  "S3, but nobody reads it until the member \"Digest\" "
			  "of the item \"%.*s\" is \"%.*s\"",
			  STR_ARG(*why), STR_ARG(digest_id(b)),
			  STR_ARG(digest));
	return -1;
}

/* --- texts --- */

/* What we stored before its digest was refused is the newest: under the lock
 * the digest is put right. */
static bool is_ours(struct backend *b, struct str text)
{
	struct str why;

	return b->locked && backend_stored_here(b, text) &&
	       !store_digest(b, text, &why);
}

static int s3_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	const struct s3 *s = b->data;
	struct str why;

	if (s3_know(b, ds))
		return -1;
	for (int waited = 0;; waited += PAUSE_MS) {
		if (s3_get(b, s->key, out, &why))
			return backend_load_error(b, why, ds);
		if (is_newest(b, *out) || is_ours(b, *out))
			return 0;
		if (waited >= PATIENCE_MS)
			break;
		remote_pause(&b->remote, PAUSE_MS);
	}
	why = md5_hex(b->arena, *out);
	return diag_error(ds, NULL,
			  "error loading state: state data in S3 does not have "
			  "the expected content",
			  "S3 may take long to show a state that was just "
			  "stored: try again in a minute or two. If that does "
			  "not help and both S3 and DynamoDB work, look at the "
			  "object \"%.*s\" of the bucket \"%.*s\"; if it is "
			  "the state that it should be, set the member "
			  "\"Digest\" of the item \"%.*s\" in the table "
			  "\"%.*s\" to \"%.*s\".",
			  STR_ARG(s->key), STR_ARG(s->bucket),
			  STR_ARG(digest_id(b)), STR_ARG(s->table),
			  STR_ARG(why));
}

static int s3_store(struct backend *b, struct str text, struct diags *ds)
{
	struct str why;

	if (s3_know(b, ds))
		return -1;
	return s3_put(b, text, &why) || store_digest(b, text, &why)
		       ? backend_store_error(b, why, ds)
		       : 0;
}

/* --- workspaces --- */

static int s3_workspaces(struct backend *b, struct str_vec *out,
			 struct diags *ds)
{
	const size_t first = out->len;
	struct str why;

	if (s3_know(b, ds))
		return -1;
	if (s3_list(b, out, &why))
		return backend_list_error(why, ds);
	str_vec_sort(out, first);
	return 0;
}

static int s3_workspace_remove(struct backend *b, struct str name,
			       struct diags *ds)
{
	struct s3 *s = b->data;
	const struct str key = s->key;
	struct str why = STR_NONE;
	bool failed;

	if (s3_know(b, ds))
		return -1;
	s->key = s3_key(b->arena, s, name);
	/* A digest without a state would make the name useless; a state without
	 * a digest is read. */
	failed = (s->table.n &&
		  s3_item_delete(b, digest_id(b), STR_NONE, &why)) ||
		 s3_delete(b, s->key, true, &why);
	s->key = key;
	return failed ? diag_error(ds, NULL, "Workspace deletion failed",
				   "%.*s.", STR_ARG(why))
		      : 0;
}

const struct backend_ops backend_s3 = {
	.type = "s3",
	.remote = true,
	.open = s3_open,
	.take_over = s3_take_over,
	.close = s3_close,
	.fetch = s3_fetch,
	.store = s3_store,
	.lock = s3_lock,
	.unlock = s3_unlock,
	.is_locked = s3_is_locked,
	.force_unlock = s3_force_unlock,
	.workspaces = s3_workspaces,
	.workspace_make = workspace_make_empty,
	.workspace_remove = s3_workspace_remove,
};
