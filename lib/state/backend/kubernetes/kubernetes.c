/*
 * kubernetes.c - states in secrets of Kubernetes, locked by leases
 *
 * As OpenTofu's backend "kubernetes" has it: the secret
 * tfstate-WORKSPACE-SUFFIX has the state, gzipped, as its member tfstate; the
 * lease of the same name with lock- before it names the lock's holder
 * (kubernetes_lock.c).  Both are written with the version that they were read
 * with, so that no change is lost.
 */
#include "base/base64.h"
#include "codec/gzip.h"
#include "json/read.h"
#include "json/tree.h"
#include "state/backend/backend_int.h"
#include "state/backend/kubernetes/kubernetes_int.h"
#include "state/backend/workspaces.h"

/* --- names --- */

/* A name that DNS would take, which is what names here have to be. */
static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		const char c = s.p[i];
		const bool edge = i == 0 || i + 1 == s.n;

		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			continue;
		if (edge || (c != '-' && c != '.'))
			return false;
	}
	return s.n && s.n <= 253;
}

static struct str secret_name(struct backend *b, struct str workspace)
{
	struct kubernetes_backend *k = b->data;

	return STR_CAT(b->arena, STR("tfstate-"), workspace, STR("-"),
		       k->suffix);
}

static int kubernetes_open(struct backend *b, struct diags *ds)
{
	struct kubernetes_backend *k =
		ARENA_NEW(b->arena, struct kubernetes_backend);

	b->data = k;
	if (arguments_required(b, ds) || kubernetes_configure(b, ds))
		return -1;
	k->space = argument_text(b, "namespace");
	k->suffix = argument_text(b, "secret_suffix");
	k->labels = argument_value(b, "labels");
	k->secret = secret_name(b, b->workspace);
	k->lease = STR_CAT(b->arena, STR("lock-"), k->secret);
	b->name = STR_CAT(b->arena, k->base, STR(" "), k->space, STR("/"),
			  k->secret);
	if (is_name(k->secret))
		return 0;
	return diag_error(ds, NULL, "Invalid backend configuration",
			  "The secret name \"%.*s\" is invalid: it may have "
			  "small letters, digits, - and . only, and begins and "
			  "ends with a letter or digit. It is made of the "
			  "workspace's name and secret_suffix.",
			  STR_ARG(k->secret));
}

static void kubernetes_take_over(struct backend *b, const struct backend *from)
{
	struct kubernetes_backend *k = b->data;
	const struct kubernetes_backend *f = from->data;

	k->user = f->user;
	memcpy(k->headers, f->headers, sizeof(k->headers));
	k->nheaders = f->nheaders;
	k->ready = f->ready;
}

static void kubernetes_close(struct backend *b)
{
	(void)b;
}

/* --- requests --- */

static struct str kubernetes_secrets(struct backend *b, struct str name)
{
	struct kubernetes_backend *k = b->data;

	return STR_CAT(b->arena, STR("/api/v1/namespaces/"), k->space,
		       STR("/secrets"), name.n ? STR("/") : STR_NONE, name);
}

struct str kubernetes_leases(struct backend *b, struct str name)
{
	struct kubernetes_backend *k = b->data;

	return STR_CAT(b->arena,
		       STR("/apis/coordination.k8s.io/v1/namespaces/"),
		       k->space, STR("/leases"), name.n ? STR("/") : STR_NONE,
		       name);
}

int kubernetes_ask(struct backend *b, const char *method, struct str path,
		   struct str body, struct fetch_answer *answer,
		   struct str *why)
{
	struct kubernetes_backend *k = b->data;
	struct fetch_request r = {
		.method = str_c(method),
		.url = STR_CAT(b->arena, k->base, path),
		.body = body,
		.tls = &k->tls,
		.proxies = &k->proxies,
		.retries = REMOTE_RETRIES,
		.redirects = FETCH_NO_REDIRECTS,
		.most = INT64_MAX,
	};
	struct json_error err;
	struct str message;

	for (int tries = 0; tries < 2; tries++) {
		if (!k->ready && kubernetes_identify(b, why))
			return -1;
		k->ready = true;
		r.headers = k->headers;
		r.nheaders = k->nheaders;
		if (fetch_wait(remote_fetch(&b->remote), &r, answer)) {
			*why = answer->error;
			return -1;
		}
		if (answer->status != 401 ||
		    (!k->user.exec && !k->user.token_file.n))
			break;
		k->ready = false; /* their time is up */
	}
	if (answer->status == 200 || answer->status == 201 ||
	    answer->status == 404 || answer->status == 409)
		return 0;
	message =
		str_utf8_valid(answer->body)
			? json_get_str(json_parse(b->arena, answer->body, &err),
				       "message")
			: STR_NONE;
	*why = message.n ? host_text(b->arena, message)
			 : fetch_status_text(b->arena, answer->status);
	return -1;
}

int kubernetes_get(struct backend *b, struct str path, const struct json **out,
		   struct str *why)
{
	struct fetch_answer answer = { 0 };
	struct json_error err;

	*out = NULL;
	if (kubernetes_ask(b, "GET", path, STR_NONE, &answer, why))
		return -1;
	if (answer.status == 404)
		return 0;
	*out = str_utf8_valid(answer.body)
		       ? json_parse(b->arena, answer.body, &err)
		       : NULL;
	if (json_get(*out, "metadata") || json_get(*out, "items"))
		return 0;
	*why = STR("the answer is not that of Kubernetes");
	return -1;
}

void kubernetes_labels(struct backend *b, struct jw *w)
{
	struct kubernetes_backend *k = b->data;

	jw_key(w, "labels");
	jw_object(w);
	jw_member_str(w, "tfstate", STR("true"));
	jw_member_str(w, "tfstateSecretSuffix", k->suffix);
	jw_member_str(w, "tfstateWorkspace", b->workspace);
	jw_member_str(w, "app.kubernetes.io/managed-by", STR("terraform"));
	for (uint32_t i = 0; k->labels && i < k->labels->len; i++) {
		if (!value_usable(k->labels->elems[i]))
			continue;
		jw_key_str(w, k->labels->keys[i]);
		jw_str(w, k->labels->elems[i]->string);
	}
	jw_object_end(w);
}

void kubernetes_copy(struct jw *w, const struct json *object,
		     const char *const *but)
{
	const uint32_t n =
		object && object->kind == JSON_OBJECT ? object->len : 0;

	for (uint32_t i = 0; i < n; i++) {
		const char *const *name = but;

		while (*name && !str_is(object->members[i].name, *name))
			name++;
		if (*name)
			continue;
		jw_key_str(w, object->members[i].name);
		jw_json(w, &object->members[i].value);
	}
}

/* --- the state --- */

static int unpack(struct backend *b, struct str text, struct str *out,
		  struct str *why)
{
	struct buf plain = BUF_INIT;
	const char *error = "it is not base64";
	struct str packed;

	if (base64_decode(b->arena, text, &packed))
		error = gzip_unpack(&plain, packed, SIZE_MAX);
	*out = buf_take(b->arena, &plain);
	*why = STR_CAT(b->arena, STR("the secret's state cannot be read: "),
		       str_c(error));
	return error ? -1 : 0;
}

/* The secret, its state and version; NULL: there is none. */
static int fetch_secret(struct backend *b, const struct json **secret,
			struct str *out, struct str *why)
{
	struct kubernetes_backend *k = b->data;
	struct str text;

	*out = STR_NONE;
	if (kubernetes_get(b, kubernetes_secrets(b, k->secret), secret, why))
		return -1;
	b->version =
		json_get_str(json_get(*secret, "metadata"), "resourceVersion");
	text = json_get_str(json_get(*secret, "data"), "tfstate");
	return text.n ? unpack(b, text, out, why) : 0;
}

static int kubernetes_fetch(struct backend *b, struct str *out,
			    struct diags *ds)
{
	const struct json *secret;
	struct str why;

	return fetch_secret(b, &secret, out, &why)
		       ? backend_load_error(b, why, ds)
		       : 0;
}

/* The secret as it is to be: old, or a new one, with the state. */
static void write_secret(struct backend *b, const struct json *old,
			 struct str state, struct buf *out)
{
	static const char *const data[] = { "data", NULL };
	static const char *const tfstate[] = { "tfstate", NULL };
	struct kubernetes_backend *k = b->data;
	struct jw w = JW_INIT(out);

	jw_object(&w);
	if (old) {
		kubernetes_copy(&w, old, data);
	} else {
		jw_member_str(&w, "apiVersion", STR("v1"));
		jw_member_str(&w, "kind", STR("Secret"));
		jw_key(&w, "metadata");
		jw_object(&w);
		jw_member_str(&w, "name", k->secret);
		jw_member_str(&w, "namespace", k->space);
		kubernetes_labels(b, &w);
		jw_key(&w, "annotations");
		jw_object(&w);
		jw_member_str(&w, "encoding", STR("gzip"));
		jw_object_end(&w);
		jw_object_end(&w);
	}
	jw_key(&w, "data");
	jw_object(&w);
	kubernetes_copy(&w, json_get(old, "data"), tfstate);
	jw_member_str(&w, "tfstate", state);
	jw_object_end(&w);
	jw_object_end(&w);
}

static int put_secret(struct backend *b, const struct json *old,
		      struct str text, int *status, struct str *why)
{
	struct kubernetes_backend *k = b->data;
	struct fetch_answer answer = { 0 };
	struct buf packed = BUF_INIT, body = BUF_INIT;
	const char *error = gzip_pack(&packed, text);
	int rc = -1;

	*why = str_c(error);
	if (!error) {
		write_secret(b, old, base64_encode(b->arena, buf_view(&packed)),
			     &body);
		rc = kubernetes_ask(b, old ? "PUT" : "POST",
				    kubernetes_secrets(b, old ? k->secret
							      : STR_NONE),
				    buf_view(&body), &answer, why);
	}
	*status = answer.status;
	buf_release(&packed);
	buf_release(&body);
	return rc;
}

/* Others may have changed what belongs to the secret; not its state, which has
 * to be what was read before, as it is kept.  What is there already was stored
 * by a request whose answer was lost. */
static int store_text(struct backend *b, struct str text, struct str *why)
{
	const struct json *secret;
	struct str there;
	int status;

	for (int tries = 0; tries < 3; tries++) {
		if (fetch_secret(b, &secret, &there, why))
			return -1;
		if (str_eq(there, text))
			return 0;
		if (b->kept.n && !str_eq(backend_sum(b, there), b->kept)) {
			*why = STR("the state was changed by another");
			return -1;
		}
		if (put_secret(b, secret, text, &status, why))
			return -1;
		if (status == 200 || status == 201)
			return 0;
	}
	*why = STR("the secret is changed by others all the time");
	return -1;
}

static int kubernetes_store(struct backend *b, struct str text,
			    struct diags *ds)
{
	struct str why;

	return store_text(b, text, &why) ? backend_store_error(b, why, ds) : 0;
}

/* --- workspaces --- */

static int kubernetes_workspaces(struct backend *b, struct str_vec *out,
				 struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	struct str path = STR_CAT(b->arena, kubernetes_secrets(b, STR_NONE),
				  STR("?labelSelector=tfstate%3Dtrue"));
	const size_t first = out->len;
	const struct json *all, *items;
	struct str why;

	if (kubernetes_get(b, path, &all, &why))
		return backend_list_error(why, ds);
	items = json_get(all, "items");
	for (uint32_t i = 0; items && i < items->len; i++) {
		const struct json *labels =
			json_get(json_get(&items->items[i], "metadata"),
				 "labels");
		struct str name = json_get_str(labels, "tfstateWorkspace");

		if (name.n && !str_is(name, "default") &&
		    !str_vec_has(out, name) &&
		    str_eq(json_get_str(labels, "tfstateSecretSuffix"),
			   k->suffix))
			vec_push(b->arena, out, name);
	}
	str_vec_sort(out, first);
	return 0;
}

/* Only what is labelled as a state's is removed. */
static int remove_object(struct backend *b, struct str path, struct str *why)
{
	struct fetch_answer answer = { 0 };
	const struct json *there, *labels;

	if (kubernetes_get(b, path, &there, why))
		return -1;
	if (!there)
		return 0;
	labels = json_get(json_get(there, "metadata"), "labels");
	if (!str_is(json_get_str(labels, "tfstate"), "true")) {
		*why = STR("it does not have the label tfstate");
		return -1;
	}
	return kubernetes_ask(b, "DELETE", path, STR_NONE, &answer, why);
}

static int kubernetes_workspace_remove(struct backend *b, struct str name,
				       struct diags *ds)
{
	struct str secret = secret_name(b, name), why;
	struct str lease = STR_CAT(b->arena, STR("lock-"), secret);

	if (!remove_object(b, kubernetes_secrets(b, secret), &why) &&
	    !remove_object(b, kubernetes_leases(b, lease), &why))
		return 0;
	return diag_error(ds, NULL, "Workspace deletion failed", "%.*s.",
			  STR_ARG(why));
}

const struct backend_ops backend_kubernetes = {
	.type = "kubernetes",
	.remote = true,
	.compares = true,
	.open = kubernetes_open,
	.take_over = kubernetes_take_over,
	.close = kubernetes_close,
	.fetch = kubernetes_fetch,
	.store = kubernetes_store,
	.lock = kubernetes_lock,
	.unlock = kubernetes_unlock,
	.is_locked = kubernetes_is_locked,
	.force_unlock = kubernetes_force_unlock,
	.workspaces = kubernetes_workspaces,
	.workspace_make = workspace_make_empty,
	.workspace_remove = kubernetes_workspace_remove,
};
