/*
 * gcs.c - state in a bucket of Google Cloud Storage
 *
 * As OpenTofu's backend "gcs" has it: PREFIX/NAME.tfstate for each workspace,
 * and PREFIX/NAME.tflock as its lock, which is there only while it is held: it
 * is made if there is none yet (ifGenerationMatch=0), and its generation is the
 * ID of the lock.  A state is stored only over the generation that was read.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "state/backend/backend_int.h"
#include "state/backend/gcs/gcs_int.h"
#include "state/backend/backend.h"
#include "state/backend/workspaces.h"

enum { MOST_FILE = 1 << 20, KEY_SIZE = 32 };

/* --- settings --- */

/* A path, also with ~ for the home directory, or the text itself. */
static int path_or_text(struct backend *b, const char *name, struct str *s,
			struct diags *ds)
{
	const char *home = getenv("HOME");
	struct str path = *s;

	if (str_starts(path, "~/") && home)
		path = STR_CAT(b->arena, str_c(home), str_sub(path, 1, path.n));
	path = str_dup(b->arena, path);
	if (!s->n || access(path.p, F_OK) ||
	    !io_read_regular(b->arena, path.p, MOST_FILE, s))
		return 0;
	return argument_error(b, ds, name, "names %s, which cannot be read: %s",
			      path.p, io_why());
}

static int read_key(struct backend *b, struct gcs *g, struct diags *ds)
{
	struct str text = argument_text(b, "encryption_key"), key, sum;

	g->kms_key = argument_text(b, "kms_encryption_key");
	if (path_or_text(b, "encryption_key", &text, ds))
		return -1;
	if (!text.n)
		return 0;
	if (g->kms_key.n)
		return argument_error(b, ds, "encryption_key",
				      "conflicts with kms_encryption_key");
	text = str_trim(text);
	if (!base64_decode(b->arena, text, &key) || key.n != KEY_SIZE)
		return argument_error(b, ds, "encryption_key",
				      "is not the base64 of %d bytes",
				      KEY_SIZE);
	sum = digest_base64(b->arena, "sha256", key);
	g->key[0] = (struct fetch_header){ STR("x-goog-encryption-algorithm"),
					   STR("AES256") };
	g->key[1] = (struct fetch_header){ STR("x-goog-encryption-key"), text };
	g->key[2] = (struct fetch_header){ STR("x-goog-encryption-key-sha256"),
					   sum };
	g->nkey = sum.n ? 3 : 0;
	return sum.n ? 0
		     : argument_error(b, ds, "encryption_key",
				      "cannot be used without libcrypto");
}

static int read_credentials(struct backend *b, struct gcs *g, struct diags *ds)
{
	const struct value *list =
		argument_value(b, "impersonate_service_account_delegates");
	struct google_settings *s = &g->who;
	struct json_error wrong;

	s->universe = argument_text(b, "universe_domain");
	s->token = argument_text(b, "access_token");
	s->credentials = argument_text(b, "credentials");
	if (!s->credentials.n)
		s->credentials = backend_default(b->arena, STR("gcs"),
						 STR("credentials"));
	if (path_or_text(b, "credentials", &s->credentials, ds))
		return -1;
	if (!s->token.n && s->credentials.n &&
	    !json_parse(b->arena, s->credentials, &wrong))
		return argument_error(b, ds, "credentials",
				      "is neither JSON nor the path of a file");
	s->account = argument_text(b, "impersonate_service_account");
	for (size_t i = 0; list && i < list->len; i++)
		if (value_usable(list->elems[i]))
			vec_push(b->arena, &s->delegates,
				 STR_CAT(b->arena,
					 STR("projects/-/serviceAccounts/"),
					 list->elems[i]->string));
	s->scope =
		s->account.n
			? STR("https://www.googleapis.com/auth/devstorage.read_write")
			: STR(GOOGLE_SCOPE_STORE);
	s->ask_machine = true;
	return 0;
}

/* SCHEME://HOST of a URL. */
static struct str origin(struct str url)
{
	const ptrdiff_t scheme = str_find(url, STR("://"));
	const size_t from = scheme < 0 ? 0 : (size_t)scheme + 3;
	const ptrdiff_t slash = str_chr(str_sub(url, from, url.n), '/');

	return slash < 0 ? url : str_sub(url, 0, from + (size_t)slash);
}

static int read_endpoint(struct backend *b, struct gcs *g, struct diags *ds)
{
	const struct str emulator = str_env("STORAGE_EMULATOR_HOST");
	struct str at = argument_text(b, "storage_custom_endpoint");

	g->anonymous = emulator.n != 0 && !g->who.token.n;
	if (!at.n && emulator.n)
		at = STR_CAT(b->arena,
			     str_find(emulator, STR("://")) < 0 ? STR("http://")
								: STR(""),
			     origin(emulator), STR("/storage/v1/"));
	if (!at.n)
		at = STR_CAT(b->arena, STR("https://storage."),
			     g->who.universe.n ? g->who.universe
					       : STR(GOOGLE_UNIVERSE),
			     STR("/storage/v1/"));
	if (str_find(at, STR("://")) < 0)
		at = STR_CAT(b->arena, STR("https://"), at);
	if (!str_starts(at, "https://") && !str_starts(at, "http://"))
		return argument_error(b, ds, "storage_custom_endpoint",
				      "is no address of http or https");
	if (!str_ends(at, "/"))
		at = STR_CAT(b->arena, at, STR("/"));
	g->endpoint = at;
	g->origin = origin(at);
	return 0;
}

static int gcs_open(struct backend *b, struct diags *ds)
{
	struct gcs *g = ARENA_NEW(b->arena, struct gcs);

	b->data = g;
	if (arguments_required(b, ds))
		return -1;
	g->bucket = argument_text(b, "bucket");
	g->prefix = argument_text(b, "prefix");
	while (str_starts(g->prefix, "/"))
		g->prefix = str_sub(g->prefix, 1, g->prefix.n);
	if (g->prefix.n && !str_ends(g->prefix, "/"))
		g->prefix = STR_CAT(b->arena, g->prefix, STR("/"));
	g->state = gcs_object(b, b->workspace, GCS_STATE);
	g->lock = gcs_object(b, b->workspace, GCS_LOCK);
	b->name = gcs_url(b, g->state);
	return read_credentials(b, g, ds) || read_key(b, g, ds) ||
			       read_endpoint(b, g, ds)
		       ? -1
		       : 0;
}

static void gcs_take_over(struct backend *b, const struct backend *from)
{
	struct gcs *g = b->data;
	const struct gcs *f = from->data;

	g->token = f->token;
}

static void gcs_close(struct backend *b)
{
	(void)b;
}

/* --- states --- */

static int gcs_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	const struct gcs *g = b->data;
	struct str why;

	if (!gcs_read(b, g->state, true, out, &b->version, &why))
		return 0;
	return backend_load_error(
		b,
		str_printf(b->arena, "Failed to open state file at %.*s: %.*s",
			   STR_ARG(b->name), STR_ARG(why)),
		ds);
}

/* The answer may have been lost, and the request then made again: is it ours
 * that is there? */
static bool is_stored(struct backend *b, struct str text)
{
	const struct gcs *g = b->data;
	struct str there, version, ignored;

	if (gcs_read(b, g->state, true, &there, &version, &ignored) ||
	    !str_eq(there, text))
		return false;
	b->version = version;
	return true;
}

static int gcs_store(struct backend *b, struct str text, struct diags *ds)
{
	const struct gcs *g = b->data;
	struct str why;
	int status;

	if (!gcs_write(b, g->state, text, b->version, &b->version, &status,
		       &why) ||
	    is_stored(b, text))
		return 0;
	if (status == 412)
		why = STR(
			"another program has stored the state since it was read");
	return backend_store_error(
		b,
		str_printf(b->arena, "Failed to upload state to %.*s: %.*s",
			   STR_ARG(b->name), STR_ARG(why)),
		ds);
}

/* --- locks --- */

/* What is in the lock: 1, nothing: 0, that cannot be known: -1.  *id: what its
 * holder has called it when nobody knew the generation. */
static int look(struct backend *b, struct lock_info *holder, struct str *id,
		struct str *why)
{
	const struct gcs *g = b->data;
	struct str text, version;

	*id = STR_NONE;
	if (gcs_read(b, g->lock, false, &text, &version, why))
		return -1;
	if (str_is(version, "0"))
		return 0;
	if (!lock_info_read(b->arena, text, holder))
		*id = holder->id;
	holder->id = version;
	return 1;
}

/* Another holds it, unless that is us: the answer to the request may have been
 * lost, also to one that was made again. */
static enum lock_result not_made(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, int status,
				 struct str error, const char **why,
				 struct diags *ds)
{
	const struct gcs *g = b->data;
	struct str id, ignored;
	const int there = look(b, holder, &id, &ignored);

	if (there > 0 && str_eq(id, mine->id)) {
		mine->id = str_dup(b->arena, holder->id);
		return LOCK_TAKEN;
	}
	*why = arena_printf(b->arena, "writing \"%.*s\" failed: %.*s",
			    STR_ARG(gcs_url(b, g->lock)), STR_ARG(error));
	if (status == 412 && there >= 0)
		return LOCK_HELD;
	if (there < 0)
		backend_lock_left(b, mine->id, str_c(*why), ds);
	else
		backend_lock_error(b, str_c(*why), ds);
	return LOCK_FAILED;
}

static enum lock_result gcs_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds)
{
	const struct gcs *g = b->data;
	struct buf info = BUF_INIT;
	struct str id, error;
	int status, rc;

	mine->path = gcs_url(b, g->lock);
	lock_info_write(&info, mine);
	rc = gcs_write(b, g->lock, buf_view(&info), STR("0"), &id, &status,
		       &error);
	buf_release(&info);
	if (rc || !id.n)
		return not_made(b, mine, holder, status, error, why, ds);
	mine->id = str_dup(b->arena, id);
	return LOCK_TAKEN;
}

/* Removes the lock with the ID, and no other.  ours: if there is none any more,
 * the answer was lost, and a store is conditional anyway. */
static int unlock(struct backend *b, struct str id, bool ours, struct str *why)
{
	const struct gcs *g = b->data;
	struct lock_info holder = { .id = STR_NONE };
	int status, tries;
	struct str ignored;

	if (!gcs_delete(b, g->lock, id, &status, &tries, why) ||
	    (status == 404 && (ours || tries > 1)))
		return 0;
	/* Without an answer it may be gone all the same. */
	if (!status && look(b, &holder, &ignored, &ignored) >= 0 &&
	    !str_eq(holder.id, id))
		return 0;
	if (status == 404)
		*why = STR("storage: object doesn't exist");
	else if (status == 412)
		*why = STR("the state is locked by another ID now");
	return -1;
}

static int gcs_unlock(struct backend *b, struct diags *ds)
{
	struct str why;

	return unlock(b, b->lock.id, true, &why)
		       ? backend_unlock_error(b, why, ds)
		       : 0;
}

static bool gcs_is_locked(struct backend *b, struct lock_info *holder)
{
	struct str ignored;

	return look(b, holder, &ignored, &ignored) > 0;
}

/* The generation of a lock that is told by what its holder called it. */
static struct str by_name(struct backend *b, struct str id)
{
	struct lock_info holder;
	struct str name, ignored;

	return look(b, &holder, &name, &ignored) > 0 && name.n &&
			       str_eq(name, id)
		       ? holder.id
		       : id;
}

static int gcs_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds)
{
	struct str why;

	(void)forced;
	if (!str_is_digits(id))
		id = by_name(b, id);
	if (!str_is_digits(id))
		why = str_printf(
			b->arena,
			"Lock ID should be numerical value, got '%.*s'",
			STR_ARG(id));
	else if (!unlock(b, id, false, &why))
		return 0;
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}

/* --- workspaces --- */

static int gcs_workspaces(struct backend *b, struct str_vec *out,
			  struct diags *ds)
{
	struct str why;

	if (!gcs_list(b, out, &why))
		return 0;
	return diag_error_line(ds, "querying Cloud Storage failed: %.*s",
			       STR_ARG(why));
}

/* Makes a state with nothing in it: then the workspace exists.  Made only if
 * there is none, it needs no lock. */
static int gcs_workspace_make(struct backend *b, struct str name,
			      struct diags *ds)
{
	struct gcs *g = b->data;
	const struct str mine = g->state;
	struct str text, version, why;
	int status, rc;

	if (workspace_empty_text(b, &text, ds))
		return -1;
	g->state = gcs_object(b, name, GCS_STATE);
	rc = gcs_write(b, g->state, text, STR("0"), &version, &status, &why);
	if (status == 412) /* somebody else has made it */
		rc = 0;
	if (rc)
		backend_store_error(b, why, ds);
	g->state = mine;
	return rc;
}

static int gcs_workspace_remove(struct backend *b, struct str name,
				struct diags *ds)
{
	const struct str object = gcs_object(b, name, GCS_STATE);
	int status, tries;
	struct str why;

	if (!gcs_delete(b, object, STR_NONE, &status, &tries, &why) ||
	    (status == 404 && tries > 1))
		return 0;
	return diag_error_line(ds, "Failed to delete state file %.*s: %.*s",
			       STR_ARG(gcs_url(b, object)), STR_ARG(why));
}

const struct backend_ops backend_gcs = {
	.type = "gcs",
	.remote = true,
	.open = gcs_open,
	.take_over = gcs_take_over,
	.close = gcs_close,
	.fetch = gcs_fetch,
	.store = gcs_store,
	.lock = gcs_lock,
	.unlock = gcs_unlock,
	.is_locked = gcs_is_locked,
	.force_unlock = gcs_force_unlock,
	.workspaces = gcs_workspaces,
	.workspace_make = gcs_workspace_make,
	.workspace_remove = gcs_workspace_remove,
};
