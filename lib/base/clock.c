/* clock.c - see clock.h */
#include <string.h>

#include "base/clock.h"

/* The number's last n digits. */
static void put_digits(char *to, int64_t number, int n)
{
	for (; n-- > 0; number /= 10)
		to[n] = (char)('0' + number % 10);
}

/* As gmtime(3), which a signal handler may not call: years begin in March, so
 * that leap days are the last of theirs. */
static void put_date(char *to, int64_t days)
{
	const int64_t z = days + 719468, era = z / 146097, day = z % 146097;
	const int64_t year =
		(day - day / 1460 + day / 36524 - day / 146096) / 365;
	const int64_t left = day - (365 * year + year / 4 - year / 100);
	const int64_t march = (5 * left + 2) / 153;
	const int64_t month = march < 10 ? march + 3 : march - 9;

	put_digits(to, year + era * 400 + (month <= 2), 4);
	put_digits(to + 5, month, 2);
	put_digits(to + 8, left - (153 * march + 2) / 5 + 1, 2);
}

void clock_stamp(char *to)
{
	struct timespec now;
	int64_t second;

	clock_gettime(CLOCK_REALTIME, &now);
	second = now.tv_sec % 86400;
	memcpy(to, "0000-00-00T00:00:00.000000Z", CLOCK_STAMP);
	put_date(to, now.tv_sec / 86400);
	put_digits(to + 11, second / 3600, 2);
	put_digits(to + 14, second / 60 % 60, 2);
	put_digits(to + 17, second % 60, 2);
	put_digits(to + 20, now.tv_nsec / 1000, 6);
}

/* --- durations, as Go writes them --- */

static bool is_digit(struct str s, size_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

static uint64_t unit_of(struct str s)
{
	static const struct {
		const char *name;
		uint64_t nsec;
	} units[] = {
		{ "ns", 1 },           { "us", 1000 },
		{ "\xc2\xb5s", 1000 }, /* micro sign */
		{ "\xce\xbcs", 1000 }, /* Greek mu */
		{ "ms", 1000000 },     { "s", 1000000000 },
		{ "m", 60000000000 },  { "h", 3600000000000 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_is(s, units[i].name))
			return units[i].nsec;
	}
	return 0;
}

enum { TOO_LONG = -1 };
#define DURATION_MAX ((uint64_t)1 << 63)

/* Digits from i on; -1 if there are too many. */
static int whole_part(struct str s, size_t *i, uint64_t *v)
{
	for (*v = 0; is_digit(s, *i); ++*i) {
		if (*v > DURATION_MAX / 10)
			return TOO_LONG;
		*v = *v * 10 + (uint64_t)(s.p[*i] - '0');
		if (*v > DURATION_MAX)
			return TOO_LONG;
	}
	return 0;
}

/* Digits after the point as f / scale; those beyond 64 bits don't count. */
static void fraction_part(struct str s, size_t *i, uint64_t *f, double *scale)
{
	*scale = 1;
	for (*f = 0; is_digit(s, *i); ++*i) {
		if (*f > (DURATION_MAX - 1) / 10)
			continue;
		*f = *f * 10 + (uint64_t)(s.p[*i] - '0');
		*scale *= 10;
	}
}

static const char *unknown_unit(struct arena *a, struct str s, size_t from,
				size_t to)
{
	if (to == from)
		return arena_printf(a, "missing unit in duration \"%.*s\"",
				    STR_ARG(s));
	return arena_printf(a, "unknown unit \"%.*s\" in duration \"%.*s\"",
			    STR_ARG(str_sub(s, from, to)), STR_ARG(s));
}

/* One number with its unit at *i; adds it to *sum. */
static const char *duration_part(struct arena *a, struct str s, size_t *i,
				 uint64_t *sum)
{
	const char *invalid =
		arena_printf(a, "invalid duration \"%.*s\"", STR_ARG(s));
	size_t start = *i, ndigits, from;
	uint64_t v, f = 0, unit;
	double scale = 1;

	if (whole_part(s, i, &v))
		return invalid;
	ndigits = *i - start;
	if (*i < s.n && s.p[*i] == '.') {
		from = ++*i;
		fraction_part(s, i, &f, &scale);
		ndigits += *i - from;
	}
	if (ndigits == 0)
		return invalid;
	for (from = *i; *i < s.n && s.p[*i] != '.' && !is_digit(s, *i);)
		++*i;
	unit = unit_of(str_sub(s, from, *i));
	if (!unit)
		return unknown_unit(a, s, from, *i);
	if (v > DURATION_MAX / unit)
		return invalid;
	v = v * unit + (uint64_t)((double)f * ((double)unit / scale));
	if (v > DURATION_MAX || *sum + v > DURATION_MAX)
		return invalid;
	*sum += v;
	return NULL;
}

const char *clock_duration(struct arena *a, struct str s, int64_t *out)
{
	bool negative = s.n && s.p[0] == '-';
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	uint64_t sum = 0;

	*out = 0;
	if (str_is(str_sub(s, i, s.n), "0"))
		return NULL;
	if (i == s.n)
		return arena_printf(a, "invalid duration \"%.*s\"", STR_ARG(s));
	while (i < s.n) {
		const char *wrong = duration_part(a, s, &i, &sum);

		if (wrong)
			return wrong;
	}
	if (sum == DURATION_MAX && !negative)
		return arena_printf(a, "invalid duration \"%.*s\"", STR_ARG(s));
	*out = (int64_t)(negative ? 0 - sum : sum);
	return NULL;
}
