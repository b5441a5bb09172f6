/*
 * number_parse.c - numbers from text: decimal notation, correctly rounded to
 * 512 bits; see number_text.c for the way back
 */
#include <ctype.h>
#include <stdlib.h>

#include "value/number.h"

struct scan {
	const char *p, *end;
	size_t digits;   /* of the mantissa, leading zeros apart */
	size_t fraction; /* those after the point */
	bool any;        /* some digit was seen */
	bool binary;     /* the exponent is one of 2 */
	bool negative;
	int64_t exp;
	size_t mantissa; /* length of sign and mantissa */
};

static void scan_mantissa(struct scan *s)
{
	bool point = false;

	for (; s->p < s->end; s->p++) {
		if (*s->p == '.') {
			if (point)
				return;
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*s->p))
			return;
		s->any = true;
		s->fraction += point;
		if (s->digits || *s->p != '0')
			s->digits++;
	}
}

/* exponent = ( "e" | "E" | "p" | "P" ) [ sign ] digits */
static bool scan_exponent(struct scan *s)
{
	bool negative = false;

	if (s->p == s->end)
		return true;
	if (!strchr("eEpP", *s->p) || !*s->p)
		return false;
	s->binary = *s->p == 'p' || *s->p == 'P';
	s->p++;
	if (s->p < s->end && (*s->p == '-' || *s->p == '+'))
		negative = *s->p++ == '-';
	if (s->p == s->end)
		return false;
	for (; s->p < s->end; s->p++) {
		if (!isdigit((unsigned char)*s->p) ||
		    __builtin_mul_overflow(s->exp, 10, &s->exp) ||
		    __builtin_sub_overflow(s->exp, *s->p - '0', &s->exp))
			return false;
	}
	if (!negative && s->exp == INT64_MIN)
		return false;
	if (!negative)
		s->exp = -s->exp;
	return true;
}

/* The exponent of 2 that the text amounts to before powers of 5 count; outside
 * the range of an int32 the text is no number. */
static bool exponent_in_range(const struct scan *s)
{
	int64_t e = (int64_t)(s->digits * 3322 / 1000) - (int64_t)s->fraction;

	if (s->exp > INT32_MAX * (int64_t)2 || s->exp < INT32_MIN * (int64_t)2)
		return false;
	e += s->exp;
	return e >= INT32_MIN && e <= INT32_MAX;
}

static bool scan_number(struct scan *s, struct str text)
{
	*s = (struct scan){ .p = text.p, .end = text.p + text.n };
	if (s->p < s->end && (*s->p == '-' || *s->p == '+'))
		s->negative = *s->p++ == '-';
	scan_mantissa(s);
	if (!s->any)
		return false;
	s->mantissa = (size_t)(s->p - text.p);
	if (!scan_exponent(s))
		return false;
	return s->digits == 0 || exponent_in_range(s);
}

/* Plain integers of up to 18 digits: nearly all numbers there are. */
static bool scan_int(struct str text, int64_t *out)
{
	bool negative = text.n && text.p[0] == '-';
	int64_t n = 0;

	if (text.n - negative == 0 || text.n - negative > 18)
		return false;
	for (size_t i = negative; i < text.n; i++) {
		if (!isdigit((unsigned char)text.p[i]))
			return false;
		n = n * 10 + (text.p[i] - '0');
	}
	if (negative && n == 0)
		return false; /* -0 is not an inline number */
	*out = negative ? -n : n;
	return true;
}

static bool is_infinity(struct str text, bool *negative)
{
	if (text.n && (text.p[0] == '-' || text.p[0] == '+')) {
		*negative = text.p[0] == '-';
		text = str_sub(text, 1, text.n);
	}
	return str_is(text, "Inf") || str_is(text, "inf");
}

static void read_scanned(mpfr_ptr n, const struct scan *s, struct str text)
{
	char small[128], *copy = small;

	if (text.n >= sizeof(small))
		copy = xmalloc(text.n + 1);
	memcpy(copy, text.p, text.n);
	copy[s->binary ? s->mantissa : text.n] = '\0';
	mpfr_strtofr(n, copy, NULL, 10, MPFR_RNDN);
	if (s->binary)
		mpfr_mul_2si(n, n, (long)s->exp, MPFR_RNDN);
	if (copy != small)
		free(copy);
}

const struct value *value_number_parse(struct arena *a, struct str text)
{
	MPFR_DECL_INIT(n, NUMBER_BITS);
	struct scan s;
	bool negative = false;
	int64_t i;

	if (scan_int(text, &i)) {
		struct value *v = ARENA_NEW(a, struct value);

		v->type = &type_number;
		v->len = NUMBER_BITS;
		v->integer = i;
		return v;
	}
	number_setup();
	if (is_infinity(text, &negative)) {
		mpfr_set_inf(n, negative ? -1 : 1);
		return number_new(a, n);
	}
	if (!scan_number(&s, text))
		return NULL;
	if (s.digits)
		read_scanned(n, &s, text);
	else
		mpfr_set_zero(n, s.negative ? -1 : 1);
	return number_new(a, n);
}
