/*
 * time.c - reading and writing points in time and durations; see funcs_int.h
 *
 * The calendar is the proleptic Gregorian one.
 */
#include "funcs/funcs_int.h"

static bool is_leap(int64_t y)
{
	return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int days_in_month(int64_t year, int month)
{
	static const signed char days[] = { 31, 28, 31, 30, 31, 30,
					    31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days since 1970-01-01, counting years from March in eras of 400. */
static int64_t days_from_civil(int64_t y, int m, int d)
{
	int64_t era, of_era;
	int of_year;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	of_era = y - era * 400;
	of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 719468;
}

static int64_t floor_div(int64_t n, int64_t by)
{
	return n / by - (n % by < 0);
}

struct civil civil_of(const struct timestamp *t)
{
	int64_t sec = t->sec + t->offset, days = floor_div(sec, 86400);
	int64_t z = days + 719468, era = floor_div(z, 146097);
	int64_t of_era = z - era * 146097;
	int64_t y =
		(of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) /
		365;
	int of_year = (int)(of_era - (365 * y + y / 4 - y / 100));
	int mp = (5 * of_year + 2) / 153, left = (int)(sec - days * 86400);
	struct civil c = {
		.day = of_year - (153 * mp + 2) / 5 + 1,
		.month = mp < 10 ? mp + 3 : mp - 9,
		.hour = left / 3600,
		.minute = left / 60 % 60,
		.second = left % 60,
		.weekday = (int)(((days + 4) % 7 + 7) % 7),
	};

	c.year = y + era * 400 + (c.month <= 2);
	return c;
}

void time_zone_format(struct buf *b, int offset, const char *sep)
{
	int minutes = offset / 60;

	buf_putc(b, minutes < 0 ? '-' : '+');
	minutes = minutes < 0 ? -minutes : minutes;
	buf_addf(b, "%02d%s%02d", minutes / 60, sep, minutes % 60);
}

void timestamp_format(struct buf *b, const struct timestamp *t)
{
	struct civil c = civil_of(t);

	if (c.year < 0)
		buf_putc(b, '-');
	buf_addf(b, "%04lld-%02d-%02dT%02d:%02d:%02d",
		 (long long)(c.year < 0 ? -c.year : c.year), c.month, c.day,
		 c.hour, c.minute, c.second);
	if (t->offset == 0)
		buf_putc(b, 'Z');
	else
		time_zone_format(b, t->offset, ":");
}

/* --- reading --- */

struct time_reader {
	struct arena *a;
	struct str s; /* what is left */
	const char *wrong;
};

static bool is_digit(struct str s, size_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

static int fail(struct time_reader *r, const char *what)
{
	if (!r->wrong && r->s.n == 0)
		r->wrong = arena_printf(r->a, "end of string before %s", what);
	else if (!r->wrong)
		r->wrong = arena_printf(r->a, "cannot use \"%.*s\" as %s",
					STR_ARG(r->s), what);
	return 0;
}

/* A number of min to max digits. */
static int digits(struct time_reader *r, size_t min, size_t max,
		  const char *what)
{
	size_t n = 0;
	int v = 0;

	if (r->wrong)
		return 0;
	for (; n < max && is_digit(r->s, n); n++)
		v = v * 10 + (r->s.p[n] - '0');
	if (n < min)
		return fail(r, what);
	r->s = str_sub(r->s, n, r->s.n);
	return v;
}

/* As digits(), in a range. */
static int ranged(struct time_reader *r, size_t min, int low, int high,
		  const char *what)
{
	struct time_reader before = *r;
	int v = digits(r, min, 2, what);

	if (!r->wrong && (v < low || v > high)) {
		*r = before;
		return fail(r, what);
	}
	return v;
}

static void literal(struct time_reader *r, char ch)
{
	if (r->wrong)
		return;
	if (r->s.n && r->s.p[0] == ch)
		r->s = str_sub(r->s, 1, r->s.n);
	else if (ch == 'T')
		r->wrong = "missing required time introducer 'T'";
	else if (r->s.n)
		r->wrong =
			arena_printf(r->a,
				     "found \"%.*s\" where \"%c\" is expected",
				     STR_ARG(r->s), ch);
	else
		r->wrong = arena_printf(
			r->a, "end of string where \"%c\" is expected", ch);
}

/* .123; more than nine digits are cut. */
static int32_t fraction(struct time_reader *r, bool comma)
{
	int32_t nsec = 0, unit = 100000000;
	size_t n = 1;

	if (r->wrong || !is_digit(r->s, 1) ||
	    !(r->s.p[0] == '.' || (comma && r->s.p[0] == ',')))
		return 0;
	for (; is_digit(r->s, n); n++) {
		nsec += (r->s.p[n] - '0') * unit;
		unit /= 10;
	}
	r->s = str_sub(r->s, n, r->s.n);
	return nsec;
}

/* Z or +hh:mm */
static int zone(struct time_reader *r, bool strict)
{
	struct time_reader before = *r;
	int sign, hours, minutes;

	if (r->wrong)
		return 0;
	if (r->s.n && r->s.p[0] == 'Z') {
		r->s = str_sub(r->s, 1, r->s.n);
		return 0;
	}
	if (r->s.n < 6 || (r->s.p[0] != '+' && r->s.p[0] != '-') ||
	    r->s.p[3] != ':')
		return fail(r, "UTC offset");
	sign = r->s.p[0] == '-' ? -1 : 1;
	r->s = str_sub(r->s, 1, r->s.n);
	hours = ranged(r, 2, 0, strict ? 23 : 24, "UTC offset");
	literal(r, ':');
	minutes = ranged(r, 2, 0, strict ? 59 : 60, "UTC offset");
	if (r->wrong) {
		*r = before;
		return fail(r, "UTC offset");
	}
	return sign * (hours * 60 + minutes) * 60;
}

static void time_of_day(struct time_reader *r, enum time_syntax syntax,
			struct civil *c, int32_t *nsec)
{
	size_t min = syntax == TIME_YAML ? 1 : 2;

	c->hour = ranged(r, syntax == TIME_STRICT ? 2 : 1, 0, 23, "hour");
	literal(r, ':');
	c->minute = ranged(r, min, 0, 59, "minute");
	literal(r, ':');
	c->second = ranged(r, min, 0, 59, "second");
	*nsec = fraction(r, syntax != TIME_STRICT);
}

static void date_and_time(struct time_reader *r, enum time_syntax syntax,
			  struct timestamp *out)
{
	bool yaml = syntax == TIME_YAML, spaced;
	struct civil c = { .month = 1 };

	out->nsec = 0;
	out->offset = 0;
	c.year = digits(r, 4, 4, "year");
	literal(r, '-');
	c.month = ranged(r, yaml ? 1 : 2, 1, 12, "month");
	literal(r, '-');
	c.day = digits(r, yaml ? 1 : 2, 2, "day of month");
	spaced = yaml && r->s.n && r->s.p[0] == ' ';
	if (!(yaml && r->s.n == 0)) {
		literal(r, spaced                               ? ' '
			   : yaml && r->s.n && r->s.p[0] == 't' ? 't'
								: 'T');
		time_of_day(r, syntax, &c, &out->nsec);
		if (!spaced)
			out->offset = zone(r, syntax == TIME_STRICT);
	}
	if (r->wrong)
		return;
	if (r->s.n)
		fail(r, "timestamp segment");
	else if (c.day < 1 || c.day > days_in_month(c.year, c.month))
		r->wrong = "day out of range";
	else
		out->sec = days_from_civil(c.year, c.month, c.day) * 86400 +
			   c.hour * 3600 + c.minute * 60 + c.second -
			   out->offset;
}

const char *timestamp_parse(struct arena *a, struct str s,
			    enum time_syntax syntax, struct timestamp *out)
{
	struct time_reader r = { a, s, NULL };

	date_and_time(&r, syntax, out);
	if (!r.wrong)
		return NULL;
	return arena_printf(a, "not a valid RFC3339 timestamp: %s", r.wrong);
}
