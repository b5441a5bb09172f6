/* didyoumean.c - see didyoumean.h */
#include "base/didyoumean.h"

enum { CLOSE = 3, LONGEST = 256 };

static uint32_t at(struct str s, size_t *i)
{
	size_t n = utf8_len(s.p + *i, s.n - *i);
	uint32_t c = (unsigned char)s.p[*i];

	for (size_t k = 1; k < n; k++)
		c = c << 8 | (unsigned char)s.p[*i + k];
	*i += n ? n : 1;
	return c;
}

static size_t code_points(struct str s, uint32_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n && n < LONGEST;)
		out[n++] = at(s, &i);
	return n;
}

static unsigned distance(const uint32_t *x, size_t nx, const uint32_t *y,
			 size_t ny)
{
	unsigned row[LONGEST + 1];

	for (size_t j = 0; j <= ny; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= nx; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= ny; j++) {
			unsigned best = diagonal + (x[i - 1] != y[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[ny];
}

struct str didyoumean(struct str given, const struct str *names, size_t n)
{
	uint32_t x[LONGEST], y[LONGEST];
	size_t nx;

	if (given.n >= LONGEST)
		return STR_NONE;
	nx = code_points(given, x);
	for (size_t i = 0; i < n; i++) {
		size_t ny;

		if (names[i].n > given.n + CLOSE * 4)
			continue;
		ny = code_points(names[i], y);
		if (nx > ny + CLOSE || ny > nx + CLOSE)
			continue;
		if (distance(x, nx, y, ny) < CLOSE)
			return names[i];
	}
	return STR_NONE;
}

struct str didyoumean_word(struct str given, const struct str *names, size_t n)
{
	const struct str *begun = NULL;
	size_t found = 0;

	for (size_t i = 0; given.n && i < n; i++) {
		struct str rest = names[i];

		if (!str_take(&rest, given))
			continue;
		begun = &names[i];
		found++;
	}
	return found == 1 ? *begun : didyoumean(given, names, n);
}

struct str didyoumean_hint(struct arena *a, struct str given,
			   const struct str *names, size_t n)
{
	struct str near = didyoumean_word(given, names, n);

	return near.n ? str_printf(a, " Did you mean \"%.*s\"?", STR_ARG(near))
		      : STR("");
}

struct str didyoumean_key(struct arena *a, struct str given,
			  const struct map *among)
{
	struct str *names = ARENA_ARRAY(a, struct str, among->len);

	for (size_t i = 0; i < among->len; i++)
		names[i] = among->entries[i].key;
	return didyoumean_hint(a, given, names, among->len);
}
