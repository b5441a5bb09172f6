/*
 * datetime_funcs.c - formatdate, plantimestamp, timeadd, timecmp, timestamp
 */
#include <time.h>

#include "funcs/funcs_int.h"
#include "base/clock.h"
#include "lang/eval/eval.h"
#include "lang/eval/func.h"
#include "value/number.h"

static const struct value *timestamp_value(struct func_call *c,
					   const struct timestamp *t)
{
	struct buf b = BUF_INIT;

	timestamp_format(&b, t);
	return buf_value(c->arena, &b);
}

static const struct value *do_timestamp(struct func_call *c)
{
	struct timestamp now = { .sec = time(NULL) };

	return timestamp_value(c, &now);
}

const struct func func_timestamp = {
	.name = "timestamp",
	.description = "The time of the call, in UTC and RFC 3339 form.",
	.params = NO_PARAMS,
	.result = &type_string,
	.impl = do_timestamp,
	.flags = FUNC_IMPURE,
};

static const struct value *do_plantimestamp(struct func_call *c)
{
	const struct scope *s = c->eval ? c->eval->scope : NULL;

	if (!s || s->plan_timestamp.n == 0)
		return value_unknown(c->arena, &type_string);
	return value_string(c->arena, s->plan_timestamp);
}

const struct func func_plantimestamp = {
	.name = "plantimestamp",
	.description = "The time of the plan, in UTC and RFC 3339 form.",
	.params = NO_PARAMS,
	.result = &type_string,
	.impl = do_plantimestamp,
	/* OpenTofu does not refine it */
	.flags = FUNC_NULLABLE | FUNC_ELSEWHERE,
};

/* wrong, the parser's words, holds parts of the argument. */
static const struct value *bad_time(struct func_call *c, int arg,
				    const char *wrong)
{
	return func_fail(c, arg, "%.*s", STR_ARG(str_c(wrong)));
}

static const struct value *do_timeadd(struct func_call *c)
{
	struct timestamp t;
	const char *wrong;
	int64_t nsec;

	wrong = timestamp_parse(c->arena, arg_str(c, 0), TIME_STRICT, &t);
	if (!wrong)
		wrong = clock_duration(c->arena, arg_str(c, 1), &nsec);
	if (wrong)
		return bad_time(c, -1, wrong);
	t.sec += nsec / 1000000000;
	t.nsec += (int32_t)(nsec % 1000000000);
	if (t.nsec < 0)
		t.sec--;
	else if (t.nsec >= 1000000000)
		t.sec++;
	return timestamp_value(c, &t);
}

const struct func func_timeadd = {
	.name = "timeadd",
	.description = "The timestamp a duration such as \"1h30m\" later.",
	.params = PARAMS({ "timestamp", &type_string, 0, NULL },
			 { "duration", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_timeadd,
	.flags = FUNC_NULLABLE, /* OpenTofu does not refine it */
};

static const struct value *do_timecmp(struct func_call *c)
{
	struct timestamp t[2];
	int order;

	for (int i = 0; i < 2; i++) {
		const char *wrong =
			timestamp_parse(c->arena, arg_str(c, (size_t)i),
					TIME_LENIENT, &t[i]);

		if (wrong)
			return bad_time(c, i, wrong);
	}
	order = (t[0].sec > t[1].sec) - (t[0].sec < t[1].sec);
	if (order == 0)
		order = (t[0].nsec > t[1].nsec) - (t[0].nsec < t[1].nsec);
	return value_int(c->arena, order);
}

const struct func func_timecmp = {
	.name = "timecmp",
	.description = "-1, 0 or 1: the first timestamp is earlier than, the "
		       "same as or later than the second.",
	.params = PARAMS({ "timestamp_a", &type_string, 0, NULL },
			 { "timestamp_b", &type_string, 0, NULL }),
	.result = &type_number,
	.impl = do_timecmp,
};

/* --- formatdate --- */

static bool is_letter(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

/* 'text' with '' for a quote; returns its length, 0 if it does not end. */
static size_t quoted_text(struct buf *b, struct str s)
{
	if (s.n > 1 && s.p[1] == '\'') {
		buf_putc(b, '\'');
		return 2;
	}
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] != '\'') {
			buf_putc(b, s.p[i]);
			continue;
		}
		if (i + 1 == s.n || s.p[i + 1] != '\'')
			return i + 1;
		buf_putc(b, '\'');
		i++;
	}
	/* A doubled quote at the very end passes for an end, too. */
	return s.n > 1 && s.p[s.n - 1] == '\'' ? s.n : 0;
}

/* v with as many digits as the verb has letters, 1 or 2; what else it may
 * be. */
static const char *number(struct buf *b, int v, size_t letters,
			  const char *allowed)
{
	if (letters > 2)
		return allowed;
	buf_addf(b, letters == 1 ? "%d" : "%02d", v);
	return NULL;
}

/* A name or its first three letters. */
static void name(struct buf *b, const char *text, size_t letters)
{
	buf_add(b, text, letters == 3 ? 3 : strlen(text));
}

static const char *month_verb(struct buf *b, int month, size_t n)
{
	static const char *const names[] = {
		"January",   "February", "March",    "April",
		"May",       "June",     "July",     "August",
		"September", "October",  "November", "December",
	};
	const char *allowed =
		"month must be \"M\", \"MM\", \"MMM\", or \"MMMM\"";

	if (n > 4)
		return allowed;
	if (n <= 2)
		return number(b, month, n, allowed);
	name(b, names[month - 1], n);
	return NULL;
}

static const char *zone_verb(struct buf *b, int offset, size_t n)
{
	if (n == 2 || n > 5)
		return "timezone must be Z, ZZZZ, or ZZZZZ";
	if (offset == 0 && n == 1)
		buf_putc(b, 'Z');
	else if (offset == 0 && n == 3)
		buf_puts(b, "UTC");
	else
		time_zone_format(b, offset, n == 1 || n == 5 ? ":" : "");
	return NULL;
}

static const char *half_verb(struct buf *b, int hour, char verb, size_t n)
{
	if (n != 2)
		return verb == 'A' ? "must be \"AA\"" : "must be \"aa\"";
	if (verb == 'A')
		buf_puts(b, hour < 12 ? "AM" : "PM");
	else
		buf_puts(b, hour < 12 ? "am" : "pm");
	return NULL;
}

/* Writes the part of the date that the letter, n times, denotes.  Returns NULL,
 * "" for an unknown letter, or a text that says what this letter allows. */
static const char *date_verb(struct buf *b, char verb, size_t n,
			     const struct civil *t, int offset)
{
	static const char *const days[] = {
		"Sunday",   "Monday", "Tuesday",  "Wednesday",
		"Thursday", "Friday", "Saturday",
	};

	switch (verb) {
	case 'Y':
		if (n != 2 && n != 4)
			return "year must either be \"YY\" or \"YYYY\"";
		buf_addf(b, n == 2 ? "%02d" : "%04d",
			 (int)(n == 2 ? t->year % 100 : t->year));
		return NULL;
	case 'M':
		return month_verb(b, t->month, n);
	case 'D':
		return number(b, t->day, n,
			      "day of month must either be \"D\" or \"DD\"");
	case 'E':
		if (n != 3 && n != 4)
			return "day of week must either be \"EEE\" or \"EEEE\"";
		name(b, days[t->weekday], n);
		return NULL;
	case 'h':
		return number(b, t->hour, n,
			      "24-hour must either be \"h\" or \"hh\"");
	case 'H':
		return number(b, t->hour % 12 ? t->hour % 12 : 12, n,
			      "12-hour must either be \"H\" or \"HH\"");
	case 'A':
	case 'a':
		return half_verb(b, t->hour, verb, n);
	case 'm':
		return number(b, t->minute, n,
			      "minute must either be \"m\" or \"mm\"");
	case 's':
		return number(b, t->second, n,
			      "second must either be \"s\" or \"ss\"");
	case 'Z':
		return zone_verb(b, offset, n);
	default:
		return "";
	}
}

/* One quoted text, verb or other character; returns its length, 0 with the
 * call failed. */
static size_t date_part(struct func_call *c, struct buf *b, struct str s,
			const struct civil *t, int offset)
{
	size_t n = 1;
	const char *allowed;

	if (s.p[0] == '\'') {
		n = quoted_text(b, s);
		if (n == 0)
			func_fail(c, 0, "unterminated literal '");
		return n;
	}
	if (!is_letter(s.p[0])) {
		buf_putc(b, s.p[0]);
		return 1;
	}
	while (n < s.n && s.p[n] == s.p[0])
		n++;
	allowed = date_verb(b, s.p[0], n, t, offset);
	if (!allowed)
		return n;
	func_fail(c, 0, "invalid date format verb \"%.*s\"%s%s",
		  STR_ARG(str_sub(s, 0, n)), *allowed ? ": " : "", allowed);
	return 0;
}

static const struct value *do_formatdate(struct func_call *c)
{
	struct str format = arg_str(c, 0);
	struct buf b = BUF_INIT;
	struct timestamp t;
	struct civil local;
	const char *wrong;

	wrong = timestamp_parse(c->arena, arg_str(c, 1), TIME_STRICT, &t);
	if (wrong)
		return bad_time(c, 1, wrong);
	local = civil_of(&t);
	while (format.n) {
		size_t n = date_part(c, &b, format, &local, t.offset);

		if (n == 0) {
			buf_release(&b);
			return NULL;
		}
		format = str_sub(format, n, format.n);
	}
	return buf_value(c->arena, &b);
}

const struct func func_formatdate = {
	.name = "formatdate",
	.description = "A timestamp in another form, given by letters such "
		       "as YYYY-MM-DD hh:mm:ss; other text is quoted with "
		       "'...'.",
	.params = PARAMS({ "format", &type_string, 0, NULL },
			 { "time", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_formatdate,
};
