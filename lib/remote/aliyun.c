/* aliyun.c - see aliyun.h */
#include <time.h>

#include "base/base64.h"
#include "base/uuid.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/aliyun.h"
#include "remote/remote.h"
#include "remote/remote_int.h"

#define MACHINE \
	"http://100.100.100.200/latest/meta-data/ram/security-credentials/"

enum { BEFORE = 60 }; /* seconds */

static struct str hmac(struct arena *a, struct str key, struct str text)
{
	unsigned char sum[DIGEST_MAX];
	const size_t n = digest_hmac_of("sha1", key, text, sum);

	return base64_encode(a, (struct str){ (const char *)sum, n });
}

/* --- stores of objects --- */

struct str aliyun_sign(struct arena *a, const struct aliyun_keys *keys,
		       const struct aliyun_request *r)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%.*s\n%.*s\n%.*s\n%.*s\n", STR_ARG(r->method),
		 STR_ARG(r->md5), STR_ARG(r->type), STR_ARG(r->date));
	for (size_t i = 0; i < r->nheaders; i++)
		buf_addf(&text, "%.*s:%.*s\n", STR_ARG(r->headers[i].name),
			 STR_ARG(r->headers[i].value));
	buf_str(&text, r->resource);
	return STR_CAT(a, STR("OSS "), keys->id, STR(":"),
		       hmac(a, keys->secret, buf_take(a, &text)));
}

/* --- keys for some time --- */

/* j: an object with the keys; NULL with *why where they are not there. */
static int take_keys(struct arena *a, const struct json *j,
		     struct aliyun_keys *out, struct str *why)
{
	*out = (struct aliyun_keys){
		.id = json_get_str(j, "AccessKeyId"),
		.secret = json_get_str(j, "AccessKeySecret"),
		.token = json_get_str(j, "SecurityToken"),
		.until = aws_time(a, json_get_str(j, "Expiration")),
	};
	if (out->until > BEFORE)
		out->until -= BEFORE;
	if (out->id.n && out->secret.n)
		return 0;
	*why = STR("the answer has no keys");
	return -1;
}

/* NULL with *why. */
static const struct json *ask(struct remote *rem, struct str url,
			      struct str *why)
{
	const struct fetch_request r = { .url = url,
					 .retries = REMOTE_RETRIES,
					 .seconds = 30,
					 .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer = { .status = 0 };
	struct json_error wrong;
	const struct json *j;

	if (fetch_wait(remote_fetch(rem), &r, &answer)) {
		*why = answer.error;
		return NULL;
	}
	j = json_parse(rem->a, answer.body, &wrong);
	if (answer.status == 200 && j)
		return j;
	if (json_get_str(j, "Code").n)
		*why = str_printf(
			rem->a, "%.*s: %.*s",
			STR_ARG(host_text(rem->a, json_get_str(j, "Code"))),
			STR_ARG(host_text(rem->a, json_get_str(j, "Message"))));
	else
		*why = answer.status != 200
			       ? fetch_status_text(rem->a, answer.status)
			       : STR("the answer is not JSON");
	return NULL;
}

struct parameter {
	const char *name;
	struct str value;
};

/* The query of a call of a service, and its signature (HMAC-SHA1, version 1):
 * the rows are sorted; those that are empty are left out. */
static struct str signed_query(struct arena *a, struct str secret,
			       const struct parameter *rows, size_t n)
{
	struct buf query = BUF_INIT;
	struct str text;

	for (size_t i = 0; i < n; i++)
		if (rows[i].value.n)
			buf_addf(&query, "%s%s=%.*s", query.len ? "&" : "",
				 rows[i].name,
				 STR_ARG(remote_escape(a, rows[i].value,
						       false)));
	text = buf_take(a, &query);
	return STR_CAT(
		a, text, STR("&Signature="),
		remote_escape(a,
			      hmac(a, STR_CAT(a, secret, STR("&")),
				   STR_CAT(a, STR("GET&%2F&"),
					   remote_escape(a, text, false))),
			      false));
}

int aliyun_role_keys(struct remote *rem, const struct aliyun_keys *keys,
		     const struct aliyun_role *role, struct aliyun_keys *out,
		     struct str *why)
{
	struct arena *a = rem->a;
	const time_t now = time(NULL);
	char nonce[UUID_SIZE], stamp[32] = "";
	struct str host = role->host;
	const struct json *j;
	struct tm tm;

	if (uuid_random(nonce)) {
		*why = STR("there are no random numbers");
		return -1;
	}
	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (!host.n)
		host = role->region.n ? STR_CAT(a, STR("sts."), role->region,
						STR(".aliyuncs.com"))
				      : STR("sts.aliyuncs.com");
	const struct parameter rows[] = {
		{ "AccessKeyId", keys->id },
		{ "Action", STR("AssumeRole") },
		{ "DurationSeconds", str_int(a, role->seconds) },
		{ "Format", STR("JSON") },
		{ "Policy", role->policy },
		{ "RegionId", role->region },
		{ "RoleArn", role->arn },
		{ "RoleSessionName", role->session },
		{ "SecurityToken", keys->token },
		{ "SignatureMethod", STR("HMAC-SHA1") },
		{ "SignatureNonce", str_c(nonce) },
		{ "SignatureVersion", STR("1.0") },
		{ "Timestamp", str_c(stamp) },
		{ "Version", STR("2015-04-01") },
	};

	j = ask(rem,
		STR_CAT(a, STR("https://"), host, STR("/?"),
			signed_query(a, keys->secret, rows,
				     sizeof(rows) / sizeof(*rows))),
		why);
	return j ? take_keys(a, json_get(j, "Credentials"), out, why) : -1;
}

int aliyun_machine_keys(struct remote *rem, struct str role,
			struct aliyun_keys *out, struct str *why)
{
	const struct json *j = ask(rem,
				   STR_CAT(rem->a, STR(MACHINE),
					   remote_escape(rem->a, role, false)),
				   why);

	if (j && !str_is(json_get_str(j, "Code"), "Success")) {
		*why = STR("the answer is no success");
		return -1;
	}
	return j ? take_keys(rem->a, j, out, why) : -1;
}
