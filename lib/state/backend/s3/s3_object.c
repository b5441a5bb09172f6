/* s3_object.c - objects of S3, and who asks for them; see s3_int.h */
#include "state/backend/s3/s3_int.h"
#include "base/base64.h"
#include "crypto/crypto.h"
#include "remote/aws.h"
#include "remote/xml.h"

/* --- headers --- */

enum { MOST_HEADERS = 12 };

struct headers {
	struct fetch_header all[MOST_HEADERS];
	size_t n;
};

static void add(struct headers *h, const char *name, struct str value)
{
	h->all[h->n++] = (struct fetch_header){ str_c(name), value };
}

/* The key that a customer keeps; whoever reads what it encrypts sends it. */
static void add_customer_key(struct backend *b, struct headers *h)
{
	const struct s3 *s = b->data;
	struct str key;

	if (!s->encrypt || s->kms_key.n || !s->customer_key.n ||
	    !base64_decode(b->arena, s->customer_key, &key))
		return;
	add(h, "x-amz-server-side-encryption-customer-algorithm",
	    STR("AES256"));
	add(h, "x-amz-server-side-encryption-customer-key", s->customer_key);
	add(h, "x-amz-server-side-encryption-customer-key-MD5",
	    digest_base64(b->arena, "md5", key));
}

static void add_encryption(struct backend *b, struct headers *h)
{
	const struct s3 *s = b->data;

	if (!s->encrypt)
		return;
	if (s->kms_key.n) {
		add(h, "x-amz-server-side-encryption", STR("aws:kms"));
		add(h, "x-amz-server-side-encryption-aws-kms-key-id",
		    s->kms_key);
	} else if (s->customer_key.n) {
		add_customer_key(b, h);
	} else {
		add(h, "x-amz-server-side-encryption", STR("AES256"));
	}
}

/* --- answers --- */

static int refused(struct backend *b, const struct fetch_answer *answer,
		   struct str *why)
{
	const struct s3 *s = b->data;

	*why = aws_error_text(b->arena, answer);
	if (str_is(aws_error_code(b->arena, answer), "NoSuchBucket"))
		*why = str_printf(b->arena,
				  "S3 bucket does not exist: there is no "
				  "bucket \"%.*s\"; one that was just made may "
				  "take a minute (%.*s)",
				  STR_ARG(s->bucket), STR_ARG(*why));
	return -1;
}

/* "NoSuchBucket" is an error only if the bucket cannot be listed, either: some
 * services say it of an object that is not there. */
static int no_bucket(struct backend *b, const struct fetch_answer *answer,
		     struct str *why)
{
	const struct s3 *s = b->data;
	struct aws_call call = { .bucket = s->bucket };
	struct fetch_answer other;

	vec_push(b->arena, &call.query,
		 (struct aws_pair){ STR("list-type"), STR("2") });
	vec_push(b->arena, &call.query,
		 (struct aws_pair){ STR("max-keys"), STR("1") });
	if (aws_ask(s->aws, &call, &other, why))
		return -1;
	return other.status == 200 ? 0 : refused(b, answer, why);
}

/* Is the text whole?  By the checksum that S3 keeps of it. */
static bool is_whole(struct backend *b, const struct fetch_answer *answer)
{
	const struct str want =
		fetch_answer_header(answer, "x-amz-checksum-sha256");

	if (!want.n || str_chr(want, '-') >= 0) /* none, or one of parts */
		return true;
	return str_eq(want, digest_base64(b->arena, "sha256", answer->body));
}

/* --- requests --- */

int s3_get(struct backend *b, struct str key, struct str *out, struct str *why)
{
	const struct s3 *s = b->data;
	struct headers h = { .n = 0 };
	struct aws_call call = { .bucket = s->bucket,
				 .path = key,
				 .headers = h.all,
				 .most = INT64_MAX };
	struct fetch_answer answer;

	*out = STR_NONE;
	add_customer_key(b, &h);
	if (!s->no_checksum)
		add(&h, "x-amz-checksum-mode", STR("ENABLED"));
	call.nheaders = h.n;
	if (aws_ask(s->aws, &call, &answer, why))
		return -1;
	if (answer.status == 404)
		return str_is(aws_error_code(b->arena, &answer), "NoSuchBucket")
			       ? no_bucket(b, &answer, why)
			       : 0;
	if (answer.status != 200)
		return refused(b, &answer, why);
	if (!s->no_checksum && !is_whole(b, &answer)) {
		*why = STR(
			"the object does not have the checksum that S3 says");
		return -1;
	}
	*out = answer.body.p ? answer.body : STR("");
	return 0;
}

static struct aws_call put_call(struct backend *b, struct headers *h,
				struct str key, struct str text)
{
	const struct s3 *s = b->data;
	const struct aws_call call = { .bucket = s->bucket,
				       .path = key,
				       .method = "PUT",
				       .headers = h->all,
				       .body = text,
				       .checksum = !s->no_checksum };

	add(h, "Content-Type", STR("application/json"));
	if (!s->no_checksum)
		add(h, "x-amz-sdk-checksum-algorithm", STR("SHA256"));
	add_encryption(b, h);
	if (s->acl.n)
		add(h, "x-amz-acl", s->acl);
	return call;
}

int s3_put(struct backend *b, struct str text, struct str *why)
{
	const struct s3 *s = b->data;
	struct headers h = { .n = 0 };
	struct aws_call call = put_call(b, &h, s->key, text);
	struct fetch_answer answer;

	if (s->state_tags.n)
		add(&h, "x-amz-tagging", s->state_tags);
	call.nheaders = h.n;
	if (aws_ask(s->aws, &call, &answer, why))
		return -1;
	return answer.status == 200 ? 0 : refused(b, &answer, why);
}

int s3_put_lock(struct backend *b, struct str key, struct str text, bool *held,
		struct str *why)
{
	const struct s3 *s = b->data;
	struct headers h = { .n = 0 };
	struct aws_call call = put_call(b, &h, key, text);
	struct fetch_answer answer;

	*held = false;
	if (s->lock_tags.n)
		add(&h, "x-amz-tagging", s->lock_tags);
	add(&h, "If-None-Match", STR("*"));
	call.nheaders = h.n;
	if (aws_ask(s->aws, &call, &answer, why))
		return -1;
	if (answer.status == 200)
		return 0;
	/* 409: another one is writing it just now */
	*held = answer.status == 412 || answer.status == 409;
	return refused(b, &answer, why);
}

int s3_delete(struct backend *b, struct str key, bool many, struct str *why)
{
	const struct s3 *s = b->data;
	const struct aws_call call = { .bucket = s->bucket,
				       .path = key,
				       .method = "DELETE",
				       .once = !many };
	struct fetch_answer answer;

	if (aws_ask(s->aws, &call, &answer, why))
		return -1;
	return answer.status == 200 || answer.status == 204 ||
			       answer.status == 404
		       ? 0
		       : refused(b, &answer, why);
}

/* --- workspaces --- */

/* The workspace whose state a key is; or empty. */
static struct str workspace_of(const struct s3 *s, struct str key)
{
	ptrdiff_t slash;

	if (s->prefix.n) {
		if (!str_take(&key, s->prefix) || !str_take(&key, STR("/")))
			return STR_NONE;
	}
	slash = str_chr(key, '/');
	if (slash < 0 ||
	    !str_eq(str_sub(key, (size_t)slash + 1, key.n), s->name))
		return STR_NONE;
	return str_sub(key, 0, (size_t)slash);
}

static int list_page(struct backend *b, struct str *more,
		     struct fetch_answer *answer, struct str *why)
{
	const struct s3 *s = b->data;
	struct aws_call call = { .bucket = s->bucket, .most = INT64_MAX };
	const struct aws_pair pairs[] = {
		{ STR("continuation-token"), *more },
		{ STR("list-type"), STR("2") },
		{ STR("max-keys"), STR("1000") },
		{ STR("prefix"),
		  s->prefix.n ? STR_CAT(b->arena, s->prefix, STR("/"))
			      : STR_NONE },
	};

	for (size_t i = !more->n; i < 4; i++)
		vec_push(b->arena, &call.query, pairs[i]);
	return aws_ask(s->aws, &call, answer, why);
}

int s3_list(struct backend *b, struct str_vec *workspaces, struct str *why)
{
	const struct s3 *s = b->data;
	struct fetch_answer answer;
	struct str more = STR_NONE, one, rest, name;

	do {
		if (list_page(b, &more, &answer, why))
			return -1;
		/* Who may not list has the default workspace. */
		if (str_is(aws_error_code(b->arena, &answer), "AccessDenied"))
			return 0;
		if (answer.status != 200)
			return refused(b, &answer, why);
		rest = answer.body;
		while ((one = xml_element(b->arena, &rest, "Contents")).p) {
			name = workspace_of(s,
					    xml_element(b->arena, &one, "Key"));
			if (name.n)
				vec_push(b->arena, workspaces, name);
		}
		rest = answer.body;
		more = xml_element(b->arena, &rest, "NextContinuationToken");
	} while (more.n);
	return 0;
}

/* --- who asks --- */

static int no_keys(struct backend *b, struct str why, struct diags *ds)
{
	const struct s3 *s = b->data;

	switch (aws_trouble_of(s->aws)) {
	case AWS_NO_KEYS:
		return diag_error(
			ds, NULL, "No valid credential sources found",
			"The backend \"s3\" needs credentials, but %.*s.",
			STR_ARG(why));
	case AWS_NO_ROLE:
		return diag_error(ds, NULL, "Cannot assume IAM Role",
				  "The credentials may not be valid, or may "
				  "not be allowed to take the role on: %.*s.",
				  STR_ARG(why));
	case AWS_NO_WEB_ROLE:
		return diag_error(ds, NULL,
				  "Cannot assume IAM Role with web identity",
				  "The token may not be valid, or may not be "
				  "allowed to take the role on: %.*s.",
				  STR_ARG(why));
	case AWS_FINE:
		break;
	}
	return diag_error(ds, NULL, "validating provider credentials",
			  "The credentials of the backend \"s3\" could not be "
			  "looked up: %.*s. "
			  "\"skip_credentials_validation\" leaves that out.",
			  STR_ARG(why));
}

static int check_account(struct backend *b, struct str account,
			 struct diags *ds)
{
	const struct s3 *s = b->data;

	if (aws_account_allowed(account, &s->allowed, &s->forbidden))
		return 0;
	return diag_error(
		ds, NULL, "Invalid account ID",
		"The AWS account \"%.*s\" is not allowed by the backend \"s3\".",
		STR_ARG(account));
}

int s3_know(struct backend *b, struct diags *ds)
{
	struct s3 *s = b->data;
	struct str account = STR_NONE, why = STR_NONE;
	struct aws_keys keys;

	/* Whoever holds the lock has done it. */
	if (s->known || b->handover)
		return 0;
	if (aws_keys_of(s->aws, &keys, &why))
		return no_keys(b, why, ds);
	if (!s->skip_validation && aws_account(s->aws, false, &account, &why))
		return no_keys(b, why, ds);
	if (s->allowed.len || s->forbidden.len) {
		if (s->skip_validation && !s->skip_account &&
		    aws_account(s->aws, true, &account, &why))
			return diag_error(
				ds, NULL,
				"Retrieving AWS account details: AWS account ID not found",
				"Neither IAM nor STS tells the "
				"account: %.*s. "
				"\"skip_requesting_account_id\" "
				"leaves that out.",
				STR_ARG(why));
		if (check_account(b, account, ds))
			return -1;
	}
	s->known = true;
	return 0;
}
