/*
 * format_number.c - numbers in format(): see format_funcs.c
 */
#include <ctype.h>
#include <stdlib.h>

#include "funcs/funcs_int.h"
#include "value/number.h"

/* 0.DIGITS * 10^exp, without trailing zeros; no digits: zero. */
struct decimal {
	const char *digits;
	long n;
	long exp;
};

static void set_digits(struct arena *a, struct decimal *d, const char *digits,
		       long exp)
{
	size_t n = strlen(digits);

	while (n && digits[n - 1] == '0')
		n--;
	d->digits = arena_strndup(a, digits, n);
	d->n = (long)n;
	d->exp = n ? exp : 0;
}

/* Out of plain notation, 12.5 or 0.00125, or 1.25e+1000000. */
static void decimal_shortest(struct arena *a, const struct value *v,
			     struct decimal *d)
{
	struct str s = value_number_text(a, v);
	char *digits = arena_alloc(a, s.n + 1);
	long exp = 0;
	size_t n = 0;
	bool point = false;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.') {
			point = true;
			continue;
		}
		if (s.p[i] == 'e') {
			exp += strtol(s.p + i + 1, NULL, 10);
			break;
		}
		if (!isdigit((unsigned char)s.p[i]))
			continue;
		if (n == 0 && s.p[i] == '0') {
			exp -= point;
			continue;
		}
		digits[n++] = s.p[i];
		exp += !point;
	}
	digits[n] = '\0';
	set_digits(a, d, digits, exp);
}

/* Is n, rounded to no digit at all, 10^exp rather than 0? A half is not. */
static bool rounds_up(mpfr_srcptr n)
{
	mpfr_exp_t exp;
	char down[8], up[8];

	mpfr_get_str(down, &exp, 10, 2, n, MPFR_RNDZ);
	mpfr_get_str(up, &exp, 10, 2, n, MPFR_RNDA);
	if (down[0] != '5')
		return down[0] > '5';
	return down[1] != '0' || strcmp(down, up) != 0;
}

static long decimal_exponent(mpfr_srcptr n)
{
	mpfr_exp_t exp;
	char digits[8];

	mpfr_get_str(digits, &exp, 10, 2, n, MPFR_RNDZ);
	return (long)exp;
}

/* Rounded to `count` digits, or (point) to so many after the point. */
static void decimal_rounded(struct arena *a, const struct value *v,
			    struct decimal *d, long count, bool point)
{
	mpfr_exp_t exp;
	char *digits;
	mpfr_t n;

	*d = (struct decimal){ "", 0, 0 };
	mpfr_init2(n,
		   number_bits(v) > NUMBER_BITS ? number_bits(v) : NUMBER_BITS);
	number_get(n, v);
	mpfr_abs(n, n, MPFR_RNDN);
	if (!mpfr_zero_p(n)) {
		if (point)
			count += decimal_exponent(n);
		if (count > 0) {
			digits = mpfr_get_str(NULL, &exp, 10, (size_t)count, n,
					      MPFR_RNDN);
			set_digits(a, d, digits, (long)exp);
			mpfr_free_str(digits);
		} else if (count == 0 && rounds_up(n)) {
			set_digits(a, d, "1", decimal_exponent(n) + 1);
		}
	}
	mpfr_clear(n);
}

static char digit_at(const struct decimal *d, long i)
{
	return i >= 0 && i < d->n ? d->digits[i] : '0';
}

/* d.ddde+dd with prec digits after the point. */
static void write_exponent(struct buf *b, const struct decimal *d, long prec,
			   char e)
{
	long exp = d->n ? d->exp - 1 : 0;

	buf_putc(b, digit_at(d, 0));
	if (prec > 0)
		buf_putc(b, '.');
	for (long i = 1; i <= prec; i++)
		buf_putc(b, digit_at(d, i));
	buf_putc(b, e);
	buf_putc(b, exp < 0 ? '-' : '+');
	buf_addf(b, "%02ld", exp < 0 ? -exp : exp);
}

static void write_fixed(struct buf *b, const struct decimal *d, long prec)
{
	for (long i = 0; i < d->exp; i++)
		buf_putc(b, digit_at(d, i));
	if (d->exp <= 0)
		buf_putc(b, '0');
	if (prec > 0)
		buf_putc(b, '.');
	for (long i = 0; i < prec; i++)
		buf_putc(b, digit_at(d, d->exp + i));
}

/* %e for small and large numbers, else %f, without trailing zeros. */
static void write_general(struct buf *b, struct arena *a, const struct value *v,
			  const struct verb *verb)
{
	long prec = verb->prec ? (long)verb->prec : 1, eprec, exp;
	struct decimal d;

	if (verb->has_prec) {
		decimal_rounded(a, v, &d, prec, false);
		eprec = prec > d.n && d.n >= d.exp ? d.n : prec;
	} else {
		decimal_shortest(a, v, &d);
		prec = d.n;
		eprec = 6;
	}
	exp = d.exp - 1;
	if (exp < -4 || exp >= eprec) {
		prec = prec > d.n ? d.n : prec;
		write_exponent(b, &d, prec - 1, verb->mode == 'g' ? 'e' : 'E');
		return;
	}
	if (prec > d.exp)
		prec = d.n;
	write_fixed(b, &d, prec > d.exp ? prec - d.exp : 0);
}

bool format_too_long(const struct value *v)
{
	const long bits = FORMAT_MAX / 3 * 10;

	return v->big && mpfr_regular_p(v->num->n) &&
	       (mpfr_get_exp(v->num->n) > bits ||
		mpfr_get_exp(v->num->n) < -bits);
}

static void magnitude(struct buf *b, const struct value *v,
		      const struct verb *verb)
{
	long prec = verb->has_prec ? (long)verb->prec : 6;
	struct arena a = ARENA_INIT;
	struct decimal d;

	if (number_is_infinite(v)) {
		buf_puts(b, "Inf");
		return;
	}
	switch (verb->mode) {
	case 'f':
		decimal_rounded(&a, v, &d, prec, true);
		write_fixed(b, &d, prec);
		break;
	case 'e':
	case 'E':
		decimal_rounded(&a, v, &d, prec + 1, false);
		write_exponent(b, &d, prec, verb->mode);
		break;
	default:
		write_general(b, &a, v, verb);
		break;
	}
	arena_release(&a);
}

static void fill(struct buf *b, char ch, size_t n)
{
	while (n-- > 0)
		buf_putc(b, ch);
}

/* Below zero, or minus zero? */
static bool has_minus(const struct value *v)
{
	return v->big ? mpfr_signbit(v->num->n) : v->integer < 0;
}

void format_float(struct buf *b, const struct value *v, const struct verb *verb)
{
	struct buf text = BUF_INIT;
	const char *sign = "";
	size_t len, pad = 0;

	magnitude(&text, v, verb);
	if (has_minus(v))
		sign = "-";
	else if (verb->plus && !(number_is_infinite(v) && verb->space))
		sign = "+";
	else if (verb->space)
		sign = " ";
	else if (number_is_infinite(v))
		sign = "+";
	len = strlen(sign) + text.len;
	if (verb->width > len)
		pad = verb->width - len;
	if (verb->zero && !number_is_infinite(v)) {
		buf_puts(b, sign);
		fill(b, '0', pad);
		buf_str(b, buf_view(&text));
	} else {
		fill(b, ' ', verb->minus ? 0 : pad);
		buf_puts(b, sign);
		buf_str(b, buf_view(&text));
		fill(b, ' ', verb->minus ? pad : 0);
	}
	buf_release(&text);
}

/* The digits of a whole number's magnitude. */
static void whole_digits(struct buf *b, const struct value *v, char mode)
{
	int base = mode == 'b' ? 2 : mode == 'o' ? 8 : 16;
	struct arena a = ARENA_INIT;
	struct str text = STR("0");
	mpfr_exp_t exp = 1;
	mpfr_t n;

	mpfr_init2(n,
		   number_bits(v) > NUMBER_BITS ? number_bits(v) : NUMBER_BITS);
	number_get(n, v);
	mpfr_abs(n, n, MPFR_RNDN);
	if (mode == 'd') {
		struct decimal d;

		decimal_rounded(&a, v, &d, 0, true);
		text = (struct str){ d.digits, (size_t)d.n };
		exp = d.n ? d.exp : 1;
	} else if (!mpfr_zero_p(n)) { /* exact: the base is a power of two */
		char *digits = mpfr_get_str(NULL, &exp, base, 0, n, MPFR_RNDN);

		text = str_dup(&a, str_c(digits));
		mpfr_free_str(digits);
	}
	for (size_t i = 0; i < (size_t)exp; i++) {
		char ch = i < text.n ? text.p[i] : '0';

		buf_putc(b,
			 mode == 'X' ? (char)toupper((unsigned char)ch) : ch);
	}
	mpfr_clear(n);
	arena_release(&a);
}

static const char *base_prefix(const struct verb *verb)
{
	if (!verb->sharp)
		return "";
	switch (verb->mode) {
	case 'b':
		return "0b";
	case 'o':
		return "0";
	case 'x':
		return "0x";
	case 'X':
		return "0X";
	default:
		return "";
	}
}

int format_integer(struct buf *b, const struct value *v,
		   const struct verb *verb)
{
	const char *sign = verb->plus    ? "+"
			   : verb->space ? " "
					 : "",
		   *prefix = base_prefix(verb);
	struct buf digits = BUF_INIT;
	size_t zeros = 0, pad = 0, len;

	if (number_is_infinite(v) || !number_is_integer(v))
		return -1;
	if (number_sign(v) < 0)
		sign = "-";
	whole_digits(&digits, v, verb->mode);
	if (verb->has_prec && verb->prec > digits.len)
		zeros = verb->prec - digits.len;
	/* A zero with precision 0 is nothing at all. */
	if (verb->has_prec && verb->prec == 0 && number_sign(v) == 0)
		goto out;
	len = strlen(sign) + strlen(prefix) + zeros + digits.len;
	if (verb->width > len)
		pad = verb->width - len;
	if (verb->zero && !verb->minus && !verb->has_prec) {
		zeros = pad;
		pad = 0;
	}
	fill(b, ' ', verb->minus ? 0 : pad);
	buf_puts(b, sign);
	buf_puts(b, prefix);
	fill(b, '0', zeros);
	buf_str(b, buf_view(&digits));
	fill(b, ' ', verb->minus ? pad : 0);
out:
	buf_release(&digits);
	return 0;
}
