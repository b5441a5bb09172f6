/*
 * grapheme.c - grapheme clusters; see source.h
 *
 * libunistring 1.0 knows the rules for pairs of characters but not those that
 * look further back: pictographs joined by U+200D, and pairs of regional
 * indicators.
 */
#include <unictype.h>
#include <unigbrk.h>
#include <unistr.h>

#include "base/str.h"

enum { ZWJ = 0x200d };

static bool is_regional(ucs4_t c)
{
	return c >= 0x1f1e6 && c <= 0x1f1ff;
}

static bool extends(ucs4_t c)
{
	return uc_graphemeclusterbreak_property(c) == GBP_EXTEND;
}

/* The first cluster of s, which starts with a valid character that is not
 * ASCII or is followed by one. */
static size_t cluster(const uint8_t *p, size_t n)
{
	ucs4_t last, c;
	size_t len = (size_t)u8_mbtouc(&last, p, n);
	bool pictograph;
	unsigned regional;

	pictograph = uc_is_property_extended_pictographic(last);
	regional = is_regional(last);
	while (len < n) {
		size_t k = utf8_len((const char *)p + len, n - len);
		bool joined;

		if (!k)
			break;
		u8_mbtouc(&c, p + len, k);
		if (is_regional(c) && is_regional(last))
			joined = regional % 2 == 1;
		else if (last == ZWJ && uc_is_property_extended_pictographic(c))
			joined = pictograph;
		else
			joined = !uc_is_grapheme_break(last, c);
		if (!joined)
			break;
		regional += is_regional(c);
		pictograph = uc_is_property_extended_pictographic(c) ||
			     (pictograph && (c == ZWJ || extends(c)));
		last = c;
		len += k;
	}
	return len;
}

size_t grapheme_len(struct str s)
{
	const uint8_t *p = (const uint8_t *)s.p;

	if (s.n == 0)
		return 0;
	if (p[0] < 0x80 && (s.n == 1 || (p[1] < 0x80 && p[0] != '\r')))
		return 1;
	if (p[0] == '\r')
		return s.n > 1 && p[1] == '\n' ? 2 : 1;
	if (!utf8_len(s.p, s.n))
		return 1;
	return cluster(p, s.n);
}
