/* azure_sign.c - the signature "SharedKey" of requests to a storage account;
 * see azure.h */
#include <inttypes.h>

#include "base/base64.h"
#include "crypto/crypto.h"
#include "remote/azure.h"

static struct str header(const struct azure_request *r, const char *name)
{
	for (size_t i = 0; i < r->nheaders; i++)
		if (str_is(r->headers[i].name, name))
			return r->headers[i].value;
	return STR_NONE;
}

static unsigned hex_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

/* What an escaped text stands for. */
static void unescape(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '%' || i + 2 >= s.n) {
			buf_putc(out, s.p[i]);
			continue;
		}
		buf_putc(out, (char)(hex_digit(s.p[i + 1]) << 4 |
				     hex_digit(s.p[i + 2])));
		i += 2;
	}
}

/* The parameters, a line each. */
static void add_query(struct buf *out, struct str query)
{
	while (query.n) {
		const ptrdiff_t end = str_chr(query, '&');
		const size_t n = end < 0 ? query.n : (size_t)end;
		const struct str one = str_sub(query, 0, n);
		const ptrdiff_t eq = str_chr(one, '=');
		const size_t name = eq < 0 ? one.n : (size_t)eq;

		buf_putc(out, '\n');
		buf_str(out, str_sub(one, 0, name));
		buf_putc(out, ':');
		if (eq >= 0)
			unescape(out, str_sub(one, name + 1, one.n));
		query = str_sub(query, end < 0 ? n : n + 1, query.n);
	}
}

static void text_to_sign(struct buf *out, const struct azure_request *r,
			 struct str account)
{
	buf_str(out, r->method);
	buf_puts(out, "\n\n\n"); /* neither encoding nor language */
	if (r->length)
		buf_int(out, (int64_t)r->length);
	buf_addf(out, "\n%.*s\n%.*s\n", STR_ARG(header(r, "content-md5")),
		 STR_ARG(header(r, "content-type")));
	/* no date, which is in a header of the service's own; conditions */
	buf_addf(out, "\n\n%.*s\n%.*s\n\n\n", STR_ARG(header(r, "if-match")),
		 STR_ARG(header(r, "if-none-match")));
	for (size_t i = 0; i < r->nheaders; i++)
		if (str_starts(r->headers[i].name, "x-ms-"))
			buf_addf(out, "%.*s:%.*s\n",
				 STR_ARG(r->headers[i].name),
				 STR_ARG(r->headers[i].value));
	buf_addf(out, "/%.*s%.*s", STR_ARG(account), STR_ARG(r->path));
	add_query(out, r->query);
}

struct str azure_sign(struct arena *a, const struct azure_request *r,
		      struct str account, struct str key)
{
	unsigned char sum[DIGEST_MAX];
	struct buf text = BUF_INIT;
	size_t n;

	text_to_sign(&text, r, account);
	n = digest_hmac(key, buf_view(&text), sum);
	buf_release(&text);
	return str_printf(a, "SharedKey %.*s:%.*s", STR_ARG(account),
			  STR_ARG(base64_encode(
				  a, (struct str){ (const char *)sum, n })));
}
