/* keys.c - keys as people write them */
#include "ssh/ssh_int.h"
#include "base/base64.h"

/* --- what is public --- */

/* The next word of *rest. */
static struct str word(struct str *rest)
{
	struct str s = str_trim(*rest);
	size_t n = 0;

	while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t' && s.p[n] != '\r')
		n++;
	*rest = str_sub(s, n, s.n);
	return str_sub(s, 0, n);
}

/* A text of the wire: four bytes of length, and that much (RFC 4251, 5). */
static bool take_text(struct str *rest, struct str *out)
{
	const unsigned char *p = (const unsigned char *)rest->p;
	uint32_t n;

	if (rest->n < 4)
		return false;
	n = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
	    p[3];
	if (n > rest->n - 4)
		return false;
	*out = str_sub(*rest, 4, 4 + n);
	*rest = str_sub(*rest, 4 + n, rest->n);
	return true;
}

int ssh_key_public(struct arena *a, struct str line, struct str *type,
		   struct str *base64)
{
	struct str bytes, name;

	*type = word(&line);
	*base64 = word(&line);
	if (!type->n || !base64_decode(a, *base64, &bytes) ||
	    !take_text(&bytes, &name) || !str_eq(name, *type))
		return -1;
	return 0;
}

bool ssh_key_certifies(struct arena *a, struct str certificate, struct str key)
{
	struct str c, k, type, nonce;

	/* After its type and a nonce a certificate has what the key has after
	 * its type. */
	return base64_decode(a, certificate, &c) && base64_decode(a, key, &k) &&
	       take_text(&c, &type) && take_text(&c, &nonce) &&
	       take_text(&k, &type) && k.n && c.n >= k.n &&
	       !memcmp(c.p, k.p, k.n);
}

/* --- what is private --- */

struct str ssh_key_private(struct arena *a, struct str text)
{
	ptrdiff_t from = str_find(text, STR("-----BEGIN ")), end;
	struct buf b = BUF_INIT;
	struct str rest;

	if (from < 0)
		return STR_NONE;
	rest = str_sub(text, (size_t)from, text.n);
	end = str_find(rest, STR("\n-----END "));
	if (end < 0)
		return STR_NONE;
	for (size_t i = 0; i < rest.n; i++) {
		if (i > (size_t)end && rest.p[i] == '\n')
			break;
		if (rest.p[i] != '\r')
			buf_putc(&b, rest.p[i]);
	}
	buf_putc(&b, '\n');
	return buf_take(a, &b);
}
