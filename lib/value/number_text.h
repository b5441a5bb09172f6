/* number_text.h - numbers to text */
#ifndef TFPIPE_VALUE_NUMBER_TEXT_H
#define TFPIPE_VALUE_NUMBER_TEXT_H

#include <stdint.h>
#include <mpfr.h>
#include "value/value.h"

/* The text of value_number_text where that reads back as the number (it need
 * not where the number is a power of two or an integer of few bits) and has not
 * thousands of digits.  Otherwise an odd number and a power of two: 3p5000. */
struct str number_exact_text(struct arena *a, const struct value *x);
/* As printf's %.10g: what the set order of composite values is built on. */
void number_text_short(struct buf *b, const struct value *x);
/* Shortest form without exponent: how numbers become strings. */
struct str value_number_text(struct arena *a, const struct value *v);

#endif
