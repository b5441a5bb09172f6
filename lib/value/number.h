/*
 * number.h - 512-bit numbers behind struct bignum; wraps MPFR
 *
 * Inputs are number values (state known); results are normalised: whatever
 * fits an int64 is held inline.
 */
#ifndef TFPIPE_VALUE_NUMBER_H
#define TFPIPE_VALUE_NUMBER_H

#include <mpfr.h>

#include "value/value.h"

enum { NUMBER_BITS = 512 };

struct bignum {
	mpfr_t n; /* limbs are in the arena (mpfr_custom_init) */
};

const struct value *number_add(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_sub(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_mul(struct arena *a, const struct value *x,
			       const struct value *y);
/* y not zero, or zero with x not zero (an infinity): callers check 0/0. */
const struct value *number_div(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_mod(struct arena *a, const struct value *x,
			       const struct value *y);
const struct value *number_neg(struct arena *a, const struct value *x);
int number_cmp(const struct value *x, const struct value *y);
int number_sign(const struct value *x);
bool number_is_integer(const struct value *x);
bool number_is_infinite(const struct value *x);
/* Copies into an mpfr_t that the caller initialised with NUMBER_BITS. */
void number_get(mpfr_ptr out, const struct value *x);
const struct value *number_new(struct arena *a, mpfr_srcptr n);

#endif
