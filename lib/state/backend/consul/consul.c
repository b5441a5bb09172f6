/*
 * consul.c - states as keys of Consul, locked by sessions
 *
 * As OpenTofu's backend "consul" has it: the state is the value of a key, plain
 * or gzipped; where that is too large, the value names keys with the chunks. It
 * is written by a transaction that compares the key's index.  The lock is the
 * key PATH/.lock, acquired by a session that has to be renewed, its info is
 * PATH/.lockinfo (consul_lock.c).
 */
#include "base/base64.h"
#include "codec/gzip.h"
#include "crypto/crypto.h"
#include "json/tree.h"
#include "state/backend/consul/consul_int.h"
#include "state/backend/workspaces.h"

enum { CHUNK = 524288 }; /* what a value may have, unless it is configured */

struct str consul_path(struct backend *b, struct str workspace)
{
	struct consul_backend *c = b->data;

	return str_is(workspace, "default")
		       ? c->path
		       : STR_CAT(b->arena, c->path, STR("-env:"), workspace);
}

static void consul_close(struct backend *b)
{
	consul_end_session(b);
}

/* --- requests --- */

int consul_ask(struct backend *b, const char *method, struct str what,
	       struct str body, struct fetch_answer *answer, struct str *why)
{
	struct consul_backend *c = b->data;
	const bool has_query = str_chr(what, '?') >= 0;
	struct str place = c->query;
	struct fetch_request r = {
		.method = str_c(method),
		.headers = c->headers,
		.nheaders = c->nheaders,
		.body = body,
		.tls = &c->tls,
		.retries = REMOTE_RETRIES,
		.most = INT64_MAX,
	};

	if (place.n && !has_query)
		place = str_sub(place, 1, place.n);
	r.url = STR_CAT(b->arena, c->base, what,
			place.n && !has_query ? STR("?") : STR_NONE, place);
	if (fetch_wait(remote_fetch(&b->remote), &r, answer)) {
		*why = answer->error;
		return -1;
	}
	if (answer->status == 200 || answer->status == 404 ||
	    answer->status == 409 || answer->status == 413)
		return 0;
	*why = STR_CAT(b->arena, STR("Unexpected response code: "),
		       str_int(b->arena, answer->status), STR(" ("),
		       host_text(b->arena, str_trim(answer->body)), STR(")"));
	return -1;
}

struct str consul_key(struct backend *b, struct str key, const char *rest)
{
	return STR_CAT(b->arena, STR("kv/"), remote_escape(b->arena, key, true),
		       str_c(rest));
}

static const struct json *parse(struct backend *b, struct str text)
{
	struct json_error err;

	return str_utf8_valid(text) ? json_parse(b->arena, text, &err) : NULL;
}

int consul_get(struct backend *b, struct str key, struct consul_pair *out,
	       struct str *why)
{
	struct fetch_answer answer = { 0 };
	const struct json *j, *index;
	struct str value;

	*out = (struct consul_pair){ .found = false };
	if (consul_ask(b, "GET", consul_key(b, key, ""), STR_NONE, &answer,
		       why))
		return -1;
	if (answer.status == 404)
		return 0;
	j = answer.status == 200 ? parse(b, answer.body) : NULL;
	j = j && j->kind == JSON_ARRAY && j->len == 1 ? &j->items[0] : NULL;
	index = json_get(j, "ModifyIndex");
	value = json_get_str(j, "Value");
	if (!index || index->kind != JSON_NUMBER ||
	    !base64_decode(b->arena, value, &out->value)) {
		*why = STR("the answer is not Consul's");
		return -1;
	}
	out->found = true;
	out->index = index->text;
	out->session = json_get_str(j, "Session");
	return 0;
}

/* --- the state --- */

/* The value that names chunks; NULL: it is the state itself. */
static const struct json *chunked(struct backend *b, struct str value)
{
	const struct json *j;

	if (!value.n || *value.p != '{' ||
	    str_find(value, STR("\"current-hash\"")) < 0)
		return NULL;
	j = parse(b, value);
	return json_get_str(j, "current-hash").n ? j : NULL;
}

static int read_chunks(struct backend *b, const struct json *j, struct str *out,
		       struct str *why)
{
	struct str_vec keys = { 0 };
	struct buf all = BUF_INIT;
	struct consul_pair pair;
	int rc = 0;

	if (json_texts(b->arena, json_get(j, "chunks"), &keys)) {
		*why = STR("the keys of the state's chunks are not there");
		return -1;
	}
	for (size_t i = 0; i < keys.len && !rc; i++) {
		rc = consul_get(b, keys.items[i], &pair, why);
		if (!rc && !pair.found) {
			*why = str_printf(b->arena,
					  "Key \"%.*s\" could not be found",
					  STR_ARG(keys.items[i]));
			rc = -1;
		}
		if (!rc)
			buf_str(&all, pair.value);
	}
	*out = buf_take(b->arena, &all);
	return rc;
}

static int unpack(struct backend *b, struct str *text, struct str *why)
{
	struct buf out = BUF_INIT;
	const char *error;

	if (!text->n || *text->p != '\x1f')
		return 0;
	error = gzip_unpack(&out, *text, SIZE_MAX);
	*text = buf_take(b->arena, &out);
	*why = str_c(error);
	return error ? -1 : 0;
}

static int fetch_text(struct backend *b, struct str *out, struct str *why)
{
	const struct json *parts;
	struct consul_pair pair;
	struct str hash;

	if (consul_get(b, ((struct consul_backend *)b->data)->key, &pair, why))
		return -1;
	b->version = pair.index;
	*out = pair.value;
	parts = chunked(b, pair.value);
	hash = json_get_str(parts, "current-hash");
	if ((parts && read_chunks(b, parts, out, why)) || unpack(b, out, why))
		return -1;
	if (!parts || str_eq(digest_hex(b->arena, "md5", *out), hash))
		return 0;
	*why = STR("The remote state does not match the expected hash");
	return -1;
}

static int consul_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	struct str why;

	*out = STR_NONE;
	return fetch_text(b, out, &why) ? backend_load_error(b, why, ds) : 0;
}

/* --- writing --- */

enum put_result { PUT_DONE, PUT_LARGE, PUT_STALE, PUT_FAILED };

/* One key, by a transaction, which tells its new index.  index: what it must
 * have; empty: anything. */
static enum put_result put(struct backend *b, struct str key, struct str value,
			   struct str index, struct str *why)
{
	struct fetch_answer answer = { 0 };
	const struct json *j;
	struct buf body = BUF_INIT;
	int rc;

	buf_puts(&body, "[{\"KV\":");
	{
		struct jw w = JW_INIT(&body);

		jw_object(&w);
		jw_member_str(&w, "Verb", index.n ? STR("cas") : STR("set"));
		jw_member_str(&w, "Key", key);
		jw_member_str(&w, "Value", base64_encode(b->arena, value));
		if (index.n) {
			jw_key(&w, "Index");
			jw_raw(&w, index);
		}
		jw_object_end(&w);
	}
	buf_puts(&body, "}]");
	rc = consul_ask(b, "PUT", STR("txn"), buf_view(&body), &answer, why);
	buf_release(&body);
	if (rc)
		return PUT_FAILED;
	if (answer.status == 413 ||
	    str_find(answer.body, STR("too large")) >= 0)
		return PUT_LARGE;
	j = parse(b, answer.body);
	if (answer.status == 409) {
		*why = STR(
			"consul CAS failed: the state was changed by another");
		return PUT_STALE;
	}
	j = json_get(j, "Results");
	j = j && j->kind == JSON_ARRAY && j->len == 1
		    ? json_get(json_get(&j->items[0], "KV"), "ModifyIndex")
		    : NULL;
	if (!j || j->kind != JSON_NUMBER) {
		*why = STR("the answer is not Consul's");
		return PUT_FAILED;
	}
	b->version = j->text;
	return PUT_DONE;
}

/* The keys of the chunks of a text: "PATH/tfstate.HASH/". */
static struct str chunk_path(struct backend *b, struct str key, struct str hash)
{
	while (str_ends(key, "/"))
		key.n--;
	return STR_CAT(b->arena, key, STR("/tfstate."), hash,
		       hash.n ? STR("/") : STR_NONE);
}

/* Writes the chunks; *link: the value that names them. */
static int put_chunks(struct backend *b, struct str payload, struct str hash,
		      struct str *link, struct str *why)
{
	struct consul_backend *c = b->data;
	struct str path = chunk_path(b, c->key, hash);
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc = 0;

	jw_object(&w);
	jw_key(&w, "chunks");
	jw_array(&w);
	for (size_t at = 0, i = 0; at < payload.n && !rc; at += CHUNK, i++) {
		const size_t end =
			payload.n - at < CHUNK ? payload.n : at + CHUNK;
		struct str key =
			STR_CAT(b->arena, path, str_int(b->arena, (int64_t)i));
		struct fetch_answer answer = { 0 };

		rc = consul_ask(b, "PUT", consul_key(b, key, ""),
				str_sub(payload, at, end), &answer, why);
		if (!rc && answer.status != 200) {
			*why = STR("a chunk of the state is too large");
			rc = -1;
		}
		jw_str(&w, key);
	}
	jw_array_end(&w);
	jw_member_str(&w, "current-hash", hash);
	jw_object_end(&w);
	*link = buf_take(b->arena, &out);
	return rc;
}

/* What is left of chunks that nobody names any more does no harm. */
static void remove_chunks(struct backend *b, struct str key, struct str hash)
{
	struct fetch_answer answer = { 0 };
	struct str ignored;

	consul_ask(b, "DELETE",
		   consul_key(b, chunk_path(b, key, hash), "?recurse="),
		   STR_NONE, &answer, &ignored);
}

/* An answer that was lost looks like somebody else's change. */
static bool is_stored(struct backend *b, struct str text)
{
	struct str there, ignored;

	return !fetch_text(b, &there, &ignored) && str_eq(there, text);
}

static int put_text(struct backend *b, struct str text, struct str *why)
{
	struct consul_backend *c = b->data;
	struct str payload = text, hash = digest_hex(b->arena, "md5", text),
		   old;
	enum put_result result = PUT_LARGE;
	struct buf packed = BUF_INIT;
	struct consul_pair pair;
	const char *error;

	if (consul_get(b, c->key, &pair, why))
		return -1;
	old = json_get_str(chunked(b, pair.value), "current-hash");
	if (c->gzip) {
		error = gzip_pack(&packed, text);
		payload = buf_take(b->arena, &packed);
		*why = str_c(error);
		if (error)
			return -1;
	}
	if (payload.n <= CHUNK)
		result = put(b, c->key, payload, b->version, why);
	if (result == PUT_LARGE) {
		if (put_chunks(b, payload, hash, &payload, why))
			return -1;
		result = put(b, c->key, payload, b->version, why);
		if (str_eq(hash, old))
			old = STR_NONE;
	}
	if (result != PUT_DONE && (result != PUT_STALE || !is_stored(b, text)))
		return -1;
	if (old.n)
		remove_chunks(b, c->key, old);
	return 0;
}

static int consul_store(struct backend *b, struct str text, struct diags *ds)
{
	struct str why = STR_NONE;

	return put_text(b, text, &why) ? backend_store_error(b, why, ds) : 0;
}

/* --- workspaces --- */

static int consul_workspaces(struct backend *b, struct str_vec *out,
			     struct diags *ds)
{
	struct consul_backend *c = b->data;
	struct str prefix = STR_CAT(b->arena, c->path, STR("-env:")), why;
	struct fetch_answer answer = { 0 };
	struct str_vec keys = { 0 };

	if (consul_ask(b, "GET", consul_key(b, prefix, "?keys=&separator=%2F"),
		       STR_NONE, &answer, &why))
		return backend_list_error(why, ds);
	if (answer.status == 404)
		return 0;
	if (answer.status != 200 ||
	    json_texts(b->arena, parse(b, answer.body), &keys))
		return backend_list_error(STR("the answer is not Consul's"),
					  ds);
	for (size_t i = 0; i < keys.len; i++) {
		struct str name = keys.items[i];

		if (str_take(&name, prefix) && str_chr(name, '/') < 0)
			vec_push(b->arena, out, name);
	}
	return 0;
}

static int consul_workspace_remove(struct backend *b, struct str name,
				   struct diags *ds)
{
	struct str key = consul_path(b, name), why;
	struct fetch_answer answer = { 0 };

	if (consul_ask(b, "DELETE", consul_key(b, key, ""), STR_NONE, &answer,
		       &why))
		return diag_error(ds, NULL, "Workspace deletion failed",
				  "%.*s.", STR_ARG(why));
	remove_chunks(b, key, STR_NONE);
	return 0;
}

const struct backend_ops backend_consul = {
	.type = "consul",
	.remote = true,
	.open = consul_open,
	.close = consul_close,
	.fetch = consul_fetch,
	.store = consul_store,
	.lock = consul_lock,
	.unlock = consul_unlock,
	.is_locked = consul_is_locked,
	.force_unlock = consul_force_unlock,
	.workspaces = consul_workspaces,
	.workspace_make = workspace_make_empty,
	.workspace_remove = consul_workspace_remove,
};
