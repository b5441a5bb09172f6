/*
 * tfe.c - state in a workspace of the TFE API: the backends `remote` and
 * `cloud`, with plans and applies made here
 *
 * A workspace has one lock and a history of state versions.  A version is made
 * in two steps: its serial, lineage and MD5 go to the API, which answers with
 * the address of a store that takes the text.
 */
#include <stdlib.h>

#include "base/base64.h"
#include "base/product.h"
#include "base/workdir.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "state/backend/backend_int.h"
#include "state/backend/tfe/tfe_int.h"
#include "state/backend/workspaces.h"

/* --- settings --- */

static struct str member_text(const struct value *object, const char *name)
{
	return argument_string(argument_member(object, name));
}

static int bad_workspaces(struct diags *ds, const char *why)
{
	return diag_error(ds, NULL, "Invalid workspaces configuration", "%s",
			  why);
}

static int read_remote(struct backend *b, const struct value *workspaces,
		       struct diags *ds)
{
	struct tfe *t = b->data;

	t->prefix = member_text(workspaces, "prefix");
	if (!t->organization.n)
		return diag_error(
			ds, NULL, "Invalid organization value",
			"The argument \"organization\" is missing or empty.");
	if (!t->name.n && !t->prefix.n)
		return bad_workspaces(
			ds,
			"Either workspace \"name\" or \"prefix\" is required.");
	if (t->name.n && t->prefix.n)
		return bad_workspaces(
			ds,
			"Only one of workspace \"name\" or \"prefix\" is allowed.");
	return 0;
}

static int read_cloud(struct backend *b, const struct value *workspaces,
		      struct diags *ds)
{
	const struct value *tags = argument_member(workspaces, "tags");
	const struct str selected = b->opts.workdir->forced;
	struct tfe *t = b->data;

	for (size_t i = 0; tags && i < tags->len; i++)
		vec_push(b->arena, &t->tags, tags->elems[i]->string);
	t->project = member_text(workspaces, "project");
	if (!t->project.n)
		t->project = str_env("TF_CLOUD_PROJECT");
	if (!t->organization.n)
		return diag_error(ds, NULL,
				  "Invalid or missing required argument",
				  "\"organization\" must be set, in the "
				  "configuration or with "
				  "TF_CLOUD_ORGANIZATION.");
	if (selected.n) {
		if (t->name.n && !str_eq(t->name, selected))
			return bad_workspaces(
				ds, "TF_WORKSPACE is set to another workspace "
				    "than the name in the configuration.");
		if (!t->name.n && !t->tags.len)
			t->name = selected;
	}
	if (!t->name.n && !t->tags.len)
		return bad_workspaces(ds, "The \"workspaces\" block needs "
					  "\"tags\" or a \"name\"; or "
					  "TF_WORKSPACE gives the name.");
	if (t->name.n && t->tags.len)
		return bad_workspaces(
			ds,
			"Only one of workspace \"tags\" or \"name\" is allowed.");
	return 0;
}

static struct str shown_name(struct backend *b)
{
	struct diags ignored = DIAGS_INIT(b->arena);
	const struct tfe *t = b->data;
	struct str name;

	if (tfe_remote_name(b, b->workspace, &name, &ignored))
		name = STR_CAT(b->arena, t->prefix, STR("*"));
	return STR_CAT(b->arena, t->host, STR("/"), t->organization, STR("/"),
		       name);
}

static int tfe_open(struct backend *b, struct diags *ds)
{
	const struct value *workspaces = argument_value(b, "workspaces");
	struct tfe *t = ARENA_NEW(b->arena, struct tfe);
	const char *summary;

	b->data = t;
	t->cloud = str_is(str_c(b->ops->type), "cloud");
	t->host = argument_text(b, "hostname");
	t->organization = argument_text(b, "organization");
	t->token = argument_text(b, "token");
	t->name = member_text(workspaces, "name");
	if (t->cloud && !t->host.n)
		t->host = str_env("TF_CLOUD_HOSTNAME");
	if (t->cloud && !t->organization.n)
		t->organization = str_env("TF_CLOUD_ORGANIZATION");
	if (t->cloud ? read_cloud(b, workspaces, ds)
		     : read_remote(b, workspaces, ds))
		return -1;
	summary = arena_printf(b->arena,
			       "Hostname is required for the %s backend",
			       b->ops->type);
	if (!t->host.n)
		return diag_error(ds, NULL, summary,
				  "There is no default: set \"hostname\"%s.",
				  t->cloud ? " or TF_CLOUD_HOSTNAME" : "");
	b->name = shown_name(b);
	return 0;
}

static void tfe_take_over(struct backend *b, const struct backend *from)
{
	struct tfe *t = b->data;
	const struct tfe *f = from->data;

	t->cli = f->cli;
	t->token = f->token;
	t->base = f->base;
}

static void tfe_close(struct backend *b)
{
	(void)b;
}

/* --- the state --- */

static bool is_refusal(const struct tfe_answer *r)
{
	return r->status == 401 || r->status == 403 || r->status == 404;
}

static int load_error(struct backend *b, const char *what, struct str why,
		      struct diags *ds)
{
	return backend_load_error(b, STR_CAT(b->arena, str_c(what), why), ds);
}

static int tfe_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	struct tfe *t = b->data;
	struct tfe_answer r;
	struct str url;

	*out = STR_NONE;
	if (tfe_ready(b, ds))
		return -1;
	if (tfe_ask(b, "GET", tfe_own_path(b, "current-state-version"),
		    STR_NONE, TFE_RETRIES, &r))
		return load_error(b, "error retrieving state: ", r.why, ds);
	t->refused = is_refusal(&r);
	if (r.status == 404)
		return 0;
	if (!tfe_done(&r))
		return load_error(b, "error retrieving state: ", r.why, ds);
	url = json_get_str(json_get(json_get(r.json, "data"), "attributes"),
			   "hosted-state-download-url");
	t->refused = !url.n;
	if (!url.n)
		return load_error(b, "error retrieving state: ",
				  STR("the answer has no address"), ds);
	if (tfe_object(b, "GET", url, STR_NONE, &r) || !tfe_done(&r)) {
		t->refused = is_refusal(&r);
		return load_error(b, "error downloading state: ", r.why, ds);
	}
	*out = r.body;
	return 0;
}

/* Writes an output as a state has it; -1 where the host does not know its type,
 * or a secret value is not to be had. */
static int put_output(struct backend *b, const struct json *data, struct jw *w)
{
	const struct json *at = json_get(data, "attributes");
	const struct json *type = json_get(at, "detailed-type");
	const struct json *value = json_get(at, "value");
	const bool secret = json_get_bool(at, "sensitive", false);
	struct tfe_answer r;

	if (secret) {
		if (tfe_ask(b, "GET",
			    STR_CAT(b->arena, STR("state-version-outputs/"),
				    remote_escape(b->arena,
						  json_get_str(data, "id"),
						  false)),
			    STR_NONE, TFE_RETRIES, &r) ||
		    !tfe_done(&r))
			return -1;
		at = json_get(json_get(r.json, "data"), "attributes");
		value = json_get(at, "value");
	}
	if (!type || type->kind == JSON_NULL || !value)
		return -1;
	jw_key_str(w, json_get_str(at, "name"));
	jw_object(w);
	jw_key(w, "value");
	jw_json(w, value);
	jw_key(w, "type");
	jw_json(w, type);
	jw_member_bool(w, "sensitive", secret);
	jw_object_end(w);
	return 0;
}

static int put_outputs(struct backend *b, struct jw *w)
{
	const struct str path =
		tfe_own_path(b, "current-state-version-outputs");
	struct tfe_answer r;

	for (int64_t page = 1; page;) {
		const struct json *all;

		if (tfe_page(b, path, &page, &r) || !tfe_done(&r))
			return -1;
		all = json_get(r.json, "data");
		for (uint32_t i = 0;
		     all && all->kind == JSON_ARRAY && i < all->len; i++)
			if (put_output(b, &all->items[i], w))
				return -1;
	}
	return 0;
}

static struct str tfe_outputs(struct backend *b)
{
	const struct tfe *t = b->data;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc;

	if (!t->refused)
		return STR_NONE;
	jw_object(&w);
	jw_member_int(&w, "version", 4);
	jw_member_str(&w, "terraform_version", STR(COMPATIBLE_VERSION));
	jw_member_int(&w, "serial", 0);
	jw_member_str(&w, "lineage", STR_NONE);
	jw_key(&w, "outputs");
	jw_object(&w);
	rc = put_outputs(b, &w);
	jw_object_end(&w);
	jw_key(&w, "resources");
	jw_array(&w);
	jw_array_end(&w);
	jw_object_end(&w);
	if (!rc)
		return buf_take(b->arena, &out);
	buf_release(&out);
	return STR_NONE;
}

/* What of a state its version tells. */
struct told {
	struct str serial, lineage;
	struct str outputs; /* the JSON of the member; empty: there is none */
};

static void look_inside(struct arena *a, struct str text, struct told *out)
{
	struct json_scan sc = json_scan_start(a, text);
	bool first = true;
	struct str name;

	*out = (struct told){ .serial = STR("0") };
	if (json_scan_open(&sc, '{'))
		return;
	while (json_scan_member(&sc, &first, &name) == 1) {
		const bool lineage =
			str_is(name, "lineage") && json_scan_peek(&sc) == '"';
		struct str *to = str_is(name, "serial")    ? &out->serial
				 : str_is(name, "outputs") ? &out->outputs
							   : NULL;

		if (lineage ? json_scan_string(&sc, &out->lineage)
			    : json_scan_value(&sc, to))
			return;
	}
}

/* {"NAME": {"sensitive": …, "type": …, "value": …} …}, with which the host
 * shows outputs, and gives them to others without the state. */
static struct str outputs_json(struct arena *a, struct str text)
{
	struct json_error unread;
	const struct json *j = text.n ? json_parse(a, text, &unread) : NULL;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);

	jw_object(&w);
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++) {
		const struct json *o = &j->members[i].value;

		jw_key_str(&w, j->members[i].name);
		jw_object(&w);
		jw_member_bool(&w, "sensitive",
			       json_get_bool(o, "sensitive", false));
		if (json_get(o, "type")) {
			jw_key(&w, "type");
			jw_json(&w, json_get(o, "type"));
		}
		if (json_get(o, "value")) {
			jw_key(&w, "value");
			jw_json(&w, json_get(o, "value"));
		}
		jw_object_end(&w);
	}
	jw_object_end(&w);
	return buf_take(a, &out);
}

static void put_run(struct jw *w)
{
	const struct str run = str_env("TFE_RUN_ID");

	if (!run.n)
		return;
	jw_key(w, "relationships");
	jw_object(w);
	jw_key(w, "run");
	jw_object(w);
	jw_key(w, "data");
	jw_object(w);
	jw_member_str(w, "type", STR("runs"));
	jw_member_str(w, "id", run);
	jw_object_end(w);
	jw_object_end(w);
	jw_object_end(w);
}

/* whole: with the text itself, for hosts that have no store. */
static struct str version_body(struct backend *b, struct str text, bool whole)
{
	struct arena *a = b->arena;
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	struct told told;

	look_inside(a, text, &told);
	jw_object(&w);
	jw_key(&w, "data");
	jw_object(&w);
	jw_member_str(&w, "type", STR("state-versions"));
	jw_key(&w, "attributes");
	jw_object(&w);
	jw_member_bool(&w, "force", b->forced);
	jw_member_str(&w, "json-state-outputs",
		      base64_encode(a, outputs_json(a, told.outputs)));
	jw_member_str(&w, "lineage", told.lineage);
	jw_member_str(&w, "md5", digest_hex(a, "md5", text));
	jw_key(&w, "serial");
	jw_raw(&w, told.serial);
	if (whole)
		jw_member_str(&w, "state", base64_encode(a, text));
	jw_object_end(&w);
	put_run(&w);
	jw_object_end(&w);
	jw_object_end(&w);
	return buf_take(a, &out);
}

static int upload_error(struct backend *b, struct str why, struct diags *ds)
{
	return backend_store_error(
		b, STR_CAT(b->arena, STR("error uploading state: "), why), ds);
}

static int tfe_store(struct backend *b, struct str text, struct diags *ds)
{
	struct tfe_answer r;
	struct str url, path;

	if (tfe_ready(b, ds) || tfe_discover(b, ds))
		return -1;
	path = tfe_own_path(b, "state-versions");
	if (tfe_ask(b, "POST", path, version_body(b, text, false), TFE_RETRIES,
		    &r))
		return upload_error(b, r.why, ds);
	if (str_find(r.why,
		     STR("param is missing or the value is empty: state")) >=
	    0) {
		if (tfe_ask(b, "POST", path, version_body(b, text, true),
			    TFE_RETRIES, &r) ||
		    !tfe_done(&r))
			return upload_error(b, r.why, ds);
		return 0;
	}
	if (!tfe_done(&r))
		return upload_error(b, r.why, ds);
	url = json_get_str(json_get(json_get(r.json, "data"), "attributes"),
			   "hosted-state-upload-url");
	if (!url.n)
		return upload_error(b, STR("the answer has no address"), ds);
	if (tfe_object(b, "PUT", url, text, &r) || !tfe_done(&r))
		return upload_error(b, r.why, ds);
	return 0;
}

/* --- its lock --- */

static struct str lock_id(struct backend *b)
{
	const struct tfe *t = b->data;

	return STR_CAT(b->arena, t->organization, STR("/"), t->remote_name);
}

static enum lock_result held(struct backend *b, struct lock_info *holder,
			     const char **why)
{
	holder->id = lock_id(b);
	tfe_look(b, holder);
	*why = arena_printf(b->arena,
			    "workspace already locked (lock ID: \"%.*s\")",
			    STR_ARG(holder->id));
	return LOCK_HELD;
}

/* Nobody knows whether the lock was taken.  Where nobody held it before it is
 * released: the host refuses to release what another user has locked, but not
 * what this user has locked elsewhere in the moment between. */
static int take_back(struct backend *b, bool was_free)
{
	struct tfe_answer r = { .status = 409 };
	int rc = 0;

	/* 409: it is not ours; or not yet, as the host is still at it */
	for (int i = 0; was_free && r.status == 409 && i < 2; i++) {
		remote_pause(&b->remote, i ? 500 : 0);
		rc = tfe_ask(b, "POST", tfe_own_path(b, "actions/unlock"),
			     STR_NONE, TFE_RETRIES, &r);
	}
	return rc;
}

static enum lock_result tfe_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds)
{
	struct tfe *t = b->data;
	struct tfe_answer r;
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	bool was_free;
	int rc;

	if (tfe_ready(b, ds))
		return LOCK_FAILED;
	was_free = !t->locked;
	jw_object(&w);
	jw_member_str(&w, "reason",
		      str_printf(b->arena, "Locked by %s: %.*s, %.*s, %.*s",
				 PRODUCT, STR_ARG(mine->who),
				 STR_ARG(mine->operation),
				 STR_ARG(mine->created)));
	jw_object_end(&w);
	rc = tfe_ask(b, "POST", tfe_own_path(b, "actions/lock"),
		     buf_take(b->arena, &body), 0, &r);
	if (!rc && tfe_done(&r)) {
		mine->id = lock_id(b); /* what force-unlock takes */
		return LOCK_TAKEN;
	}
	if (!rc && r.status == 409)
		return held(b, holder, why);
	if ((rc || r.status >= 500) && take_back(b, was_free))
		backend_lock_left(b, lock_id(b), r.why, ds);
	else
		backend_lock_error(b, r.why, ds);
	return LOCK_FAILED;
}

static int tfe_unlock(struct backend *b, struct diags *ds)
{
	struct str path;
	struct tfe_answer r;
	bool lost;

	if (tfe_ready(b, ds))
		return -1;
	path = tfe_own_path(b, "actions/unlock");
	lost = tfe_ask(b, "POST", path, STR_NONE, 0, &r) || r.status >= 500;
	if (lost && tfe_ask(b, "POST", path, STR_NONE, TFE_RETRIES, &r))
		return backend_unlock_error(b, r.why, ds);
	/* 409 after a request without an answer: that one did it */
	if (tfe_done(&r) || (lost && r.status == 409))
		return 0;
	return backend_unlock_error(b, r.why, ds);
}

/* Who runs under a lock is handed it. */
static bool tfe_is_locked(struct backend *b, struct lock_info *holder)
{
	(void)b;
	(void)holder;
	return false;
}

static int force_error(struct backend *b, struct str why, struct diags *ds)
{
	return diag_error(ds, NULL,
			  arena_printf(b->arena, "Failed to unlock state: %.*s",
				       STR_ARG(why)),
			  (char *)NULL);
}

static int tfe_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds)
{
	struct tfe_answer r;

	(void)forced;
	if (tfe_ready(b, ds))
		return -1;
	if (!str_eq(id, lock_id(b)))
		return force_error(
			b,
			str_printf(
				b->arena,
				"lock ID \"%.*s\" does not match existing lock ID \"%.*s\"",
				STR_ARG(id), STR_ARG(lock_id(b))),
			ds);
	if (tfe_ask(b, "POST", tfe_own_path(b, "actions/force-unlock"),
		    STR_NONE, 0, &r) ||
	    !tfe_done(&r))
		return force_error(b, r.why, ds);
	return 0;
}

/* --- the two --- */

static bool tfe_has_one(const struct backend *b)
{
	const struct tfe *t = b->data;

	return !t->cloud && t->name.n;
}

static struct str tfe_pattern(const struct backend *b)
{
	const struct tfe *t = b->data;

	return t->name.n ? t->name : STR_CAT(b->arena, t->prefix, STR("*"));
}

#define TFE_OPERATIONS \
	.remote = true, .names_all = true, .has_one = tfe_has_one, \
	.pattern = tfe_pattern, .open = tfe_open, .take_over = tfe_take_over, \
	.close = tfe_close, .prepare = tfe_ready, .fetch = tfe_fetch, \
	.outputs = tfe_outputs, .store = tfe_store, .lock = tfe_lock, \
	.unlock = tfe_unlock, .is_locked = tfe_is_locked, \
	.force_unlock = tfe_force_unlock, .workspaces = tfe_workspaces, \
	.workspace_make = tfe_workspace_make, \
	.workspace_remove = tfe_workspace_remove

const struct backend_ops backend_remote = { .type = "remote",
					    .saved_first = true,
					    TFE_OPERATIONS };
const struct backend_ops backend_cloud = {
	.type = "cloud",
	.shares_names = true,
	.no_outputs =
		"could not read state version outputs: resource not found",
	TFE_OPERATIONS
};
