/* aws_sign.c - AWS Signature Version 4; see aws.h
 *
 * docs.aws.amazon.com, "Create a signed AWS API request".  The paths of S3 are
 * escaped once; those of the other services that are asked are all "/".
 */
#include <stdlib.h>

#include "remote/aws.h"
#include "base/str.h"
#include "crypto/crypto.h"
#include "remote/remote.h"

enum { SUM = 32 };

struct str aws_query(struct arena *a, const struct aws_pairs *pairs)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < pairs->len; i++) {
		const struct aws_pair *p = &pairs->items[i];

		if (i)
			buf_putc(&b, '&');
		buf_str(&b, remote_escape(a, p->name, false));
		buf_putc(&b, '=');
		buf_str(&b, remote_escape(a, p->value, false));
	}
	return buf_take(a, &b);
}

/* --- the canonical request --- */

static int by_name(const void *x, const void *y)
{
	const struct aws_pair *p = x, *q = y;
	const int c = str_cmp(p->name, q->name);

	return c ? c : str_cmp(p->value, q->value);
}

static void sort(struct aws_pairs *all)
{
	if (all->len)
		qsort(all->items, all->len, sizeof(*all->items), by_name);
}

/* The parameters in the order of their names; each has a value. */
static struct str sorted_query(struct arena *a, struct str query)
{
	struct aws_pairs all = { 0 };
	struct buf b = BUF_INIT;

	while (query.n) {
		const ptrdiff_t end = str_chr(query, '&');
		const struct str one =
			str_sub(query, 0, end < 0 ? query.n : (size_t)end);
		const ptrdiff_t eq = str_chr(one, '=');

		vec_push(a, &all,
			 (struct aws_pair){
				 str_sub(one, 0, eq < 0 ? one.n : (size_t)eq),
				 str_sub(one, eq < 0 ? one.n : (size_t)eq + 1,
					 one.n) });
		query = str_sub(query, one.n + (end >= 0), query.n);
	}
	sort(&all);
	for (size_t i = 0; i < all.len; i++) {
		if (i)
			buf_putc(&b, '&');
		buf_str(&b, all.items[i].name);
		buf_putc(&b, '=');
		buf_str(&b, all.items[i].value);
	}
	return buf_take(a, &b);
}

/* Without blanks around it, and with one for several within. */
static struct str plain_value(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;

	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != ' ' || s.p[i - 1] != ' ')
			buf_putc(&b, s.p[i]);
	return buf_take(a, &b);
}

/* The headers in the order of their names: what is signed of them, and *names.
 */
static struct str sorted_headers(struct arena *a, struct aws_pairs *all,
				 struct str *names)
{
	struct buf lines = BUF_INIT, list = BUF_INIT;

	sort(all);
	for (size_t i = 0; i < all->len; i++) {
		buf_str(&lines, all->items[i].name);
		buf_putc(&lines, ':');
		buf_str(&lines, plain_value(a, all->items[i].value));
		buf_putc(&lines, '\n');
		if (i)
			buf_putc(&list, ';');
		buf_str(&list, all->items[i].name);
	}
	*names = buf_take(a, &list);
	return buf_take(a, &lines);
}

/* --- the signature --- */

/* The key that is good for a day, a region and a service. */
static void signing_key(struct arena *a, const struct aws_keys *keys,
			struct str day, struct str region, struct str service,
			unsigned char sum[DIGEST_MAX])
{
	const struct str steps[] = { day, region, service,
				     STR("aws4_request") };
	struct str key = STR_CAT(a, STR("AWS4"), keys->secret);

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		digest_hmac(key, steps[i], sum);
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

/* Writes the headers of a signature but itself. */
static size_t own_headers(const struct aws_keys *keys, struct str hash,
			  struct str when, struct fetch_header *out)
{
	size_t n = 0;

	out[n++] = (struct fetch_header){ STR("x-amz-content-sha256"), hash };
	out[n++] = (struct fetch_header){ STR("x-amz-date"), when };
	if (keys->token.n)
		out[n++] = (struct fetch_header){ STR("x-amz-security-token"),
						  keys->token };
	return n;
}

size_t aws_sign(struct arena *a, const struct aws_request *r,
		const struct aws_keys *keys, time_t now,
		struct fetch_header out[AWS_HEADERS])
{
	const struct str when = time_text(a, now, "%Y%m%dT%H%M%SZ");
	const struct str day = str_sub(when, 0, 8);
	const struct str hash =
		r->hash.n ? r->hash : digest_hex(a, "sha256", STR_NONE);
	struct aws_pairs all = { 0 };
	unsigned char sum[DIGEST_MAX];
	struct str scope, lines, names, text;
	const size_t n = own_headers(keys, hash, when, out + 1) + 1;

	vec_push(a, &all, (struct aws_pair){ STR("host"), r->host });
	for (size_t i = 1; i < n; i++)
		vec_push(a, &all,
			 (struct aws_pair){ out[i].name, out[i].value });
	for (size_t i = 0; i < r->nheaders; i++)
		vec_push(a, &all,
			 (struct aws_pair){ str_lower(a, r->headers[i].name),
					    r->headers[i].value });
	lines = sorted_headers(a, &all, &names);
	text = STR_CAT(a, r->method.n ? r->method : STR("GET"), STR("\n"),
		       r->path, STR("\n"), sorted_query(a, r->query), STR("\n"),
		       lines, STR("\n"), names, STR("\n"), hash);
	scope = STR_CAT(a, day, STR("/"), r->region, STR("/"), r->service,
			STR("/aws4_request"));
	text = STR_CAT(a, STR("AWS4-HMAC-SHA256\n"), when, STR("\n"), scope,
		       STR("\n"), digest_hex(a, "sha256", text));
	signing_key(a, keys, day, r->region, r->service, sum);
	digest_hmac((struct str){ (const char *)sum, SUM }, text, sum);
	out[0] = (struct fetch_header){
		STR("Authorization"),
		STR_CAT(a, STR("AWS4-HMAC-SHA256 Credential="), keys->id,
			STR("/"), scope, STR(", SignedHeaders="), names,
			STR(", Signature="), str_hex(a, sum, SUM))
	};
	return n;
}
