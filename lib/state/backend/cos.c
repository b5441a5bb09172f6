/*
 * cos.c - states in Tencent Cloud's store of objects (COS)
 *
 * As OpenTofu's backend "cos" has it: PREFIX/KEY of the default workspace,
 * PREFIX/NAME/KEY of others; beside it with the ending .tflock the lock, whose
 * ID is the MD5 of what is in it.  COS cannot make an object only if there is
 * none.  So who looks whether there is a lock, and makes it, has a tag of the
 * account meanwhile, which can be made only once; its value is the MD5 of
 * BUCKET:OBJECT.
 *
 * OpenTofu deletes the tag again after it has removed the lock; that may be the
 * tag of who is about to take it, so here force-unlock alone does so, also by
 * the tag's value where there is no lock beside it.
 */
#include <stdlib.h>
#include <time.h>

#include "crypto/crypto.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/tencent.h"
#include "remote/xml.h"
#include "state/backend/backend_int.h"
#include "state/backend/backend.h"
#include "state/backend/workspaces.h"
#include "value/number.h"

#define LOCK ".tflock"
#define TAG "tencentcloud-terraform-lock"

enum {
	RETRIES = 2,
	SECONDS = 60, /* for one request */
	MOST_SECONDS = 43200,
	MD5_HEX = 32,
	MOST = INT32_MAX,
	LOOKS = 20, /* whether a tag goes away, */
	LOOK_MS = 250,
};

struct cos {
	struct str bucket, region, prefix, key;
	struct str host;
	struct str state, lock; /* names of objects */
	struct str acl;
	bool encrypt;
	struct tencent_keys given, keys; /* keys: those that count now */
	struct tencent_role role;        /* arn is empty: none */
};

/* --- settings --- */

static struct str object_of(struct backend *b, struct str workspace)
{
	const struct cos *c = b->data;

	return workspace_object(b->arena, c->prefix, c->key, workspace);
}

static int read_names(struct backend *b, struct cos *c, struct diags *ds)
{
	bool accelerate;

	c->bucket = argument_text(b, "bucket");
	c->region = argument_text(b, "region");
	c->prefix = argument_text(b, "prefix");
	c->key = argument_text(b, "key");
	c->acl = argument_text(b, "acl");
	if (str_starts(c->prefix, "/") || str_starts(c->prefix, "./"))
		return argument_error(b, ds, "prefix",
				      "must not start with '/' or './'");
	if (!c->key.n || str_starts(c->key, "/") || str_ends(c->key, "/"))
		return argument_error(
			b, ds, "key",
			"can neither be empty nor start or end with '/'");
	if (!str_is(c->acl, "private") && !str_is(c->acl, "public-read"))
		return argument_error(b, ds, "acl",
				      "is \"private\" or \"public-read\"");
	if (argument_flag(b, "encrypt", &c->encrypt, ds) ||
	    argument_flag(b, "accelerate", &accelerate, ds))
		return -1;
	c->host = STR_CAT(b->arena, c->bucket, STR(".cos."),
			  accelerate ? STR("accelerate") : c->region,
			  STR(".myqcloud.com"));
	return 0;
}

/* An argument of the block, or what its variable says. */
static struct str role_text(struct backend *b, const struct value *role,
			    const char *name)
{
	const struct str s = argument_string(argument_member(role, name));

	return s.p ? s
		   : backend_default(b->arena, STR("cos"),
				     str_printf(b->arena, "assume_role.%s",
						name));
}

static int read_role(struct backend *b, struct cos *c, struct diags *ds)
{
	const struct value *all = argument_value(b, "assume_role"), *v, *n;
	struct str text;
	char *end;

	c->given = (struct tencent_keys){
		.id = argument_text(b, "secret_id"),
		.secret = argument_text(b, "secret_key"),
		.token = argument_text(b, "security_token"),
	};
	c->keys = c->given;
	if (!all || !all->len)
		return 0;
	if (all->len > 1)
		return argument_error(b, ds, "assume_role",
				      "is a block of which there can be one");
	v = all->elems[0];
	c->role.arn = role_text(b, v, "role_arn");
	c->role.session = role_text(b, v, "session_name");
	c->role.policy = role_text(b, v, "policy");
	n = argument_member(v, "session_duration");
	text = role_text(b, v, "session_duration");
	if (n && !value_get_int(n, &c->role.seconds))
		c->role.seconds = -1;
	if (!n)
		c->role.seconds = strtoll(str_dup(b->arena, text).p, &end, 10);
	if (!n && *end)
		c->role.seconds = -1;
	if (!c->role.arn.n)
		return argument_error(b, ds, "assume_role.role_arn",
				      "is required");
	if (!c->role.session.n)
		return argument_error(b, ds, "assume_role.session_name",
				      "is required");
	if (c->role.seconds < 0 || c->role.seconds > MOST_SECONDS)
		return argument_error(b, ds, "assume_role.session_duration",
				      "is no number of seconds from 0 to %d",
				      MOST_SECONDS);
	c->keys.until = 1; /* those of the role are still to be had */
	return 0;
}

static int cos_open(struct backend *b, struct diags *ds)
{
	struct cos *c = ARENA_NEW(b->arena, struct cos);

	b->data = c;
	if (arguments_required(b, ds) || read_names(b, c, ds) ||
	    read_role(b, c, ds))
		return -1;
	c->state = object_of(b, b->workspace);
	c->lock = STR_CAT(b->arena, c->state, STR(LOCK));
	b->name =
		STR_CAT(b->arena, STR("cos://"), c->bucket, STR("/"), c->state);
	return 0;
}

static void cos_take_over(struct backend *b, const struct backend *from)
{
	struct cos *c = b->data;
	const struct cos *f = from->data;

	c->keys = f->keys;
}

static void cos_close(struct backend *b)
{
	(void)b;
}

/* --- requests --- */

static int renew(struct backend *b, struct str *why)
{
	struct cos *c = b->data;

	if (!c->role.arn.n || !c->keys.until || c->keys.until > time(NULL))
		return 0;
	if (!tencent_role_keys(&b->remote, &c->given, c->region, &c->role,
			       &c->keys, why))
		return 0;
	*why = STR_CAT(b->arena, STR("the role cannot be taken on: "), *why);
	return -1;
}

struct request {
	const char *method;
	struct str object;            /* empty: the bucket */
	struct fetch_header query[2]; /* sorted */
	size_t nquery;
	struct str body;
	struct fetch_header headers[8]; /* Host is the first */
	size_t nheaders;
};

static void add_header(struct request *q, const char *name, struct str value)
{
	q->headers[q->nheaders++] = (struct fetch_header){ str_c(name), value };
}

static void request_begin(struct backend *b, struct request *q,
			  const char *method, struct str object)
{
	const struct cos *c = b->data;

	*q = (struct request){ .method = method, .object = object };
	add_header(q, "host", c->host);
}

static struct str url_of(struct backend *b, const struct request *q,
			 struct str path)
{
	const struct cos *c = b->data;
	struct arena *a = b->arena;
	struct str url = STR_CAT(a, STR("https://"), c->host,
				 remote_escape(a, path, true));

	for (size_t i = 0; i < q->nquery; i++)
		url = STR_CAT(a, url, i ? STR("&") : STR("?"), q->query[i].name,
			      STR("="),
			      remote_escape(a, q->query[i].value, false));
	return url;
}

/* 0 where there is an answer, of whatever status. */
static int ask(struct backend *b, struct request *q,
	       struct fetch_answer *answer, struct str *why)
{
	struct cos *c = b->data;
	struct arena *a = b->arena;
	const struct str path = STR_CAT(a, STR("/"), q->object);
	struct fetch_request r = {
		.url = url_of(b, q, path),
		.method = str_c(q->method),
		.headers = q->headers + 1, /* Host is the URL's */
		.body = q->body,
		.most = MOST,
		.seconds = SECONDS,
		.retries = RETRIES,
		.redirects = FETCH_NO_REDIRECTS,
	};

	if (renew(b, why))
		return -1;
	if (c->keys.token.n)
		add_header(q, "x-cos-security-token", c->keys.token);
	fetch_sort_headers(q->headers, q->nheaders);
	if (c->keys.id.n) {
		const struct tencent_request s = {
			.method = str_c(q->method),
			.path = path,
			.query = q->query,
			.nquery = q->nquery,
			.headers = q->headers,
			.nheaders = q->nheaders,
		};

		add_header(q, "Authorization",
			   tencent_sign(a, &c->keys, &s, time(NULL)));
	}
	r.nheaders = q->nheaders - 1;
	if (!fetch_wait(remote_fetch(&b->remote), &r, answer))
		return 0;
	*why = answer->error;
	return -1;
}

/* *text is empty where there is no object; *sum is what it was stored with. */
static int get(struct backend *b, struct str object, struct str *text,
	       struct str *sum, struct str *why)
{
	struct request q;
	struct fetch_answer answer;

	request_begin(b, &q, "GET", object);
	*text = *sum = STR_NONE;
	if (ask(b, &q, &answer, why))
		return -1;
	if (answer.status == 404)
		return 0;
	*sum = fetch_answer_header(&answer, "x-cos-meta-md5");
	if (answer.status != 200)
		*why = xml_failure(b->arena, &answer);
	else if (sum->n != MD5_HEX)
		*why = str_printf(b->arena, "checksum %.*s invalid",
				  STR_ARG(host_text(b->arena, *sum)));
	else if (!str_eq(*sum, digest_hex(b->arena, "md5", answer.body)))
		*why = str_printf(b->arena, "checksum mismatch, %.*s != %.*s",
				  STR_ARG(digest_hex(b->arena, "md5",
						     answer.body)),
				  STR_ARG(*sum));
	else {
		*text = answer.body;
		return 0;
	}
	*why = STR_CAT(b->arena, STR("failed to open file at "), object,
		       STR(": "), *why);
	return -1;
}

static int put(struct backend *b, struct str object, struct str text,
	       struct str *why)
{
	const struct cos *c = b->data;
	struct request q;
	struct fetch_answer answer;

	request_begin(b, &q, "PUT", object);
	q.body = text;
	add_header(&q, "x-cos-acl", c->acl);
	add_header(&q, "x-cos-meta-md5", digest_hex(b->arena, "md5", text));
	if (c->encrypt)
		add_header(&q, "x-cos-server-side-encryption", STR("AES256"));
	if (!ask(b, &q, &answer, why)) {
		if (answer.status == 200)
			return 0;
		*why = xml_failure(b->arena, &answer);
	}
	*why = STR_CAT(b->arena, STR("failed to save file to "), object,
		       STR(": "), *why);
	return -1;
}

static int delete_object(struct backend *b, struct str object, struct str *why)
{
	struct request q;
	struct fetch_answer answer;

	request_begin(b, &q, "DELETE", object);
	if (!ask(b, &q, &answer, why)) {
		if (answer.status / 100 == 2 || answer.status == 404)
			return 0;
		*why = xml_failure(b->arena, &answer);
	}
	*why = STR_CAT(b->arena, STR("failed to delete file "), object,
		       STR(": "), *why);
	return -1;
}

/* --- states --- */

static int cos_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	const struct cos *c = b->data;
	struct str why, sum;

	return get(b, c->state, out, &sum, &why)
		       ? backend_load_error(b, why, ds)
		       : 0;
}

static int cos_store(struct backend *b, struct str text, struct diags *ds)
{
	const struct cos *c = b->data;
	struct str why;

	return put(b, c->state, text, &why) ? backend_store_error(b, why, ds)
					    : 0;
}

/* --- the tag --- */

static struct str tag_value(struct backend *b)
{
	const struct cos *c = b->data;

	return digest_hex(b->arena, "md5",
			  STR_CAT(b->arena, c->bucket, STR(":"), c->lock));
}

static const struct json *ask_tag(struct backend *b, const char *action,
				  bool repeats, struct str *code,
				  struct str *why)
{
	const struct cos *c = b->data;
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	struct tencent_call call = { .service = "tag",
				     .action = action,
				     .region = c->region,
				     .language = "en-US",
				     .repeats = repeats };

	*code = STR_NONE;
	jw_object(&w);
	jw_member_str(&w, "TagKey", STR(TAG));
	jw_member_str(&w, "TagValue", tag_value(b));
	jw_object_end(&w);
	call.body = buf_take(b->arena, &body);
	return renew(b, why)
		       ? NULL
		       : tencent_ask(&b->remote, &c->keys, &call, code, why);
}

/* 1: it is there; -1 with *why. */
static int tag_exists(struct backend *b, struct str *why)
{
	struct str code;
	const struct json *j = ask_tag(b, "DescribeTags", true, &code, why);
	const struct json *tags = json_get(j, "Tags");

	return !j ? -1 : tags && tags->kind == JSON_ARRAY && tags->len;
}

static int tag_delete(struct backend *b, struct str *why)
{
	struct str code, ignored;
	int there;

	if (ask_tag(b, "DeleteTag", true, &code, why))
		return 0;
	there = tag_exists(b, &ignored);
	if (!there)
		return 0;
	*why = STR_CAT(b->arena, STR("failed to delete tag: " TAG " -> "),
		       tag_value(b), STR(": "), *why);
	return -1;
}

/* The answer to who made a tag was lost.  Others have theirs for a moment, or
 * make a lock with it: one that stays without a lock is ours.  -1: it may be
 * there. */
static int tag_give_back(struct backend *b)
{
	const struct cos *c = b->data;
	struct str text, sum, ignored;

	for (int i = 0; i < LOOKS; i++) {
		if (tag_exists(b, &ignored) == 0)
			return 0;
		remote_pause(&b->remote, LOOK_MS);
	}
	if (get(b, c->lock, &text, &sum, &ignored))
		return -1;
	return text.n ? 0 : tag_delete(b, &ignored);
}

/* --- locks --- */

/* 1: there is a lock; -1 with *why. */
static int look(struct backend *b, struct lock_info *holder, struct str *why)
{
	const struct cos *c = b->data;
	struct str text, sum;

	if (get(b, c->lock, &text, &sum, why))
		return -1;
	if (!text.n)
		return 0;
	lock_info_read(b->arena, text, holder);
	holder->id = sum;
	return 1;
}

/* While the tag is ours.  *left: it may be there, though it is not taken. */
static enum lock_result make_lock(struct backend *b, struct lock_info *mine,
				  struct lock_info *holder, const char **why,
				  struct str *error, bool *left)
{
	struct cos *c = b->data;
	const int there = look(b, holder, error);
	struct lock_info found = { .id = STR_NONE };
	struct buf info = BUF_INIT;
	struct str id, ignored;
	int rc;

	if (there < 0)
		return LOCK_FAILED;
	if (there) {
		*why = arena_printf(b->arena, "lock file %.*s exists",
				    STR_ARG(c->lock));
		return LOCK_HELD;
	}
	mine->path = c->lock;
	lock_info_write(&info, mine);
	id = digest_hex(b->arena, "md5", buf_view(&info));
	rc = put(b, c->lock, buf_view(&info), error);
	buf_release(&info);
	mine->id = str_dup(b->arena, id);
	if (!rc)
		return LOCK_TAKEN;
	/* The answer may have been lost; a lock that is there now is ours. */
	rc = look(b, &found, &ignored);
	if (rc < 0)
		*left = delete_object(b, c->lock, &ignored) != 0;
	return rc == 1 && str_eq(found.id, id) ? LOCK_TAKEN : LOCK_FAILED;
}

static enum lock_result cos_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds)
{
	struct str code, error = STR_NONE, ignored;
	enum lock_result rc;
	bool left = false;

	if (!ask_tag(b, "CreateTag", false, &code, &error)) {
		error = STR_CAT(b->arena,
				STR("failed to create tag: " TAG " -> "),
				tag_value(b), STR(": "), error);
		if (str_is(code, "ResourceInUse.TagDuplicate")) {
			*why = error.p;
			if (look(b, holder, &ignored) <= 0)
				holder->id = tag_value(b);
			return LOCK_HELD;
		}
		if (!code.n && tag_give_back(b))
			backend_lock_left(b, tag_value(b), error, ds);
		else
			backend_lock_error(b, error, ds);
		return LOCK_FAILED;
	}
	rc = make_lock(b, mine, holder, why, &error, &left);
	if (tag_delete(b, rc == LOCK_FAILED ? &ignored : &error)) {
		/* Nobody could take it again after us.  A lock of ours stays,
		 * for it has who left the tag. */
		left |= rc == LOCK_TAKEN;
		backend_lock_left(b, left ? mine->id : tag_value(b), error, ds);
		return LOCK_FAILED;
	}
	if (left)
		backend_lock_left(b, mine->id, error, ds);
	else if (rc == LOCK_FAILED)
		backend_lock_error(b, error, ds);
	return rc;
}

static int unlock(struct backend *b, struct str id, struct str *why)
{
	const struct cos *c = b->data;
	struct lock_info holder = { .id = STR_NONE };
	const int there = look(b, &holder, why);

	if (there < 0)
		return -1;
	if (!there)
		*why = STR_CAT(b->arena, STR("lock file "), c->lock,
			       STR(" not exists"));
	else if (!str_eq(holder.id, id))
		*why = STR_CAT(b->arena, STR("lock id mismatch, "), holder.id,
			       STR(" != "), id);
	else
		return delete_object(b, c->lock, why);
	return -1;
}

static int cos_unlock(struct backend *b, struct diags *ds)
{
	struct str why;

	return unlock(b, b->lock.id, &why) ? backend_unlock_error(b, why, ds)
					   : 0;
}

static bool cos_is_locked(struct backend *b, struct lock_info *holder)
{
	struct str ignored;

	return look(b, holder, &ignored) > 0;
}

static int cos_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds)
{
	struct lock_info holder = { .id = STR_NONE };
	struct str why = STR_NONE;
	int there;

	(void)forced;
	/* By its value a tag that was left without a lock. */
	if ((str_eq(id, tag_value(b)) && look(b, &holder, &why) == 0) ||
	    !unlock(b, id, &why)) {
		there = tag_exists(b, &why);
		if (there == 0 || (there > 0 && !tag_delete(b, &why)))
			return 0;
	}
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(host_text(ds->arena, why)));
}

/* --- workspaces --- */

static void take_names(struct backend *b, struct str body, struct str_vec *out)
{
	const struct cos *c = b->data;
	struct str one, name;

	while ((one = xml_element(b->arena, &body, "Contents")).p) {
		name = workspace_of_object(b->arena, c->prefix, c->key,
					   xml_element(b->arena, &one, "Key"));
		if (name.n)
			vec_push(b->arena, out, name);
	}
}

static int list(struct backend *b, struct str_vec *out, struct str *why)
{
	const struct cos *c = b->data;
	struct str more = STR_NONE, rest;
	struct fetch_answer answer;
	struct request q;

	do {
		request_begin(b, &q, "GET", STR_NONE);
		if (more.n)
			q.query[q.nquery++] =
				(struct fetch_header){ STR("marker"), more };
		if (c->prefix.n)
			q.query[q.nquery++] =
				(struct fetch_header){ STR("prefix"),
						       c->prefix };
		if (ask(b, &q, &answer, why))
			return -1;
		if (answer.status != 200) {
			*why = answer.status == 404
				       ? STR_CAT(b->arena, STR("bucket "),
						 c->bucket, STR(" not exists"))
				       : xml_failure(b->arena, &answer);
			return -1;
		}
		take_names(b, answer.body, out);
		rest = answer.body;
		more = xml_element(b->arena, &rest, "NextMarker");
	} while (more.n);
	return 0;
}

static int cos_workspaces(struct backend *b, struct str_vec *out,
			  struct diags *ds)
{
	const size_t first = out->len;
	struct str why;

	if (list(b, out, &why))
		return backend_list_error(why, ds);
	str_vec_sort(out, first);
	return 0;
}

static int cos_workspace_remove(struct backend *b, struct str name,
				struct diags *ds)
{
	struct str why;

	return delete_object(b, object_of(b, name), &why)
		       ? diag_error(ds, NULL, "Workspace deletion failed",
				    "%.*s.", STR_ARG(why))
		       : 0;
}

const struct backend_ops backend_cos = {
	.type = "cos",
	.remote = true,
	.open = cos_open,
	.take_over = cos_take_over,
	.close = cos_close,
	.fetch = cos_fetch,
	.store = cos_store,
	.lock = cos_lock,
	.unlock = cos_unlock,
	.is_locked = cos_is_locked,
	.force_unlock = cos_force_unlock,
	.workspaces = cos_workspaces,
	.workspace_make = workspace_make_empty,
	.workspace_remove = cos_workspace_remove,
};
