/* patterns.c - see copy_tree.h */
#include "addr/provider.h"
#include "install/package/copy_tree.h"

/* 0: it has other than two or three. */
static size_t split(struct str s, struct str parts[PATTERN_PARTS])
{
	size_t n = 0;

	for (;;) {
		ptrdiff_t slash = str_chr(s, '/');

		if (n == PATTERN_PARTS)
			return 0;
		parts[n++] = slash < 0 ? s : str_sub(s, 0, (size_t)slash);
		if (slash < 0)
			return n < 2 ? 0 : n;
		s = str_sub(s, (size_t)slash + 1, s.n);
	}
}

bool pattern_parts(struct str s, struct str parts[PATTERN_PARTS])
{
	size_t n = split(s, parts);

	if (n == 2) {
		parts[2] = parts[1];
		parts[1] = parts[0];
		parts[0] = provider_default_host();
	}
	return n > 0;
}

bool pattern_valid(struct arena *a, struct str s)
{
	struct provider_addr p;
	struct str parts[PATTERN_PARTS], why;
	struct buf b = BUF_INIT;
	size_t n = split(s, parts);
	bool valid = n != 0, wild = false;

	for (size_t i = 0; i < n; i++) {
		const bool star = str_is(parts[i], "*");

		valid = valid && (star || !wild);
		wild = star;
		if (i)
			buf_putc(&b, '/');
		if (star)
			buf_puts(&b, n == PATTERN_PARTS && !i ? "example.com"
							      : "x");
		else
			buf_add(&b, parts[i].p, parts[i].n);
	}
	valid = valid &&
		!provider_addr_parse(a, buf_view(&b), provider_default_host(),
				     &p, &why);
	buf_release(&b);
	return valid;
}

static bool part_matches(struct str pattern, struct str part)
{
	return str_is(pattern, "*") || str_eq(pattern, part);
}

bool pattern_matches(struct str s, struct provider_addr p)
{
	struct str parts[PATTERN_PARTS];
	size_t n = split(s, parts);

	if (!n)
		return false;
	if (n == 2 ? !str_eq(p.host, provider_default_host())
		   : !part_matches(parts[0], p.host))
		return false;
	return part_matches(parts[n - 2], p.namespace) &&
	       part_matches(parts[n - 1], p.type);
}
