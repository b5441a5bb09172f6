/*
 * oss.c - states in Alibaba Cloud's store of objects (OSS)
 *
 * As OpenTofu's backend "oss" has it: PREFIX/KEY of the default workspace,
 * PREFIX/NAME/KEY of others.  Its locks are rows of a table of Tablestore,
 * which has a protocol of its own: who names a table relies on them, and is
 * refused.  Without a table there is no lock, as in OpenTofu.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <time.h>

#include "base/io.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/aliyun.h"
#include "remote/xml.h"
#include "state/backend/backend.h"
#include "state/backend/backend_int.h"
#include "state/backend/workspaces.h"
#include "value/number.h"

enum {
	RETRIES = 2,
	SECONDS = 60, /* for one request */
	LEAST_SECONDS = 900,
	MOST_SECONDS = 3600, /* of a session */
	MOST = INT32_MAX,
};

struct oss {
	struct str bucket, prefix, key;
	struct str base;  /* SCHEME://HOST, with the bucket */
	bool in_path;     /* the bucket is the first part of the path */
	struct str state; /* the object's name */
	struct str acl;
	bool encrypt;
	const struct json *profile;     /* or NULL */
	struct str machine;             /* its role; or empty */
	struct aliyun_keys given, keys; /* keys: those that count now */
	struct aliyun_role role;        /* arn is empty: none */
};

/* --- settings --- */

static struct str object_of(struct backend *b, struct str workspace)
{
	const struct oss *c = b->data;

	return workspace_object(b->arena, c->prefix, c->key, workspace);
}

static int refuse_table(struct backend *b, struct diags *ds)
{
	static const char *const names[] = { "tablestore_table",
					     "tablestore_endpoint" };

	for (size_t i = 0; i < 2; i++)
		if (argument_text(b, names[i]).n)
			return argument_error(
				b, ds, names[i],
				"cannot be used by this version, which takes no locks in Tablestore");
	return 0;
}

static int read_names(struct backend *b, struct oss *c, struct diags *ds)
{
	struct str prefix = argument_text(b, "prefix");

	c->bucket = argument_text(b, "bucket");
	c->key = argument_text(b, "key");
	c->acl = argument_text(b, "acl");
	if (str_starts(prefix, "/") || str_starts(prefix, "./"))
		return argument_error(b, ds, "prefix",
				      "must not start with '/' or './'");
	while (str_ends(prefix, "/"))
		prefix = str_sub(prefix, 0, prefix.n - 1);
	c->prefix = prefix;
	if (!c->key.n || str_starts(c->key, "/") || str_ends(c->key, "/"))
		return argument_error(b, ds, "key",
				      "can not start and end with '/'");
	if (c->acl.n && !str_is(c->acl, "private") &&
	    !str_is(c->acl, "public-read") &&
	    !str_is(c->acl, "public-read-write"))
		return argument_error(
			b, ds, "acl",
			"is \"private\", \"public-read\" or \"public-read-write\"");
	return argument_flag(b, "encrypt", &c->encrypt, ds);
}

/* What the profile says, if it is one of that mode; mode NULL: of any but a
 * machine's. */
static struct str profile_text(const struct oss *c, const char *name,
			       const char *mode)
{
	const struct str is = json_get_str(c->profile, "mode");

	if (!is.n || (mode ? !str_is(is, mode)
			   : str_is(is, "EcsRamRole") &&
				      str_starts(str_c(name), "access_key")))
		return STR_NONE;
	return json_get_str(c->profile, name);
}

static int read_profile(struct backend *b, struct oss *c, struct diags *ds)
{
	const struct str name = argument_text(b, "profile");
	struct str path = argument_text(b, "shared_credentials_file");
	struct str home = str_env("HOME");
	struct buf text = BUF_INIT;
	struct json_error wrong;
	const struct json *all;

	if (!name.n)
		return 0;
	if (!path.n)
		path = STR_CAT(b->arena, home, STR("/.aliyun/config.json"));
	else if (str_starts(path, "~/"))
		path = STR_CAT(b->arena, home, str_sub(path, 1, path.n));
	if (io_read_file(str_dup(b->arena, path).p, &text, 0) < 0)
		return 0; /* it need not be there */
	all = json_parse(b->arena, buf_take(b->arena, &text), &wrong);
	if (!all)
		return argument_error(b, ds, "shared_credentials_file",
				      "names a file that is not JSON");
	all = json_get(all, "profiles");
	for (size_t i = 0; all && all->kind == JSON_ARRAY && i < all->len; i++)
		if (str_eq(json_get_str(&all->items[i], "name"), name))
			c->profile = &all->items[i];
	return 0;
}

static struct str given_or(struct backend *b, const char *name,
			   const struct oss *c, const char *member,
			   const char *mode)
{
	const struct str s = argument_text(b, name);

	return s.n ? s : profile_text(c, member, mode);
}

static void read_keys(struct backend *b, struct oss *c)
{
	c->given = (struct aliyun_keys){
		.id = given_or(b, "access_key", c, "access_key_id", NULL),
		.secret =
			given_or(b, "secret_key", c, "access_key_secret", NULL),
		.token = given_or(b, "security_token", c, "sts_token",
				  "StsToken"),
	};
	if (!c->given.id.n)
		c->machine = given_or(b, "ecs_role_name", c, "ram_role_name",
				      "EcsRamRole");
	if (c->machine.n)
		c->given = (struct aliyun_keys){ .until = 1 };
}

/* The block, or the arguments that have taken its place. */
static int read_role(struct backend *b, struct oss *c, struct diags *ds)
{
	const struct value *all = argument_value(b, "assume_role"), *v, *n;
	struct aliyun_role *r = &c->role;

	*r = (struct aliyun_role){
		.arn = argument_text(b, "assume_role_role_arn"),
		.session = argument_text(b, "assume_role_session_name"),
		.policy = argument_text(b, "assume_role_policy"),
		.region = given_or(b, "region", c, "region_id", NULL),
		.host = argument_text(b, "sts_endpoint"),
	};
	if (argument_number(b, "assume_role_session_expiration", &r->seconds,
			    ds))
		return -1;
	if (all && all->len > 1)
		return argument_error(b, ds, "assume_role",
				      "is a block of which there can be one");
	if (!r->arn.n && all && all->len) {
		v = all->elems[0];
		r->arn = argument_string(argument_member(v, "role_arn"));
		if (argument_string(argument_member(v, "session_name")).n)
			r->session = argument_string(
				argument_member(v, "session_name"));
		r->policy = argument_string(argument_member(v, "policy"));
		n = argument_member(v, "session_expiration");
		if (n && !value_get_int(n, &r->seconds))
			r->seconds = -1;
	}
	if (!r->arn.n) {
		r->arn = profile_text(c, "ram_role_arn", "RamRoleArn");
		if (!r->session.n)
			r->session = profile_text(c, "ram_session_name",
						  "RamRoleArn");
		if (r->arn.n)
			r->seconds = json_get_int(c->profile, "expired_seconds",
						  r->seconds);
	}
	if (!r->session.n)
		r->session = STR("tofu");
	if (r->seconds < LEAST_SECONDS || r->seconds > MOST_SECONDS)
		return argument_error(b, ds, "assume_role_session_expiration",
				      "is no number of seconds from %d to %d",
				      LEAST_SECONDS, MOST_SECONDS);
	return 0;
}

/* The host, without its port, is an address: it has no names below it. */
static bool is_address(struct arena *a, struct str host)
{
	unsigned char bytes[16];
	const ptrdiff_t port = str_chr(host, ':');

	if (str_starts(host, "["))
		return true;
	if (port >= 0)
		host = str_sub(host, 0, (size_t)port);
	return inet_pton(AF_INET, str_dup(a, host).p, bytes) == 1;
}

static int read_endpoint(struct backend *b, struct oss *c, struct diags *ds)
{
	struct str at = argument_text(b, "endpoint"), scheme = STR("https://");

	if (!at.n && !c->role.region.n)
		return argument_error(b, ds, "region",
				      "is needed, or an endpoint");
	if (!at.n)
		at = STR_CAT(b->arena, STR("oss-"), c->role.region,
			     STR(".aliyuncs.com"));
	if (str_take(&at, STR("http://")))
		scheme = STR("http://");
	else
		str_take(&at, STR("https://"));
	while (str_ends(at, "/"))
		at = str_sub(at, 0, at.n - 1);
	c->in_path = is_address(b->arena, at);
	c->base = c->in_path
			  ? STR_CAT(b->arena, scheme, at)
			  : STR_CAT(b->arena, scheme, c->bucket, STR("."), at);
	return 0;
}

static int oss_open(struct backend *b, struct diags *ds)
{
	struct oss *c = ARENA_NEW(b->arena, struct oss);

	b->data = c;
	if (arguments_required(b, ds) || refuse_table(b, ds) ||
	    read_names(b, c, ds) || read_profile(b, c, ds))
		return -1;
	read_keys(b, c);
	if (read_role(b, c, ds) || read_endpoint(b, c, ds))
		return -1;
	c->keys = c->given;
	if (c->role.arn.n)
		c->keys.until = 1; /* those of the role are still to be had */
	c->state = object_of(b, b->workspace);
	b->name =
		STR_CAT(b->arena, STR("oss://"), c->bucket, STR("/"), c->state);
	return 0;
}

static void oss_take_over(struct backend *b, const struct backend *from)
{
	struct oss *c = b->data;
	const struct oss *f = from->data;

	c->given = f->given;
	c->keys = f->keys;
}

static void oss_close(struct backend *b)
{
	(void)b;
}

/* --- requests --- */

static bool fresh(const struct aliyun_keys *k)
{
	return !k->until || k->until > time(NULL);
}

static int renew(struct backend *b, struct str *why)
{
	struct oss *c = b->data;

	if (fresh(&c->keys))
		return 0;
	if (c->machine.n && !fresh(&c->given) &&
	    aliyun_machine_keys(&b->remote, c->machine, &c->given, why)) {
		*why = STR_CAT(b->arena,
			       STR("the machine's role gives no keys: "), *why);
		return -1;
	}
	c->keys = c->given;
	if (!c->role.arn.n ||
	    !aliyun_role_keys(&b->remote, &c->given, &c->role, &c->keys, why))
		return 0;
	*why = STR_CAT(b->arena, STR("the role cannot be taken on: "), *why);
	c->keys.until = 1;
	return -1;
}

static struct str date_now(struct arena *a)
{
	const time_t now = time(NULL);
	char text[64] = "";
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &tm);
	return str_dup(a, str_c(text));
}

struct request {
	const char *method;
	struct str object, query; /* query: with its question mark */
	struct str body, type;
	struct fetch_header headers[4]; /* x-oss-… */
	size_t nheaders;
};

static void add_header(struct request *q, const char *name, struct str value)
{
	q->headers[q->nheaders++] = (struct fetch_header){ str_c(name), value };
}

/* 0 where there is an answer, of whatever status. */
static int ask(struct backend *b, struct request *q,
	       struct fetch_answer *answer, struct str *why)
{
	struct oss *c = b->data;
	struct arena *a = b->arena;
	struct fetch_header headers[8];
	size_t n = 0;
	const struct str date = date_now(a);
	struct aliyun_request s = {
		.method = str_c(q->method),
		.type = q->type,
		.md5 = q->type.n ? digest_base64(a, "md5", q->body) : STR_NONE,
		.date = date,
		.resource =
			STR_CAT(a, STR("/"), c->bucket, STR("/"), q->object),
	};
	struct fetch_request r = {
		.url = STR_CAT(a, c->base,
			       remote_escape(a,
					     c->in_path ? s.resource
							: STR_CAT(a, STR("/"),
								  q->object),
					     true),
			       q->query),
		.method = s.method,
		.headers = headers,
		.body = q->body,
		.most = MOST,
		.seconds = SECONDS,
		.retries = RETRIES,
		.redirects = FETCH_NO_REDIRECTS,
	};

	if (renew(b, why))
		return -1;
	if (c->keys.token.n)
		add_header(q, "x-oss-security-token", c->keys.token);
	fetch_sort_headers(q->headers, q->nheaders);
	s.headers = q->headers;
	s.nheaders = q->nheaders;
	headers[n++] = (struct fetch_header){ STR("Date"), date };
	if (s.type.n) {
		headers[n++] =
			(struct fetch_header){ STR("Content-Type"), s.type };
		headers[n++] =
			(struct fetch_header){ STR("Content-MD5"), s.md5 };
	}
	for (size_t i = 0; i < q->nheaders; i++)
		headers[n++] = q->headers[i];
	if (c->keys.id.n)
		headers[n++] =
			(struct fetch_header){ STR("Authorization"),
					       aliyun_sign(a, &c->keys, &s) };
	r.nheaders = n;
	if (!fetch_wait(remote_fetch(&b->remote), &r, answer))
		return 0;
	*why = answer->error;
	return -1;
}

/* Is it the object that is not there, and not the bucket? */
static bool is_missing(struct backend *b, const struct fetch_answer *answer)
{
	struct str rest = answer->body;

	return answer->status == 404 &&
	       str_is(xml_element(b->arena, &rest, "Code"), "NoSuchKey");
}

/* --- states --- */

static int oss_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	const struct oss *c = b->data;
	struct request q = { .method = "GET", .object = c->state };
	struct fetch_answer answer;
	struct str why;

	*out = STR_NONE;
	if (!ask(b, &q, &answer, &why)) {
		if (answer.status == 200)
			*out = answer.body;
		if (answer.status == 200 || is_missing(b, &answer))
			return 0;
		why = xml_failure(b->arena, &answer);
	}
	return backend_load_error(
		b, STR_CAT(b->arena, STR("error getting object: "), why), ds);
}

static int oss_store(struct backend *b, struct str text, struct diags *ds)
{
	const struct oss *c = b->data;
	struct request q = { .method = "PUT",
			     .object = c->state,
			     .body = text,
			     .type = STR("application/json") };
	struct fetch_answer answer;
	struct str why;

	if (c->acl.n)
		add_header(&q, "x-oss-object-acl", c->acl);
	if (c->encrypt)
		add_header(&q, "x-oss-server-side-encryption", STR("AES256"));
	if (!ask(b, &q, &answer, &why)) {
		if (answer.status == 200)
			return 0;
		why = xml_failure(b->arena, &answer);
	}
	return backend_store_error(b,
				   STR_CAT(b->arena,
					   STR("failed to upload state "),
					   c->state, STR(": "), why),
				   ds);
}

/* --- no locks --- */

static enum lock_result oss_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds)
{
	(void)b, (void)mine, (void)holder, (void)why, (void)ds;
	return LOCK_TAKEN;
}

static int oss_unlock(struct backend *b, struct diags *ds)
{
	(void)b, (void)ds;
	return 0;
}

static bool oss_is_locked(struct backend *b, struct lock_info *holder)
{
	(void)b, (void)holder;
	return false;
}

static int oss_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds)
{
	(void)b, (void)id, (void)forced, (void)ds;
	return 0;
}

/* --- workspaces --- */

static void take_names(struct backend *b, struct str body, struct str_vec *out,
		       struct str *last)
{
	const struct oss *c = b->data;
	struct str one, name;

	while ((one = xml_element(b->arena, &body, "Contents")).p) {
		one = xml_element(b->arena, &one, "Key");
		*last = url_parameter(b->arena,
				      STR_CAT(b->arena, STR("key="), one),
				      "key");
		name = workspace_of_object(b->arena, c->prefix, c->key, *last);
		if (name.n)
			vec_push(b->arena, out, name);
	}
}

static int list(struct backend *b, struct str_vec *out, struct str *why)
{
	const struct oss *c = b->data;
	struct str last = STR_NONE, rest, before;
	struct fetch_answer answer;

	do {
		struct request q = { .method = "GET" };

		q.query =
			STR_CAT(b->arena,
				STR("?encoding-type=url&max-keys=1000&prefix="),
				remote_escape(b->arena, c->prefix, false),
				c->prefix.n ? STR("%2F") : STR_NONE);
		if (last.n)
			q.query = STR_CAT(b->arena, q.query, STR("&marker="),
					  remote_escape(b->arena, last, false));
		before = last;
		if (ask(b, &q, &answer, why))
			return -1;
		if (answer.status != 200) {
			*why = xml_failure(b->arena, &answer);
			return -1;
		}
		take_names(b, answer.body, out, &last);
		rest = answer.body;
	} while (str_is(xml_element(b->arena, &rest, "IsTruncated"), "true") &&
		 !str_eq(before, last));
	return 0;
}

static int oss_workspaces(struct backend *b, struct str_vec *out,
			  struct diags *ds)
{
	const size_t first = out->len;
	struct str why;

	if (list(b, out, &why))
		return backend_list_error(why, ds);
	str_vec_sort(out, first);
	return 0;
}

static int oss_workspace_remove(struct backend *b, struct str name,
				struct diags *ds)
{
	struct request q = { .method = "DELETE", .object = object_of(b, name) };
	struct fetch_answer answer;
	struct str why;

	if (!ask(b, &q, &answer, &why)) {
		if (answer.status / 100 == 2 || is_missing(b, &answer))
			return 0;
		why = xml_failure(b->arena, &answer);
	}
	return diag_error(ds, NULL, "Workspace deletion failed", "%.*s.",
			  STR_ARG(why));
}

const struct backend_ops backend_oss = {
	.type = "oss",
	.remote = true,
	.open = oss_open,
	.take_over = oss_take_over,
	.close = oss_close,
	.fetch = oss_fetch,
	.store = oss_store,
	.lock = oss_lock,
	.unlock = oss_unlock,
	.is_locked = oss_is_locked,
	.force_unlock = oss_force_unlock,
	.workspaces = oss_workspaces,
	.workspace_make = workspace_make_empty,
	.workspace_remove = oss_workspace_remove,
};
