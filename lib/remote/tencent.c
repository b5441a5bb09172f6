/* tencent.c - see tencent.h */
#include <time.h>

#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote.h"
#include "remote/tencent.h"

enum { VALID = 3600, BEFORE = 60 }; /* seconds */

static struct str hmac_hex(struct arena *a, struct str key, struct str s)
{
	unsigned char sum[DIGEST_MAX];

	return str_hex(a, sum, digest_hmac_of("sha1", key, s, sum));
}

/* --- stores of objects --- */

/* NAME=VALUE&..., and the names, with semicolons between them. */
static struct str listed(struct arena *a, const struct fetch_header *all,
			 size_t n, struct str *names)
{
	struct buf text = BUF_INIT, list = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		buf_addf(&text, "%s%.*s=%.*s", i ? "&" : "",
			 STR_ARG(all[i].name),
			 STR_ARG(remote_escape(a, all[i].value, false)));
		buf_addf(&list, "%s%.*s", i ? ";" : "", STR_ARG(all[i].name));
	}
	*names = buf_take(a, &list);
	return buf_take(a, &text);
}

struct str tencent_sign(struct arena *a, const struct tencent_keys *keys,
			const struct tencent_request *r, int64_t now)
{
	const struct str times = str_printf(a, "%lld;%lld", (long long)now,
					    (long long)now + VALID);
	struct str headers, parameters, names, values, sum;

	values = listed(a, r->query, r->nquery, &parameters);
	headers = listed(a, r->headers, r->nheaders, &names);
	sum = digest_hex(a, "sha1",
			 STR_CAT(a, str_lower(a, r->method), STR("\n"), r->path,
				 STR("\n"), values, STR("\n"), headers,
				 STR("\n")));
	sum = hmac_hex(a, hmac_hex(a, keys->secret, times),
		       STR_CAT(a, STR("sha1\n"), times, STR("\n"), sum,
			       STR("\n")));
	return str_printf(a,
			  "q-sign-algorithm=sha1&q-ak=%.*s&q-sign-time=%.*s"
			  "&q-key-time=%.*s&q-header-list=%.*s"
			  "&q-url-param-list=%.*s&q-signature=%.*s",
			  STR_ARG(keys->id), STR_ARG(times), STR_ARG(times),
			  STR_ARG(names), STR_ARG(parameters), STR_ARG(sum));
}

/* --- other services --- */

static struct str signature(struct arena *a, const struct tencent_keys *keys,
			    const char *service, struct str host,
			    struct str body, const char *day, int64_t now)
{
	const struct str text = str_printf(
		a, "TC3-HMAC-SHA256\n%lld\n%s/%s/tc3_request\n%.*s",
		(long long)now, day, service,
		STR_ARG(digest_hex(
			a, "sha256",
			str_printf(a,
				   "POST\n/\n\ncontent-type:application/json\n"
				   "host:%.*s\n\ncontent-type;host\n%.*s",
				   STR_ARG(host),
				   STR_ARG(digest_hex(a, "sha256", body))))));
	const struct str steps[] = { str_c(day), str_c(service),
				     STR("tc3_request"), text };
	struct str key = STR_CAT(a, STR("TC3"), keys->secret);
	unsigned char sum[DIGEST_MAX];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		n = digest_hmac(key, steps[i], sum);
		key = (struct str){ (const char *)sum, n };
	}
	return str_printf(a,
			  "TC3-HMAC-SHA256 Credential=%.*s/%s/%s/tc3_request, "
			  "SignedHeaders=content-type;host, Signature=%.*s",
			  STR_ARG(keys->id), day, service,
			  STR_ARG(str_hex(a, sum, n)));
}

static const struct json *read_answer(struct arena *a,
				      const struct fetch_answer *answer,
				      struct str *code, struct str *why)
{
	struct json_error wrong;
	const struct json *j =
		json_get(json_parse(a, answer->body, &wrong), "Response");
	const struct json *error = json_get(j, "Error");

	*code = json_get_str(error, "Code");
	if (answer->error.n)
		*why = answer->error;
	else if (error)
		*why = str_printf(
			a, "%.*s: %.*s", STR_ARG(host_text(a, *code)),
			STR_ARG(host_text(a, json_get_str(error, "Message"))));
	else if (answer->status != 200)
		*why = fetch_status_text(a, answer->status);
	else if (!j)
		*why = STR("the answer is not JSON");
	else
		return j;
	return NULL;
}

const struct json *tencent_ask(struct remote *rem,
			       const struct tencent_keys *keys,
			       const struct tencent_call *call,
			       struct str *code, struct str *why)
{
	struct arena *a = rem->a;
	const struct str host =
		str_printf(a, "%s.tencentcloudapi.com", call->service);
	const time_t now = time(NULL);
	struct tm tm;
	char day[16] = "";
	struct fetch_header headers[8];
	struct fetch_request r = {
		.url = STR_CAT(a, STR("https://"), host, STR("/")),
		.method = STR("POST"),
		.headers = headers,
		.body = call->body,
		.once = !call->repeats,
		.retries = call->repeats ? REMOTE_RETRIES : 0,
		.redirects = FETCH_NO_REDIRECTS
	};
	struct fetch_answer answer = { .status = 0 };

	gmtime_r(&now, &tm);
	strftime(day, sizeof(day), "%Y-%m-%d", &tm);
	headers[0] = (struct fetch_header){ STR("Content-Type"),
					    STR("application/json") };
	headers[1] = (struct fetch_header){ STR("X-TC-Action"),
					    str_c(call->action) };
	headers[2] =
		(struct fetch_header){ STR("X-TC-Version"), STR("2018-08-13") };
	headers[3] =
		(struct fetch_header){ STR("X-TC-Timestamp"), str_int(a, now) };
	headers[4] = (struct fetch_header){ STR("X-TC-Region"), call->region };
	headers[5] = (struct fetch_header){ STR("X-TC-Language"),
					    str_c(call->language) };
	headers[6] =
		(struct fetch_header){ STR("Authorization"),
				       signature(a, keys, call->service, host,
						 call->body, day, now) };
	headers[7] = (struct fetch_header){ STR("X-TC-Token"), keys->token };
	r.nheaders = keys->token.n ? 8 : 7;
	fetch_wait(remote_fetch(rem), &r, &answer);
	return read_answer(a, &answer, code, why);
}

int tencent_role_keys(struct remote *rem, const struct tencent_keys *keys,
		      struct str region, const struct tencent_role *role,
		      struct tencent_keys *out, struct str *why)
{
	struct buf body = BUF_INIT;
	struct jw w = JW_INIT(&body);
	struct tencent_call call = { .service = "sts",
				     .action = "AssumeRole",
				     .region = region,
				     .language = "zh-CN",
				     .repeats = true };
	const struct json *j, *c;
	struct str code;

	jw_object(&w);
	jw_member_str(&w, "RoleArn", role->arn);
	jw_member_str(&w, "RoleSessionName", role->session);
	jw_member_int(&w, "DurationSeconds", role->seconds);
	if (role->policy.n)
		jw_member_str(&w, "Policy", url_escape(rem->a, role->policy));
	jw_object_end(&w);
	call.body = buf_take(rem->a, &body);
	j = tencent_ask(rem, keys, &call, &code, why);
	c = json_get(j, "Credentials");
	*out = (struct tencent_keys){
		.id = json_get_str(c, "TmpSecretId"),
		.secret = json_get_str(c, "TmpSecretKey"),
		.token = json_get_str(c, "Token"),
		.until = json_get_int(j, "ExpiredTime", 0),
	};
	if (out->until > BEFORE)
		out->until -= BEFORE;
	if (j && !out->id.n)
		*why = STR("the answer has no keys");
	return out->id.n ? 0 : -1;
}
