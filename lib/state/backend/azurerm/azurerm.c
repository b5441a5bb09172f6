/*
 * azurerm.c - state in a container of Azure's blob storage
 *
 * As OpenTofu's backend "azurerm" has it: the blob KEY, and KEYenv:NAME for
 * other workspaces; the lock is a lease (azurerm_lock.c).  Under the lock what
 * is stored is let in by the lease, else by the version that was read.
 */
#include "base/base64.h"
#include "crypto/crypto.h"
#include "remote/remote.h"
#include "remote/xml.h"
#include "state/backend/azurerm/azurerm_int.h"
#include "state/backend/backend_int.h"
#include "state/backend/workspaces.h"

enum { PAGES = 1000 };

static void azurerm_take_over(struct backend *b, const struct backend *from)
{
	struct azurerm *z = b->data;
	const struct azurerm *f = from->data;

	z->cloud = f->cloud;
	z->cloud_known = f->cloud_known;
	z->who = f->who;
	z->token = f->token;
	z->account_key = f->account_key;
}

static void azurerm_close(struct backend *b)
{
	(void)b;
}

/* --- states --- */

static int fetch(struct backend *b, struct str *out, struct str *why)
{
	const struct azurerm *z = b->data;
	struct azurerm_request r = { .method = "GET",
				     .blob = z->blob,
				     .keyed = true };
	struct fetch_answer answer;

	*out = STR_NONE;
	b->version = STR_NONE;
	if (azurerm_ask(b, &r, &answer, why))
		return answer.status == 404 &&
				       !azurerm_is(&answer, "ContainerNotFound")
			       ? 0
			       : -1;
	*out = answer.body;
	b->version = fetch_answer_header(&answer, "etag");
	return 0;
}

static int azurerm_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	struct str why;

	if (!fetch(b, out, &why))
		return 0;
	return backend_load_error(
		b,
		STR_CAT(b->arena, STR("error downloading azure blob: "), why),
		ds);
}

static void content(struct backend *b, struct azurerm_request *r)
{
	unsigned char sum[DIGEST_MAX];
	const size_t n = digest_of("md5", r->body, sum);

	if (n)
		azurerm_header(r, "content-md5",
			       base64_encode(b->arena,
					     (struct str){ (const char *)sum,
							   n }));
	azurerm_header(r, "content-type", STR("application/octet-stream"));
	azurerm_header(r, "x-ms-blob-content-type", STR("application/json"));
	azurerm_header(r, "x-ms-blob-type", STR("BlockBlob"));
}

static int take_snapshot(struct backend *b, struct str *why)
{
	const struct azurerm *z = b->data;
	struct azurerm_request r = { .method = "PUT",
				     .blob = z->blob,
				     .query = "comp=snapshot",
				     .keyed = true,
				     .scoped = true };
	struct fetch_answer answer;

	if (b->locked)
		azurerm_lease(&r, b->lock.id);
	if (!azurerm_ask(b, &r, &answer, why) || answer.status == 404)
		return 0;
	*why = STR_CAT(b->arena, STR("error snapshotting Blob: "), *why);
	return -1;
}

/* With the metadata that the blob has, and if it is still what it was. */
static int put(struct backend *b, const struct fetch_answer *blob,
	       struct str text, struct fetch_answer *answer, struct str *why)
{
	const struct azurerm *z = b->data;
	struct azurerm_request r = { .method = "PUT",
				     .blob = z->blob,
				     .body = text,
				     .keyed = true,
				     .scoped = true };

	content(b, &r);
	azurerm_metadata(&r, blob, "");
	if (b->locked)
		azurerm_lease(&r, b->lock.id);
	else if (b->version.n)
		azurerm_header(&r, "if-match", b->version);
	else
		azurerm_header(&r, "if-none-match", STR("*"));
	return azurerm_ask(b, &r, answer, why);
}

/* Somebody else's lock changes the blob's version, but not what is in it: 1.
 * 0: the text is there, as an answer was lost.  -1: something else is. */
static int changed(struct backend *b, struct str text)
{
	struct str there, ignored;

	if (fetch(b, &there, &ignored))
		return -1;
	if (str_eq(there, text))
		return 0;
	return !b->locked && b->known && str_eq(there, b->text) ? 1 : -1;
}

static int azurerm_store(struct backend *b, struct str text, struct diags *ds)
{
	const struct azurerm *z = b->data;
	struct fetch_answer blob, answer;
	struct str why;
	int rc = -1;

	if (z->snapshot && take_snapshot(b, &why))
		return backend_store_error(b, why, ds);
	for (int i = 0; i < 2; i++) {
		if (azurerm_look(b, z->blob, &blob, &why)) {
			if (blob.status != 404)
				break;
			blob = (struct fetch_answer){ .status = 0 };
		}
		if (!put(b, &blob, text, &answer, &why)) {
			b->version = fetch_answer_header(&answer, "etag");
			return 0;
		}
		rc = changed(b, text);
		if (rc <= 0)
			break;
	}
	return rc ? backend_store_error(b,
					STR_CAT(b->arena,
						STR("error uploading blob: "),
						why),
					ds)
		  : 0;
}

/* --- workspaces --- */

/* What a list names by its <Name> elements. */
static void add_names(struct backend *b, struct str body, struct str prefix,
		      struct str_vec *out)
{
	struct str name;

	while ((name = xml_element(b->arena, &body, "Name")).n) {
		if (!str_take(&name, prefix) || str_chr(name, '/') >= 0 ||
		    !name.n)
			continue;
		vec_push(b->arena, out, name);
	}
}

static int list(struct backend *b, struct str_vec *out, struct str *why)
{
	const struct azurerm *z = b->data;
	const struct str prefix = STR_CAT(b->arena, z->key, STR(AZURERM_INFIX));
	const struct str escaped = remote_escape(b->arena, prefix, false);
	struct str marker = STR_NONE;

	for (int page = 0; page < PAGES; page++) {
		struct azurerm_request r = { .method = "GET" };
		struct fetch_answer answer;
		struct str body;

		r.query = arena_printf(
			b->arena,
			"comp=list%s%.*s&prefix=%.*s&restype=container",
			marker.n ? "&marker=" : "", STR_ARG(marker),
			STR_ARG(escaped));
		if (azurerm_ask(b, &r, &answer, why))
			return -1;
		add_names(b, answer.body, prefix, out);
		body = answer.body;
		marker = xml_element(b->arena, &body, "NextMarker");
		if (!marker.n)
			return 0;
		marker = remote_escape(b->arena, marker, false);
	}
	*why = STR("the list of blobs has no end");
	return -1;
}

static int azurerm_workspaces(struct backend *b, struct str_vec *out,
			      struct diags *ds)
{
	const size_t first = out->len;
	struct str why;

	if (list(b, out, &why))
		return diag_error_line(ds, "error listing blobs: %.*s",
				       STR_ARG(why));
	str_vec_sort(out, first);
	return 0;
}

static struct str other_blob(struct backend *b, struct str name)
{
	const struct azurerm *z = b->data;

	return STR_CAT(b->arena, z->key, STR(AZURERM_INFIX), name);
}

/* Makes a state with nothing in it: then the workspace exists.  Made only if
 * there is none, it needs no lock. */
static int azurerm_workspace_make(struct backend *b, struct str name,
				  struct diags *ds)
{
	struct azurerm_request r = { .method = "PUT",
				     .blob = other_blob(b, name),
				     .keyed = true,
				     .scoped = true };
	struct fetch_answer answer;
	struct str why;
	int rc;

	if (workspace_empty_text(b, &r.body, ds))
		return -1;
	content(b, &r);
	azurerm_header(&r, "if-none-match", STR("*"));
	rc = azurerm_ask(b, &r, &answer, &why);
	if (answer.status == 409 || answer.status == 412)
		rc = 0; /* somebody else has made it */
	return rc ? backend_store_error(b, why, ds) : 0;
}

static int azurerm_workspace_remove(struct backend *b, struct str name,
				    struct diags *ds)
{
	struct azurerm_request r = { .method = "DELETE",
				     .blob = other_blob(b, name) };
	struct fetch_answer answer;
	struct str why;

	if (!azurerm_ask(b, &r, &answer, &why) || answer.status == 404)
		return 0;
	return diag_error_line(ds, "error deleting blob: %.*s", STR_ARG(why));
}

const struct backend_ops backend_azurerm = {
	.type = "azurerm",
	.remote = true,
	.open = azurerm_open,
	.take_over = azurerm_take_over,
	.close = azurerm_close,
	.fetch = azurerm_fetch,
	.store = azurerm_store,
	.lock = azurerm_lock,
	.unlock = azurerm_unlock,
	.is_locked = azurerm_is_locked,
	.force_unlock = azurerm_force_unlock,
	.workspaces = azurerm_workspaces,
	.workspace_make = azurerm_workspace_make,
	.workspace_remove = azurerm_workspace_remove,
};
