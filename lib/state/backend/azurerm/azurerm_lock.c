/*
 * azurerm_lock.c - the lock of a state in Azure's blob storage: an endless
 * lease of its blob, whose ID is the lock's
 *
 * Who holds it is in the blob's metadata (terraformlockid, JSON in base64),
 * which only the lease's holder can write.
 */
#include "base/base64.h"
#include "state/backend/azurerm/azurerm_int.h"
#include "state/backend/backend_int.h"

static const char info_header[] = "x-ms-meta-terraformlockid";

/* --- leases --- */

static int lease(struct backend *b, const char *action, struct str id,
		 struct fetch_answer *answer, struct str *why)
{
	const struct azurerm *z = b->data;
	struct azurerm_request r = { .method = "PUT",
				     .blob = z->blob,
				     .query = "comp=lease" };

	azurerm_header(&r, "x-ms-lease-action", str_c(action));
	if (str_is(str_c(action), "acquire")) {
		azurerm_header(&r, "x-ms-lease-duration", STR("-1"));
		azurerm_header(&r, "x-ms-proposed-lease-id", id);
	} else {
		azurerm_lease(&r, id);
	}
	return azurerm_ask(b, &r, answer, why);
}

/* The blob's metadata as it is, with this info; empty: without any. */
static int write_info(struct backend *b, const struct fetch_answer *blob,
		      struct str id, struct str info, struct str *why)
{
	const struct azurerm *z = b->data;
	struct azurerm_request r = { .method = "PUT",
				     .blob = z->blob,
				     .query = "comp=metadata",
				     .keyed = true,
				     .scoped = true };
	struct fetch_answer answer;

	azurerm_metadata(&r, blob, info_header);
	if (info.n)
		azurerm_header(&r, info_header, base64_encode(b->arena, info));
	azurerm_lease(&r, id);
	return azurerm_ask(b, &r, &answer, why);
}

/* Something to lease. */
static int make_blob(struct backend *b, struct str *why)
{
	const struct azurerm *z = b->data;
	struct azurerm_request r = {
		.method = "PUT", .blob = z->blob, .keyed = true, .scoped = true
	};
	struct fetch_answer answer;

	azurerm_header(&r, "x-ms-blob-content-type", STR("application/json"));
	azurerm_header(&r, "x-ms-blob-type", STR("BlockBlob"));
	azurerm_header(&r, "if-none-match", STR("*"));
	return azurerm_ask(b, &r, &answer, why) && answer.status != 409 &&
			       answer.status != 412
		       ? -1
		       : 0;
}

/* --- who holds it --- */

static bool leased(const struct fetch_answer *blob)
{
	return str_is(fetch_answer_header(blob, "x-ms-lease-status"), "locked");
}

/* False: the blob has no info of a lock. */
static bool read_info(struct backend *b, const struct fetch_answer *blob,
		      struct lock_info *out)
{
	struct str text;

	return base64_decode(b->arena, fetch_answer_header(blob, info_header),
			     &text) &&
	       !lock_info_read(b->arena, text, out);
}

static enum lock_result held(struct backend *b, const struct fetch_answer *blob,
			     struct str error, struct lock_info *holder,
			     const char **why)
{
	*why = arena_strndup(b->arena, error.p, error.n);
	if (!read_info(b, blob, holder))
		*why = arena_printf(b->arena,
				    "%s\nblob metadata \"terraformlockid\" was "
				    "empty",
				    *why);
	return LOCK_HELD;
}

/* --- operations --- */

/* What cannot be told apart from a lock that we hold is removed: a lease has an
 * ID of our own, so that it is no other's. */
static enum lock_result give_back(struct backend *b, struct str id,
				  struct str why, struct diags *ds)
{
	struct fetch_answer answer;
	struct str ignored;

	/* 409: it is not ours */
	if (lease(b, "release", id, &answer, &ignored) && answer.status != 409)
		backend_lock_left(b, id, why, ds);
	else
		backend_lock_error(b, why, ds);
	return LOCK_FAILED;
}

static enum lock_result take(struct backend *b,
			     const struct fetch_answer *before,
			     struct lock_info *mine, struct lock_info *holder,
			     const char **why, struct diags *ds)
{
	const struct azurerm *z = b->data;
	struct fetch_answer answer;
	struct buf info = BUF_INIT;
	struct str error, ignored;
	int rc;

	if (lease(b, "acquire", mine->id, &answer, &error)) {
		if (answer.status != 409)
			return give_back(b, mine->id, error, ds);
		if (azurerm_look(b, z->blob, &answer, &ignored))
			return give_back(b, mine->id, error, ds);
		return held(b, &answer, error, holder, why);
	}
	mine->path = azurerm_url(b, z->blob);
	lock_info_write(&info, mine);
	rc = write_info(b, before, mine->id, buf_view(&info), &error);
	buf_release(&info);
	return rc ? give_back(b, mine->id, error, ds) : LOCK_TAKEN;
}

enum lock_result azurerm_lock(struct backend *b, struct lock_info *mine,
			      struct lock_info *holder, const char **why,
			      struct diags *ds)
{
	const struct azurerm *z = b->data;
	struct fetch_answer blob;
	struct str error;

	if (azurerm_look(b, z->blob, &blob, &error)) {
		if (blob.status != 404 || make_blob(b, &error)) {
			backend_lock_error(b, error, ds);
			return LOCK_FAILED;
		}
		blob = (struct fetch_answer){ .status = 0 };
	}
	if (leased(&blob))
		return held(b, &blob, STR("state blob is already locked"),
			    holder, why);
	return take(b, &blob, mine, holder, why, ds);
}

/* Without its lease nobody can be locked out by the blob. */
static int release(struct backend *b, struct str id, struct str *why)
{
	const struct azurerm *z = b->data;
	struct fetch_answer answer;
	struct str ignored;

	if (!lease(b, "release", id, &answer, why))
		return 0;
	/* The answer to a first try may have been lost. */
	if ((!answer.status || answer.tries > 1) &&
	    !azurerm_look(b, z->blob, &answer, &ignored) && !leased(&answer))
		return 0;
	*why = STR_CAT(b->arena,
		       STR("error when releasing lease for azure lock: "),
		       *why);
	return -1;
}

/* The info may be gone already, as the ID is that of the lease. */
static int unlock(struct backend *b, struct str id, struct str *why)
{
	const struct azurerm *z = b->data;
	struct lock_info holder = { .id = STR_NONE };
	struct fetch_answer blob;
	bool known;

	if (azurerm_look(b, z->blob, &blob, why)) {
		*why = STR_CAT(b->arena, STR("failed to retrieve lock info: "),
			       *why);
		return -1;
	}
	known = read_info(b, &blob, &holder);
	if (known && !str_eq(holder.id, id)) {
		*why = str_printf(
			b->arena,
			"lock id \"%.*s\" does not match existing lock",
			STR_ARG(id));
		return -1;
	}
	if (!known && !leased(&blob)) {
		*why = STR("failed to retrieve lock info: blob metadata "
			   "\"terraformlockid\" was empty");
		return -1;
	}
	if (known && write_info(b, &blob, id, STR_NONE, why)) {
		*why = STR_CAT(
			b->arena,
			STR("failed to delete lock info from metadata: "),
			*why);
		return -1;
	}
	return release(b, id, why);
}

int azurerm_unlock(struct backend *b, struct diags *ds)
{
	struct str why;

	return unlock(b, b->lock.id, &why) ? backend_unlock_error(b, why, ds)
					   : 0;
}

bool azurerm_is_locked(struct backend *b, struct lock_info *holder)
{
	const struct azurerm *z = b->data;
	struct fetch_answer blob;
	struct str ignored;

	return !azurerm_look(b, z->blob, &blob, &ignored) && leased(&blob) &&
	       read_info(b, &blob, holder);
}

int azurerm_force_unlock(struct backend *b, struct str id, bool forced,
			 struct diags *ds)
{
	struct str why;

	(void)forced;
	if (!unlock(b, id, &why))
		return 0;
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}
