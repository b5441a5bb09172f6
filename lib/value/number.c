/*
 * number.c - arithmetic; see number.h
 *
 * Operations follow the rules of a floating point type whose precision is part
 * of each number: the result takes the larger precision of the operands and is
 * rounded to nearest even.  int64 operands take a short cut wherever the
 * result is exact.  Results are built in arena memory directly.
 */
#include "value/number.h"

enum { INT_BITS = 64, DOUBLE_BITS = 53 };

/* An operand in MPFR form: inline integers are put in limbs on the stack. */
struct operand {
	mpfr_t small;
	mp_limb_t limbs[1];
	mpfr_srcptr n;
};

void number_setup(void)
{
	if (mpfr_get_emax() != INT32_MAX) {
		mpfr_set_emin(INT32_MIN);
		mpfr_set_emax(INT32_MAX);
	}
}

static mpfr_srcptr operand(struct operand *o, const struct value *x)
{
	_Static_assert(GMP_NUMB_BITS == 64, "an int64 fits one limb");
	if (x->big)
		return x->num->n;
	mpfr_custom_init(o->limbs, 64);
	mpfr_custom_init_set(o->small, MPFR_ZERO_KIND, 0, 64, o->limbs);
	mpfr_set_sj(o->small, x->integer, MPFR_RNDN);
	return o->small;
}

static struct bignum *big_new(struct arena *a, mpfr_prec_t bits)
{
	struct bignum *b = arena_alloc(a, sizeof(*b));
	void *limbs = arena_alloc(a, mpfr_custom_get_size(bits));

	number_setup();
	mpfr_custom_init(limbs, bits);
	mpfr_custom_init_set(b->n, MPFR_ZERO_KIND, 0, bits, limbs);
	return b;
}

static const struct value *inline_int(struct arena *a, int64_t n,
				      mpfr_prec_t bits)
{
	struct value *v = ARENA_NEW(a, struct value);

	v->type = &type_number;
	v->len = (uint32_t)bits;
	v->integer = n;
	return v;
}

/* The value of b, inline if it can be. */
static const struct value *finish(struct arena *a, struct bignum *b)
{
	struct value *v;

	if (mpfr_nan_p(b->n))
		return NULL;
	if (mpfr_integer_p(b->n) && mpfr_fits_intmax_p(b->n, MPFR_RNDN) &&
	    !(mpfr_zero_p(b->n) && mpfr_signbit(b->n)))
		return inline_int(a, mpfr_get_sj(b->n, MPFR_RNDN),
				  mpfr_get_prec(b->n));
	v = ARENA_NEW(a, struct value);
	v->type = &type_number;
	v->big = true;
	v->num = b;
	return v;
}

const struct value value_zero = { .type = &type_number, .len = INT_BITS };

const struct value *value_int(struct arena *a, int64_t n)
{
	return inline_int(a, n, INT_BITS);
}

const struct value *value_double(struct arena *a, double d)
{
	struct bignum *b = big_new(a, DOUBLE_BITS);

	mpfr_set_d(b->n, d, MPFR_RNDN);
	return finish(a, b);
}

const struct value *number_new(struct arena *a, mpfr_srcptr n)
{
	struct bignum *b = big_new(a, mpfr_get_prec(n));

	mpfr_set(b->n, n, MPFR_RNDN);
	return finish(a, b);
}

mpfr_prec_t number_bits(const struct value *x)
{
	return x->big ? mpfr_get_prec(x->num->n) : (mpfr_prec_t)x->len;
}

void number_get(mpfr_ptr out, const struct value *x)
{
	struct operand o;

	mpfr_set(out, operand(&o, x), MPFR_RNDN);
}

/* --- arithmetic --- */

static mpfr_prec_t result_bits(const struct value *x, const struct value *y)
{
	mpfr_prec_t p = number_bits(x), q = number_bits(y);

	return p > q ? p : q;
}

/* An integer result that needs no rounding at this precision. */
static bool exact_in(int64_t n, mpfr_prec_t bits)
{
	return bits >= INT_BITS ||
	       (bits >= DOUBLE_BITS && n <= (int64_t)1 << DOUBLE_BITS &&
		n >= -((int64_t)1 << DOUBLE_BITS));
}

typedef int binary_fn(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static const struct value *binary(struct arena *a, const struct value *x,
				  const struct value *y, binary_fn *fn)
{
	struct operand p, q;
	struct bignum *b = big_new(a, result_bits(x, y));

	fn(b->n, operand(&p, x), operand(&q, y), MPFR_RNDN);
	return finish(a, b);
}

const struct value *number_add(struct arena *a, const struct value *x,
			       const struct value *y)
{
	mpfr_prec_t bits = result_bits(x, y);
	int64_t n;

	if (!x->big && !y->big &&
	    !__builtin_add_overflow(x->integer, y->integer, &n) &&
	    exact_in(n, bits))
		return inline_int(a, n, bits);
	return binary(a, x, y, mpfr_add);
}

const struct value *number_sub(struct arena *a, const struct value *x,
			       const struct value *y)
{
	mpfr_prec_t bits = result_bits(x, y);
	int64_t n;

	if (!x->big && !y->big &&
	    !__builtin_sub_overflow(x->integer, y->integer, &n) &&
	    exact_in(n, bits))
		return inline_int(a, n, bits);
	return binary(a, x, y, mpfr_sub);
}

/* Products are worked out at 512 bits and keep what they need of them. */
const struct value *number_mul(struct arena *a, const struct value *x,
			       const struct value *y)
{
	mpfr_prec_t bits = result_bits(x, y), least;
	struct operand p, q;
	struct bignum *wide, *b;
	int64_t n;

	if (!x->big && !y->big && (x->integer || y->integer >= 0) &&
	    (y->integer || x->integer >= 0) && exact_in(INT64_MAX, bits) &&
	    !__builtin_mul_overflow(x->integer, y->integer, &n))
		return inline_int(a, n, bits);
	wide = big_new(a, NUMBER_BITS);
	mpfr_mul(wide->n, operand(&p, x), operand(&q, y), MPFR_RNDN);
	least = mpfr_number_p(wide->n) ? mpfr_min_prec(wide->n) : 0;
	if (least > bits)
		bits = least;
	b = big_new(a, bits);
	mpfr_set(b->n, wide->n, MPFR_RNDN);
	return finish(a, b);
}

const struct value *number_div(struct arena *a, const struct value *x,
			       const struct value *y)
{
	mpfr_prec_t bits = result_bits(x, y);

	if (!x->big && !y->big && y->integer > 0 && x->integer &&
	    x->integer % y->integer == 0 &&
	    exact_in(x->integer / y->integer, bits))
		return inline_int(a, x->integer / y->integer, bits);
	return binary(a, x, y, mpfr_div);
}

/* x - y * trunc(x / y), each step rounded to x's precision but the quotient
 * to the larger one. */
const struct value *number_mod(struct arena *a, const struct value *x,
			       const struct value *y)
{
	struct operand p, q;
	struct bignum *quotient, *work;
	mpfr_srcptr n, m;

	if (number_sign(y) == 0)
		return x;
	if (!x->big && !y->big && y->integer != -1 &&
	    exact_in(x->integer, number_bits(x)) &&
	    exact_in(INT64_MAX, result_bits(x, y)))
		return inline_int(a, x->integer % y->integer, number_bits(x));
	n = operand(&p, x);
	m = operand(&q, y);
	quotient = big_new(a, result_bits(x, y));
	mpfr_div(quotient->n, n, m, MPFR_RNDN);
	mpfr_trunc(quotient->n, quotient->n);
	if (mpfr_zero_p(quotient->n)) /* an integer zero has no sign */
		mpfr_set_zero(quotient->n, 1);
	work = big_new(a, number_bits(x));
	mpfr_set(work->n, quotient->n, MPFR_RNDN);
	mpfr_mul(work->n, m, work->n, MPFR_RNDN);
	mpfr_sub(work->n, n, work->n, MPFR_RNDN);
	return finish(a, work);
}

const struct value *number_neg(struct arena *a, const struct value *x)
{
	struct operand o;
	struct bignum *b;

	if (!x->big && x->integer && x->integer != INT64_MIN)
		return inline_int(a, -x->integer, number_bits(x));
	b = big_new(a, number_bits(x));
	mpfr_neg(b->n, operand(&o, x), MPFR_RNDN);
	return finish(a, b);
}

/* --- comparing --- */

int number_cmp(const struct value *x, const struct value *y)
{
	struct operand p, q;
	int c;

	if (!x->big && !y->big)
		return (x->integer > y->integer) - (x->integer < y->integer);
	c = mpfr_cmp(operand(&p, x), operand(&q, y));
	return (c > 0) - (c < 0);
}

bool number_equal(const struct value *x, const struct value *y)
{
	struct arena scratch = ARENA_INIT;
	bool equal;

	if (!x->big || !y->big || number_is_integer(x) ||
	    number_is_integer(y) || number_bits(x) == number_bits(y))
		return number_cmp(x, y) == 0;
	equal = str_eq(value_number_text(&scratch, x),
		       value_number_text(&scratch, y));
	arena_release(&scratch);
	return equal;
}

int number_sign(const struct value *x)
{
	if (x->big)
		return mpfr_sgn(x->num->n);
	return (x->integer > 0) - (x->integer < 0);
}

bool number_is_integer(const struct value *x)
{
	return !x->big || mpfr_integer_p(x->num->n);
}

bool number_is_infinite(const struct value *x)
{
	return x->big && mpfr_inf_p(x->num->n);
}

/* Types are limited in depth, and so is this. */
bool value_has_infinity(const struct value *x)
{
	if (!value_usable(x))
		return false;
	if (x->type == &type_number)
		return number_is_infinite(x);
	if (type_is_primitive(x->type))
		return false;
	for (uint32_t i = 0; i < x->len; i++)
		if (value_has_infinity(x->elems[i]))
			return true;
	return false;
}

bool value_get_int(const struct value *v, int64_t *out)
{
	if (v->type != &type_number || v->state != VALUE_KNOWN)
		return false;
	if (v->big) {
		if (!mpfr_zero_p(v->num->n))
			return false;
		*out = 0; /* -0 */
		return true;
	}
	*out = v->integer;
	return true;
}

double value_get_double(const struct value *v)
{
	if (v->big)
		return mpfr_get_d(v->num->n, MPFR_RNDN);
	return (double)v->integer;
}
