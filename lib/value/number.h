/*
 * number.h - 512-bit numbers behind struct bignum; wraps MPFR
 *
 * Inputs are number values (state known); results are normalised: whatever
 * fits an int64 is held inline.
 */
#ifndef TFPIPE_VALUE_NUMBER_H
#define TFPIPE_VALUE_NUMBER_H

#include <stdint.h>
#include <mpfr.h>

#include "value/value.h"

#define MPFR_USE_INTMAX_T 1

enum { NUMBER_BITS = 512 };

struct bignum {
	mpfr_t n; /* limbs are in the arena (mpfr_custom_init) */
};

/* Result: NULL where it is not a number (0/0, inf - inf).  Dividing by zero
 * gives an infinity, modulo zero gives x. */
const struct value *number_add(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_sub(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_mul(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_div(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_mod(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_neg(struct arena *a, const struct value *x);
/* By exact value; number_equal is the language's equality, which holds when
 * both are written the same: 0.1 of a double equals the parsed 0.1. */
int number_cmp(const struct value *x, const struct value *y);
bool number_equal(const struct value *x, const struct value *y);
int number_sign(const struct value *x);
bool number_is_integer(const struct value *x);
bool number_is_infinite(const struct value *x);
/* Is x, or something in it, an infinite number? JSON has none. */
bool value_has_infinity(const struct value *x);
/* Copies into an mpfr_t that the caller initialised with NUMBER_BITS. */
void number_get(mpfr_ptr out, const struct value *x);
/* A number with the value and the precision of n; NULL if n is NaN. */
const struct value *number_new(struct arena *a, mpfr_srcptr n);
/* Precision of x in bits. */
mpfr_prec_t number_bits(const struct value *x);
/* Sets the exponent range of MPFR to the one numbers have; call before using
 * MPFR directly. */
void number_setup(void);

const struct value *value_int(struct arena *a, int64_t n);
const struct value *value_double(struct arena *a, double d); /* not NaN */
/* Exactly an int64? */
bool value_get_int(const struct value *v, int64_t *out);
double value_get_double(const struct value *v);

/*
 * number_parse.c: numbers from text: decimal notation, correctly rounded to
 * 512 bits; see number_text.c for the way back
 */

/* Parses at 512 bits; NULL if text is not a number as the language reads it. */
const struct value *value_number_parse(struct arena *a, struct str text);

/* number_text.c: numbers to text */

/* The text of value_number_text where that reads back as the number (it need
 * not where the number is a power of two or an integer of few bits) and has not
 * thousands of digits.  Otherwise an odd number and a power of two: 3p5000. */
struct str number_exact_text(struct arena *a, const struct value *x);
/* As printf's %.10g: what the set order of composite values is built on. */
void number_text_short(struct buf *b, const struct value *x);
/* Shortest form without exponent: how numbers become strings. */
struct str value_number_text(struct arena *a, const struct value *v);

#endif
