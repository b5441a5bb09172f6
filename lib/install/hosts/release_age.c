/* release_age.c - see login.h */
#include <ctype.h>
#include <time.h>

#include "install/hosts/login.h"

int64_t release_age_parse(struct str text)
{
	static const struct {
		char unit;
		int seconds;
	} units[] = { { 'd', 86400 }, { 'h', 3600 }, { 'm', 60 } };
	enum { DIGITS = 6 };
	int64_t n = 0;
	size_t i = 0;

	for (; i < text.n && isdigit((unsigned char)text.p[i]); i++)
		n = i < DIGITS ? n * 10 + (text.p[i] - '0') : -1;
	if (!i || n < 0 || i + 1 != text.n)
		return -1;
	for (size_t k = 0; k < sizeof(units) / sizeof(*units); k++)
		if (text.p[i] == units[k].unit)
			return n * units[k].seconds;
	return -1;
}

/* +01:30 behind the time: how many seconds it is ahead. */
static long offset(const char *zone)
{
	struct tm tm = { .tm_hour = 0 };

	if ((*zone != '+' && *zone != '-') || !strptime(zone + 1, "%H:%M", &tm))
		return 0;
	return (*zone == '-' ? -1L : 1L) *
	       (tm.tm_hour * 3600L + tm.tm_min * 60L);
}

bool release_too_new(struct arena *a, int64_t least, struct str published)
{
	const char *text = arena_strndup(a, published.p, published.n), *rest;
	struct tm tm = { .tm_isdst = 0 };

	if (least <= 0 || !published.n)
		return false;
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest)
		return false;
	if (*rest == '.')
		for (rest++; isdigit((unsigned char)*rest); rest++)
			;
	return (int64_t)timegm(&tm) - offset(rest) + least >
	       (int64_t)time(NULL);
}
