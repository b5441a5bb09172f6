/* aws_sign.c - AWS Signature Version 4; see aws.h */

#include "remote/aws_sign.h"

#include <ctype.h>

#include "base/str.h"
#include "crypto/crypto.h"
#include "remote/aws.h"

enum { SUM = 32, BLOCK = 64 };

static struct str sha256_hex(struct arena *a, struct str s)
{
	unsigned char sum[DIGEST_MAX];

	return str_hex(a, sum, digest_of("sha256", s, sum));
}

/* HMAC-SHA256 (RFC 2104); the key may be what the sum replaces. */
static void hmac(struct str key, struct str s, unsigned char sum[DIGEST_MAX])
{
	unsigned char in[BLOCK] = { 0 }, out[BLOCK], inner[DIGEST_MAX];
	struct digest *d;

	if (key.n > BLOCK)
		digest_of("sha256", key, in);
	else
		memcpy(in, key.p, key.n);
	for (size_t i = 0; i < BLOCK; i++) {
		out[i] = in[i] ^ 0x5c;
		in[i] ^= 0x36;
	}
	d = digest_new("sha256");
	digest_add(d, in, BLOCK);
	digest_add(d, s.p, s.n);
	digest_end(d, inner);
	d = digest_new("sha256");
	digest_add(d, out, BLOCK);
	digest_add(d, inner, SUM);
	digest_end(d, sum);
}

struct str aws_escape(struct arena *a, struct str s, bool path)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		const unsigned char c = (unsigned char)s.p[i];

		if ((c < 0x80 && isalnum(c)) || (c && strchr("-._~", c)) ||
		    (c == '/' && path))
			buf_addf(&b, "%c", c);
		else
			buf_addf(&b, "%%%02X", c);
	}
	return buf_take(a, &b);
}

/* The key that is good for a day, a region and a service. */
static void signing_key(struct arena *a, const struct aws_keys *keys,
			struct str day, struct str region, struct str service,
			unsigned char sum[DIGEST_MAX])
{
	const struct str steps[] = { day, region, service,
				     STR("aws4_request") };
	struct str key = STR_CAT(a, STR("AWS4"), keys->secret);

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		hmac(key, steps[i], sum);
		key = (struct str){ (const char *)sum, SUM };
	}
}

static struct str time_text(struct arena *a, time_t now, const char *format)
{
	char text[32];
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), format, &tm);
	return str_dup(a, str_c(text));
}

size_t aws_sign(struct arena *a, const struct aws_request *r,
		const struct aws_keys *keys, time_t now,
		struct fetch_header out[AWS_HEADERS])
{
	const struct str when = time_text(a, now, "%Y%m%dT%H%M%SZ");
	const struct str day = time_text(a, now, "%Y%m%d");
	const struct str body = sha256_hex(a, r->body);
	const struct str service = r->service.n ? r->service : STR("s3");
	const bool session = keys->token.n > 0;
	const char *names = session ? "host;x-amz-content-sha256;x-amz-date;"
				      "x-amz-security-token"
				    : "host;x-amz-content-sha256;x-amz-date";
	unsigned char sum[DIGEST_MAX];
	struct str scope, headers, text;
	size_t n = 0;

	headers = str_printf(a,
			     "host:%.*s\nx-amz-content-sha256:%.*s\n"
			     "x-amz-date:%.*s\n",
			     STR_ARG(r->host), STR_ARG(body), STR_ARG(when));
	if (session)
		headers = STR_CAT(a, headers, STR("x-amz-security-token:"),
				  keys->token, STR("\n"));
	text = str_printf(a, "%s\n%.*s\n%.*s\n%.*s\n%s\n%.*s",
			  r->body.n ? "POST" : "GET", STR_ARG(r->path),
			  STR_ARG(r->query), STR_ARG(headers), names,
			  STR_ARG(body));
	scope = str_printf(a, "%.*s/%.*s/%.*s/aws4_request", STR_ARG(day),
			   STR_ARG(r->region), STR_ARG(service));
	text = str_printf(a, "AWS4-HMAC-SHA256\n%.*s\n%.*s\n%.*s",
			  STR_ARG(when), STR_ARG(scope),
			  STR_ARG(sha256_hex(a, text)));
	signing_key(a, keys, day, r->region, service, sum);
	hmac((struct str){ (const char *)sum, SUM }, text, sum);
	text = str_printf(a,
			  "AWS4-HMAC-SHA256 Credential=%.*s/%.*s, "
			  "SignedHeaders=%s, Signature=%.*s",
			  STR_ARG(keys->id), STR_ARG(scope), names,
			  STR_ARG(str_hex(a, sum, SUM)));
	out[n++] = (struct fetch_header){ STR("Authorization"), text };
	out[n++] = (struct fetch_header){ STR("x-amz-content-sha256"), body };
	out[n++] = (struct fetch_header){ STR("x-amz-date"), when };
	if (session)
		out[n++] = (struct fetch_header){ STR("x-amz-security-token"),
						  keys->token };
	return n;
}
