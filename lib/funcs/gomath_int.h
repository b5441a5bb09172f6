/*
 * gomath_int.h - logarithm and power in double precision, digit for digit as
 * the ecosystem computes them
 *
 * The C library's results differ from OpenTofu's in the last digit now and
 * then, and so from machine to machine; a plan must not.  These follow the
 * published algorithms that OpenTofu's run-time library uses: fdlibm's
 * logarithm, and powers by squaring.
 */
#ifndef TFPIPE_FUNCS_GOMATH_INT_H
#define TFPIPE_FUNCS_GOMATH_INT_H

double gomath_log(double x);
double gomath_pow(double x, double y);

#endif
