/* base64.c - see base64.h */
#include "base/base64.h"

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct str base64_encode(struct arena *a, struct str bytes)
{
	size_t n = (bytes.n + 2) / 3 * 4;
	char *out = arena_alloc(a, n + 1), *o = out;
	const unsigned char *p = (const unsigned char *)bytes.p;

	for (size_t i = 0; i < bytes.n; i += 3) {
		size_t left = bytes.n - i;
		uint32_t w = (uint32_t)p[i] << 16;

		if (left > 1)
			w |= (uint32_t)p[i + 1] << 8;
		if (left > 2)
			w |= p[i + 2];
		*o++ = alphabet[w >> 18];
		*o++ = alphabet[w >> 12 & 63];
		*o++ = left > 1 ? alphabet[w >> 6 & 63] : '=';
		*o++ = left > 2 ? alphabet[w & 63] : '=';
	}
	*o = '\0';
	return (struct str){ out, n };
}

static int digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode(struct arena *a, struct str text, struct str *bytes)
{
	char *out = arena_alloc(a, text.n / 4 * 3 + 1), *o = out;

	if (text.n % 4 != 0)
		return false;
	for (size_t i = 0; i < text.n; i += 4) {
		bool last = i + 4 == text.n;
		int pad = !last                  ? 0
			  : text.p[i + 3] != '=' ? 0
			  : text.p[i + 2] != '=' ? 1
						 : 2;
		uint32_t w = 0;

		for (int k = 0; k < 4; k++) {
			int d = k >= 4 - pad ? 0 : digit(text.p[i + (size_t)k]);

			if (d < 0)
				return false;
			w = w << 6 | (uint32_t)d;
		}
		*o++ = (char)(w >> 16);
		if (pad < 2)
			*o++ = (char)(w >> 8 & 255);
		if (pad < 1)
			*o++ = (char)(w & 255);
	}
	*o = '\0';
	*bytes = (struct str){ out, (size_t)(o - out) };
	return true;
}

struct str base64_url(struct arena *a, struct str bytes)
{
	struct str text = base64_encode(a, bytes);
	char *p = arena_strndup(a, text.p, text.n);

	while (text.n && p[text.n - 1] == '=')
		text.n--;
	p[text.n] = '\0';
	for (size_t i = 0; i < text.n; i++)
		if (p[i] == '+' || p[i] == '/')
			p[i] = p[i] == '+' ? '-' : '_';
	return (struct str){ p, text.n };
}
