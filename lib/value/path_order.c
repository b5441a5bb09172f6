/* path_order.c - see path.h: paths_in_plan_order */
#include <stdlib.h>

#include "value/path.h"

/* ISO 3309's polynomial, its highest bit last. */
static const uint64_t polynomial = UINT64_C(0xd800000000000000);

static uint64_t crc64(uint64_t crc, struct str s)
{
	crc = ~crc;
	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned char)s.p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
	}
	return ~crc;
}

struct ordered {
	int64_t number;
	size_t at; /* index before sorting: orders those with one number */
	struct path path;
};

static int by_number(const void *x, const void *y)
{
	const struct ordered *a = x, *b = y;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static bool is_among(const struct path_vec *v, size_t from, struct path p)
{
	for (size_t i = from; i < v->len; i++)
		if (path_equal(v->items[i], p))
			return true;
	return false;
}

void paths_in_plan_order(struct path_vec *v)
{
	const size_t n = v->len;
	struct ordered *all = xcalloc(n + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		const struct path p = v->items[i];
		uint64_t crc = 0;

		for (size_t k = 0; k < p.len; k++)
			crc = crc64(crc, p.steps[k].index ? STR("##")
							  : p.steps[k].attr);
		all[i] = (struct ordered){ (int64_t)crc, i, p };
	}
	qsort(all, n, sizeof(*all), by_number);
	v->len = 0;
	for (size_t i = 0, first = 0; i < n; i++) {
		if (!i || all[i].number != all[i - 1].number)
			first = v->len;
		if (!is_among(v, first, all[i].path))
			v->items[v->len++] = all[i].path;
	}
	free(all);
}
