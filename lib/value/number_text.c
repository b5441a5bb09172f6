/*
 * number_text.c - numbers to text
 *
 * The shortest decimal that reads back as the same number at its own precision,
 * with an exponent only instead of a million zeros.  If a decimal of so few
 * digits that no two of that length share a number reads back as x, it is the
 * one; this settles what came from text.  Otherwise (quotients) digits are
 * taken from x until what is left out cannot matter: until the two numbers half
 * way to x's neighbours differ from it.  Neither ever writes out all digits of
 * x, of which there may be very many.  As in OpenTofu, the neighbour below a
 * power of two counts as far away as the one above, so that its text may be
 * another number's.
 */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>

#include "value/number.h"

/* 0.DIGITS * 10^exp, the digits without trailing zeros. */
struct decimal {
	char *d;
	size_t len;
	mpfr_exp_t exp;
	bool more; /* other digits than zero follow */
};

static void trim(struct decimal *d)
{
	while (d->len && d->d[d->len - 1] == '0')
		d->len--;
}

static char *digits(struct arena *a, mpfr_srcptr x, size_t n, mpfr_rnd_t rnd,
		    mpfr_exp_t *exp)
{
	char *p = arena_alloc(a, n + 8);

	return mpfr_get_str(p, exp, 10, n, x, rnd);
}

/* Are there other digits than zero after the first n of x = 0.d * 10^exp? What
 * has bits behind the binary point has as many digits behind the decimal
 * one. */
static bool has_more(struct arena *a, mpfr_srcptr x, const char *d, size_t n,
		     mpfr_exp_t exp)
{
	mpfr_exp_t lowest = mpfr_get_exp(x) - (mpfr_exp_t)mpfr_min_prec(x), up;
	char *above;

	if (lowest < 0)
		return exp - lowest > (mpfr_exp_t)n;
	if (exp <= (mpfr_exp_t)n)
		return false;
	above = digits(a, x, n, MPFR_RNDA, &up);
	return up != exp || memcmp(d, above, n) != 0;
}

/* The first n digits of x > 0. */
static struct decimal first_digits(struct arena *a, mpfr_srcptr x, size_t n)
{
	struct decimal d = { .len = n };

	d.d = digits(a, x, n, MPFR_RNDZ, &d.exp);
	d.more = has_more(a, x, d.d, n, d.exp);
	if (!d.more)
		trim(&d);
	return d;
}

static char digit_at(const struct decimal *d, size_t i)
{
	return i < d->len ? d->d[i] : '0';
}

/* Is there a digit after the first n? */
static bool goes_on(const struct decimal *d, size_t n)
{
	return d->more || n < d->len;
}

static void round_up(struct decimal *d, size_t n)
{
	while (n > 0 && d->d[n - 1] == '9')
		n--;
	if (n == 0) {
		d->d[0] = '1';
		d->len = 1;
		d->exp++;
		return;
	}
	d->d[n - 1]++;
	d->len = n;
}

static void round_down(struct decimal *d, size_t n)
{
	d->len = n;
	trim(d);
}

static void round_nearest(struct decimal *d, size_t n)
{
	char next = digit_at(d, n);
	bool up = next >= '5';

	if (!goes_on(d, n))
		return;
	if (next == '5' && !goes_on(d, n + 1))
		up = n > 0 && (d->d[n - 1] - '0') & 1;
	if (up)
		round_up(d, n);
	else
		round_down(d, n);
}

/* So many of the digits are the same in all three, and others follow. */
static size_t common_digits(const struct decimal *a, const struct decimal *b,
			    const struct decimal *c)
{
	size_t n = a->len < b->len ? a->len : b->len, i = 0;

	n = c->len < n ? c->len : n;
	while (i + 9 <= n && memcmp(a->d + i, b->d + i, 8) == 0 &&
	       memcmp(a->d + i, c->d + i, 8) == 0)
		i += 8;
	return i;
}

/* Shortens d, the digits of x, between the two numbers half way to x's
 * neighbours. */
static void shorten(struct decimal *d, const struct decimal *lower,
		    const struct decimal *upper, bool inclusive)
{
	for (size_t i = common_digits(d, lower, upper); i < d->len; i++) {
		char m = d->d[i];
		char l = digit_at(lower, i), u = digit_at(upper, i);
		bool down = l != m || (inclusive && !goes_on(lower, i + 1));
		bool up = m != u &&
			  (inclusive || m + 1 < u || goes_on(upper, i + 1));

		if (down && up)
			round_nearest(d, i + 1);
		else if (down)
			round_down(d, i + 1);
		else if (up)
			round_up(d, i + 1);
		if (down || up)
			return;
	}
}

/* d[0..n) + by, as far as it has the same number of digits. */
static bool add_to_digits(struct decimal *d, size_t n, double by)
{
	int64_t carry = (int64_t)by;

	for (size_t i = n; i-- > 0 && carry;) {
		int64_t digit = carry + d->d[i] - '0';

		carry = digit / 10 - (digit % 10 < 0);
		d->d[i] = (char)('0' + digit - carry * 10);
	}
	return carry == 0 && d->d[0] != '0';
}

static struct decimal decimal_copy(struct arena *a, const struct decimal *d,
				   size_t n)
{
	struct decimal c = *d;

	c.d = arena_alloc(a, n);
	memset(c.d, '0', n);
	memcpy(c.d, d->d, d->len);
	c.len = n;
	c.more = true;
	return c;
}

/* shorten with neighbours at the distance of half a unit, in the last of the n
 * digits; false if they are not of as many digits. */
static bool shorten_at(struct arena *a, struct decimal *d, size_t n,
		       double half, bool inclusive)
{
	struct decimal lower = decimal_copy(a, d, n);
	struct decimal upper = decimal_copy(a, d, n);

	if (!add_to_digits(&lower, n, -half) || !add_to_digits(&upper, n, half))
		return false;
	shorten(d, &lower, &upper, inclusive);
	return true;
}

/* As shorten_between, usually, and in a third of the time: n digits are several
 * more than needed, so that in units of the last one half the distance to a
 * neighbour is a large number that a double knows well enough.  If a little
 * less and a little more lead to the same text, so does the right one. */
static bool shorten_nearly(struct arena *a, mpfr_srcptr x, size_t n,
			   struct decimal *d)
{
	bool inclusive = mpfr_min_prec(x) < mpfr_get_prec(x);
	struct decimal less = decimal_copy(a, d, n), more = less;
	char lead[20] = "0.";
	double half;
	long exp;

	more.d = arena_dup(a, less.d, n);
	memcpy(lead + 2, less.d, n < 17 ? n : 17);
	half = strtod(lead, NULL) / mpfr_get_d_2exp(&exp, x, MPFR_RNDN) *
	       pow(10, (double)n) *
	       exp2((double)(mpfr_get_exp(x) - exp - mpfr_get_prec(x) - 1));
	less.len = more.len = d->len;
	less.more = more.more = d->more;
	if (!(half > 1e3 && half < 1e12) ||
	    !shorten_at(a, &less, n, floor(half) - 2, inclusive) ||
	    !shorten_at(a, &more, n, floor(half) + 2, inclusive) ||
	    less.exp != more.exp || less.len != more.len ||
	    memcmp(less.d, more.d, less.len) != 0)
		return false;
	*d = less;
	return true;
}

/* d: the first n digits of x. */
static void shorten_between(struct arena *a, mpfr_srcptr x, size_t n,
			    struct decimal *d)
{
	mpfr_prec_t bits = mpfr_get_prec(x);
	struct decimal lower, upper;
	mpfr_t half, y;

	mpfr_init2(half, 2);
	mpfr_init2(y, bits + 2);
	mpfr_set_ui_2exp(half, 1, mpfr_get_exp(x) - bits - 1, MPFR_RNDN);
	mpfr_sub(y, x, half, MPFR_RNDN);
	lower = first_digits(a, y, n);
	mpfr_add(y, x, half, MPFR_RNDN);
	upper = first_digits(a, y, n);
	shorten(d, &lower, &upper, mpfr_min_prec(x) < bits);
	mpfr_clear(half);
	mpfr_clear(y);
}

static bool reads_back(struct arena *a, const struct decimal *d, mpfr_srcptr x)
{
	char *text =
		arena_printf(a, "0.%.*se%ld", (int)d->len, d->d, (long)d->exp);
	mpfr_t back;
	bool same;

	mpfr_init2(back, mpfr_get_prec(x));
	mpfr_strtofr(back, text, NULL, 10, MPFR_RNDN);
	same = mpfr_equal_p(back, x);
	mpfr_clear(back);
	return same;
}

static struct decimal shortest(struct arena *a, mpfr_srcptr x)
{
	mpfr_prec_t bits = mpfr_get_prec(x);
	/* so many digits say all, and no two numbers share so few */
	size_t n = (size_t)bits * 30103 / 100000 + 8;
	size_t few = (size_t)(bits - 1) * 30102 / 100000;
	struct decimal d = first_digits(a, x, n), text = d;

	if (few >= 3) {
		text.d = arena_dup(a, d.d, n);
		if (d.len > few)
			round_nearest(&text, few);
		trim(&text);
		/* what came from text is nearly always much shorter */
		if ((text.len + 8 < few || text.len < d.len / 2 || few < 20) &&
		    reads_back(a, &text, x))
			return text;
	}
	if (!shorten_nearly(a, x, n, &d))
		shorten_between(a, x, n, &d);
	return d;
}

static void add_zeros(struct buf *b, size_t n)
{
	buf_grow(b, n);
	memset(b->p + b->len, '0', n);
	b->len += n;
	b->p[b->len] = '\0';
}

static void write_plain(struct buf *b, const struct decimal *d)
{
	size_t whole = d->exp > 0 ? (size_t)d->exp : 0;

	if (!whole)
		buf_putc(b, '0');
	else if (whole >= d->len) {
		buf_add(b, d->d, d->len);
		add_zeros(b, whole - d->len);
		return;
	} else {
		buf_add(b, d->d, whole);
	}
	if (d->len == whole)
		return;
	buf_putc(b, '.');
	if (d->exp < 0)
		add_zeros(b, (size_t)-d->exp);
	buf_add(b, d->d + whole, d->len - whole);
}

/* 1e600000000 is a number: what would be more zeros than anybody reads has an
 * exponent. */
static void write_decimal(struct buf *b, const struct decimal *d)
{
	enum { ZEROS_MAX = 1000000 };

	if (d->exp <= ZEROS_MAX && d->exp >= -ZEROS_MAX) {
		write_plain(b, d);
		return;
	}
	buf_putc(b, d->d[0]);
	if (d->len > 1) {
		buf_putc(b, '.');
		buf_add(b, d->d + 1, d->len - 1);
	}
	buf_addf(b, "e%+ld", (long)d->exp - 1);
}

static struct str big_text(struct arena *a, mpfr_srcptr x)
{
	alignas(16) char room[4096];
	struct arena scratch = ARENA_IN(room);
	struct buf b = BUF_INIT;
	struct decimal d;
	struct str s;
	mpfr_t abs;

	number_setup();
	if (mpfr_inf_p(x))
		return mpfr_signbit(x) ? STR("-Inf") : STR("+Inf");
	if (mpfr_zero_p(x))
		return mpfr_signbit(x) ? STR("-0") : STR("0");
	mpfr_init2(abs, mpfr_get_prec(x));
	mpfr_abs(abs, x, MPFR_RNDN);
	d = shortest(&scratch, abs);
	if (mpfr_signbit(x))
		buf_putc(&b, '-');
	write_decimal(&b, &d);
	s = buf_dup(a, &b);
	mpfr_clear(abs);
	buf_release(&b);
	arena_release(&scratch);
	return s;
}

struct str value_number_text(struct arena *a, const struct value *v)
{
	int64_t limit = v->len < 63 ? (int64_t)1 << v->len : INT64_MAX;
	struct str s;
	mpfr_t n;

	if (v->big)
		return big_text(a, v->num->n);
	if (v->integer <= limit && v->integer >= -limit)
		return str_int(a, v->integer);
	/* Of few bits (those of a double) not every digit counts. */
	mpfr_init2(n, (mpfr_prec_t)v->len);
	mpfr_set_sj(n, v->integer, MPFR_RNDN);
	s = big_text(a, n);
	mpfr_clear(n);
	return s;
}

/* m * 2^e, m odd. */
static struct str binary_text(struct arena *a, const struct value *x)
{
	MPFR_DECL_INIT(m, NUMBER_BITS);
	char digits[NUMBER_BITS / 3];
	mpfr_exp_t e;

	number_get(m, x);
	e = mpfr_get_exp(m) - mpfr_min_prec(m);
	mpfr_mul_2si(m, m, -e, MPFR_RNDN);
	mpfr_snprintf(digits, sizeof(digits), "%.0Rf", m);
	return str_printf(a, "%sp%lld", digits, (long long)e);
}

/* Would it take thousands of digits? */
static bool is_long(const struct value *x)
{
	enum { LONG = 10000 };

	return x->big && mpfr_regular_p(x->num->n) &&
	       (mpfr_get_exp(x->num->n) > LONG ||
		mpfr_get_exp(x->num->n) < -LONG);
}

struct str number_exact_text(struct arena *a, const struct value *x)
{
	const struct value *back;
	struct str s;

	if (is_long(x))
		return binary_text(a, x);
	s = value_number_text(a, x);
	back = value_number_parse(a, s);
	if (!back || number_equal(back, x))
		return s;
	return binary_text(a, x);
}

void number_text_short(struct buf *b, const struct value *x)
{
	MPFR_DECL_INIT(n, 64);
	mpfr_srcptr from = n;
	char text[64];

	if (!x->big && x->integer < 10000000000 && x->integer > -10000000000) {
		buf_int(b, x->integer);
		return;
	}
	if (x->big)
		from = x->num->n;
	else
		mpfr_set_sj(n, x->integer, MPFR_RNDN);
	if (mpfr_inf_p(from)) {
		buf_puts(b, mpfr_signbit(from) ? "-Inf" : "+Inf");
		return;
	}
	mpfr_snprintf(text, sizeof(text), "%.10Rg", from);
	buf_puts(b, text);
}
