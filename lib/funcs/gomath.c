/*
 * gomath.c - logarithm and power in double precision; see funcs_int.h
 *
 * The order of operations matters throughout: it decides the last bit.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "funcs/funcs_int.h"

/* x must be finite and positive.  fdlibm: log(1+f) = f - s(f - R) for
 * s = f/(2+f) with a polynomial R in s^2. */
static double log_positive(double x)
{
	const double ln2_hi = 6.93147180369123816490e-01,
		     ln2_lo = 1.90821492927058770002e-10;
	const double l1 = 6.666666666666735130e-01,
		     l2 = 3.999999999940941908e-01,
		     l3 = 2.857142874366239149e-01,
		     l4 = 2.222219843214978396e-01,
		     l5 = 1.818357216161805012e-01,
		     l6 = 1.531383769920937332e-01,
		     l7 = 1.479819860511658591e-01;
	int exp;
	double f = frexp(x, &exp), k, s, s2, s4, t1, t2, r, hfsq;

	if (f < M_SQRT1_2) {
		f *= 2;
		exp--;
	}
	f -= 1;
	k = exp;
	s = f / (2 + f);
	s2 = s * s;
	s4 = s2 * s2;
	t1 = s2 * (l1 + s4 * (l3 + s4 * (l5 + s4 * l7)));
	t2 = s4 * (l2 + s4 * (l4 + s4 * l6));
	r = t1 + t2;
	hfsq = 0.5 * f * f;
	return k * ln2_hi - ((hfsq - (s * (hfsq + r) + k * ln2_lo)) - f);
}

double gomath_log(double x)
{
	if (isnan(x) || (isinf(x) && x > 0))
		return x;
	if (x < 0)
		return NAN;
	return x == 0 ? -INFINITY : log_positive(x);
}

/* e^x for |x| < 800: after Shibata's reduction x = n ln 2 + 16 r, a Taylor
 * series for e^r - 1, squared four times. */
static double exp_small(double x)
{
	const double log2e = 1.4426950408889634073599246810018920,
		     ln2_hi = 0.69314718055966295651160180568695068359375,
		     ln2_lo = 0.28235290563031577122588448175013436025525e-12;
	static const double taylor[] = {
		1.9841269841269841270e-4,
		1.3888888888888888889e-3,
		8.3333333333333333333e-3,
		4.1666666666666666667e-2,
		1.6666666666666666667e-1,
		0.5,
		1.0,
	};
	double n = nearbyint(x * log2e), p = 2.4801587301587301587e-5;

	x = fma(-ln2_hi, n, x);
	x = fma(-ln2_lo, n, x);
	x *= 0.0625;
	for (int i = 0; i < 7; i++)
		p = fma(p, x, taylor[i]);
	x *= p;
	for (int i = 0; i < 3; i++)
		x *= x + 2.0;
	x = fma(x, x + 2.0, 1.0);
	return ldexp(x, (int)n);
}

static bool is_odd(double x)
{
	double whole;

	if (fabs(x) >= 0x1p53)
		return false; /* all even from here on */
	return modf(x, &whole) == 0 && ((int64_t)whole & 1);
}

/* x or y is zero or infinite: the cases of C's pow() as well. */
static double pow_special(double x, double y)
{
	if (x == 0) {
		if (y < 0)
			return signbit(x) && is_odd(y) ? -INFINITY : INFINITY;
		return signbit(x) && is_odd(y) ? x : 0;
	}
	if (isinf(y)) {
		if (x == -1)
			return 1;
		return (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
	}
	if (x < 0) /* minus infinity */
		return gomath_pow(1 / x, -y);
	return y < 0 ? 0 : INFINITY;
}

/* x^y as fraction * 2^exp, by squaring x for the whole part of y. */
static double pow_finite(double x, double y)
{
	double whole, frac = modf(fabs(y), &whole), a = 1, x1;
	int64_t exp = 0, xexp;
	int e;

	if (frac != 0 && x < 0)
		return NAN;
	if (whole >= 0x1p63) {
		if (x == -1)
			return 1;
		return (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
	}
	if (frac != 0) {
		if (frac > 0.5) {
			frac--;
			whole++;
		}
		a = exp_small(frac * gomath_log(x));
	}
	x1 = frexp(x, &e);
	xexp = e;
	for (int64_t i = (int64_t)whole; i != 0; i >>= 1) {
		if (xexp < -(1 << 12) || xexp > 1 << 12) {
			exp += xexp; /* over- or underflows for certain */
			break;
		}
		if (i & 1) {
			a *= x1;
			exp += xexp;
		}
		x1 *= x1;
		xexp *= 2;
		if (x1 < .5) {
			x1 += x1;
			xexp--;
		}
	}
	if (y < 0) {
		a = 1 / a;
		exp = -exp;
	}
	return ldexp(a, (int)(exp > 10000    ? 10000
			      : exp < -10000 ? -10000
					     : exp));
}

double gomath_pow(double x, double y)
{
	if (y == 0 || x == 1)
		return 1;
	if (y == 1)
		return x;
	if (isnan(x) || isnan(y))
		return NAN;
	if (x == 0 || isinf(x) || isinf(y))
		return pow_special(x, y);
	if (y == 0.5)
		return sqrt(x);
	if (y == -0.5)
		return 1 / sqrt(x);
	return pow_finite(x, y);
}
