/*
 * google_aws.c - an identity of Amazon's, vouched for to Google: a request to
 * Amazon that asks who signed it, which Google then makes (aip.dev/auth/4117)
 *
 * The keys are those of the environment, or the machine's.
 */
#include <stdlib.h>
#include <time.h>

#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/aws.h"
#include "remote/remote_int.h"
#include "remote/remote.h"

static const char verifier[] = "https://sts.{region}.amazonaws.com"
			       "?Action=GetCallerIdentity&Version=2011-06-15";

struct machine {
	struct remote *rem;
	struct fetch_header header; /* no name: none */
};

static int ask(const struct machine *m, struct str method, struct str url,
	       struct str *out, struct str *why)
{
	const struct fetch_proxies none = { STR(""), STR(""), STR("") };
	const struct fetch_request r = { .url = url,
					 .method = method,
					 .headers = &m->header,
					 .nheaders = m->header.name.n != 0,
					 .proxies = &none,
					 .retries = REMOTE_RETRIES,
					 .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer;

	if (url.n && !fetch_wait(remote_fetch(m->rem), &r, &answer) &&
	    answer.status == 200) {
		*out = str_trim(answer.body);
		return 0;
	}
	*why = STR("the machine does not say who it is at Amazon");
	return -1;
}

/* The second protocol of the service wants a token in each request. */
static int begin(struct machine *m, const struct json *source, struct str *why)
{
	const struct str url = json_get_str(source, "imdsv2_session_token_url");
	struct str token;

	if (!url.n)
		return 0;
	m->header = (struct fetch_header){
		STR("X-aws-ec2-metadata-token-ttl-seconds"), STR("300")
	};
	if (ask(m, STR("PUT"), url, &token, why))
		return -1;
	m->header =
		(struct fetch_header){ STR("X-aws-ec2-metadata-token"), token };
	return 0;
}

static int find_keys(struct machine *m, const struct json *source,
		     struct aws_keys *out, struct str *why)
{
	const struct str url = json_get_str(source, "url");
	struct json_error wrong;
	const struct json *j;
	struct str text;

	out->id = str_env("AWS_ACCESS_KEY_ID");
	out->secret = str_env("AWS_SECRET_ACCESS_KEY");
	out->token = str_env("AWS_SESSION_TOKEN");
	if (out->id.n && out->secret.n)
		return 0;
	if ((!m->header.name.n && begin(m, source, why)) ||
	    ask(m, STR("GET"), url, &text, why) ||
	    ask(m, STR("GET"),
		STR_CAT(m->rem->a, url, STR("/"),
			remote_escape(m->rem->a, text, false)),
		&text, why))
		return -1;
	j = json_parse(m->rem->a, text, &wrong);
	out->id = json_get_str(j, "AccessKeyId");
	out->secret = json_get_str(j, "SecretAccessKey");
	out->token = json_get_str(j, "Token");
	if (out->id.n && out->secret.n)
		return 0;
	*why = STR("the machine has no keys of Amazon's");
	return -1;
}

static int find_region(struct machine *m, const struct json *source,
		       struct str *out, struct str *why)
{
	*out = str_env("AWS_REGION");
	if (!out->n)
		*out = str_env("AWS_DEFAULT_REGION");
	if (out->n)
		return 0;
	if ((!m->header.name.n && begin(m, source, why)) ||
	    ask(m, STR("GET"), json_get_str(source, "region_url"), out, why))
		return -1;
	if (out->n) /* the answer is a zone: us-east-1b */
		out->n--;
	return 0;
}

static void put_header(struct jw *w, struct str name, struct str value)
{
	jw_object(w);
	jw_member_str(w, "key", name);
	jw_member_str(w, "value", value);
	jw_object_end(w);
}

/* The request, for Google to make. */
static struct str signed_request(struct arena *a, struct aws_request *r,
				 const struct aws_keys *keys, struct str url)
{
	struct fetch_header out[AWS_HEADERS];
	const size_t n = aws_sign(a, r, keys, time(NULL), out);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	struct str done;

	jw_object(&w);
	jw_member_str(&w, "url", url);
	jw_member_str(&w, "method", r->method);
	jw_key(&w, "headers");
	jw_array(&w);
	for (size_t i = 0; i < n; i++)
		put_header(&w, out[i].name, out[i].value);
	put_header(&w, STR("host"), r->host);
	for (size_t i = 0; i < r->nheaders; i++)
		put_header(&w, r->headers[i].name, r->headers[i].value);
	jw_array_end(&w);
	jw_object_end(&w);
	done = remote_escape(a, buf_view(&text), false);
	buf_release(&text);
	return done;
}

/* Puts the region where the address has {region}. */
static struct str in_region(struct arena *a, struct str url, struct str region)
{
	const struct str place = STR("{region}");
	const ptrdiff_t at = str_find(url, place);

	return at < 0 ? url
		      : STR_CAT(a, str_sub(url, 0, (size_t)at), region,
				str_sub(url, (size_t)at + place.n, url.n));
}

int google_aws_subject(struct remote *rem, const struct json *j,
		       struct str *out, struct str *why)
{
	const struct json *source = json_get(j, "credential_source");
	const struct fetch_header target = {
		STR("x-goog-cloud-target-resource"), json_get_str(j, "audience")
	};
	struct aws_request r = { .method = STR("POST"),
				 .service = STR("sts"),
				 .headers = &target,
				 .nheaders = 1 };
	struct str url = json_get_str(source, "regional_cred_verification_url");
	struct machine m = { .rem = rem };
	struct aws_keys keys = { .expires = 0 };
	struct str rest;
	ptrdiff_t query, slash;

	if (!str_is(json_get_str(source, "environment_id"), "aws1")) {
		*why = STR("its environment_id is not aws1");
		return -1;
	}
	if (find_keys(&m, source, &keys, why) ||
	    find_region(&m, source, &r.region, why))
		return -1;
	url = in_region(rem->a, url.n ? url : str_c(verifier), r.region);
	rest = url;
	if (!str_take(&rest, STR("https://"))) {
		*why = STR(
			"its regional_cred_verification_url is no https address");
		return -1;
	}
	query = str_chr(rest, '?');
	if (query >= 0) {
		r.query = str_sub(rest, (size_t)query + 1, rest.n);
		rest = str_sub(rest, 0, (size_t)query);
	}
	slash = str_chr(rest, '/');
	r.host = slash < 0 ? rest : str_sub(rest, 0, (size_t)slash);
	r.path = slash < 0 ? STR("/") : str_sub(rest, (size_t)slash, rest.n);
	*out = signed_request(rem->a, &r, &keys, url);
	return 0;
}
