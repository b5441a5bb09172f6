/* oci_address.c - see oci.h */
#include "install/oci/oci.h"
#include "config/source/url.h"
#include "crypto/crypto.h"

enum { LONGEST_TAG = 128 };

static bool is_small(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_word(char c)
{
	return is_small(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

/* HOST[:PORT], without anything else that a URL may have there. */
static bool is_domain(struct arena *a, struct str s)
{
	struct url u;

	return s.n && !url_parse(a, STR_CAT(a, STR("https://"), s), &u) &&
	       str_eq(u.host, s) && u.host.p[0] != ':';
}

/* Is it valid between letters and digits?  One dot, one or two underscores, or
 * dashes. */
static bool is_separator(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '-')
			return str_is(s, ".") || str_is(s, "_") ||
			       str_is(s, "__");
	return true;
}

static bool is_component(struct str s)
{
	size_t from;

	if (!s.n || !is_small(s.p[0]) || !is_small(s.p[s.n - 1]))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		for (from = i; !is_small(s.p[i]);)
			i++;
		if (!is_separator(str_sub(s, from, i)))
			return false;
	}
	return true;
}

static bool is_name(struct str s)
{
	for (;;) {
		ptrdiff_t slash = str_chr(s, '/');
		size_t n = slash < 0 ? s.n : (size_t)slash;

		if (!is_component(str_sub(s, 0, n)))
			return false;
		if (slash < 0)
			return true;
		s = str_sub(s, n + 1, s.n);
	}
}

int oci_address_check(struct arena *a, struct oci_address at, struct str *why)
{
	if (!is_domain(a, at.domain))
		*why = str_printf(
			a, "invalid reference: invalid registry \"%.*s\"",
			STR_ARG(at.domain));
	else if (!is_name(at.name))
		*why = str_printf(
			a, "invalid reference: invalid repository \"%.*s\"",
			STR_ARG(at.name));
	else
		return 0;
	return -1;
}

int oci_address_parse(struct arena *a, struct str text, struct oci_address *out,
		      struct str *why)
{
	ptrdiff_t slash = str_chr(text, '/');
	struct str rest;

	*out = (struct oci_address){ text, STR_NONE };
	if (slash < 0) {
		if (is_domain(a, text))
			return 0;
		return oci_address_check(a, *out, why);
	}
	rest = str_sub(text, (size_t)slash + 1, text.n);
	*out = (struct oci_address){ str_sub(text, 0, (size_t)slash), rest };
	if (str_chr(rest, ':') < 0 && str_chr(rest, '@') < 0)
		return oci_address_check(a, *out, why);
	*why = STR("invalid reference: artifact tag or digest not allowed");
	return -1;
}

struct str oci_address_text(struct arena *a, struct oci_address at)
{
	return STR_CAT(a, at.domain, STR("/"), at.name);
}

bool oci_tag_valid(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_word(s.p[i]) &&
		    !(i && (s.p[i] == '.' || s.p[i] == '-')))
			return false;
	return s.n && s.n <= LONGEST_TAG;
}

/* --- digests --- */

static const struct {
	const char *prefix;
	size_t hex;
} kinds[] = { { "sha256:", 64 }, { "sha384:", 96 }, { "sha512:", 128 } };

bool oci_digest_valid(struct str s)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const size_t n = strlen(kinds[i].prefix);

		if (!str_starts(s, kinds[i].prefix) || s.n - n != kinds[i].hex)
			continue;
		for (size_t k = n; k < s.n; k++)
			if (!(s.p[k] >= '0' && s.p[k] <= '9') &&
			    !(s.p[k] >= 'a' && s.p[k] <= 'f'))
				return false;
		return true;
	}
	return false;
}

struct str oci_digest_kind(struct arena *a, struct str digest)
{
	return str_dup(a, str_sub(digest, 0, (size_t)str_chr(digest, ':')));
}

struct str oci_digest_hex(struct str digest)
{
	return str_sub(digest, (size_t)str_chr(digest, ':') + 1, digest.n);
}

bool oci_digest_matches(struct arena *a, struct str digest, struct str bytes)
{
	unsigned char sum[DIGEST_MAX];
	size_t n = digest_of(oci_digest_kind(a, digest).p, bytes, sum);

	return n && str_eq(oci_digest_hex(digest), str_hex(a, sum, n));
}
