/*
 * number_parse.h - numbers from text: decimal notation, correctly rounded to
 * 512 bits; see number_text.c for the way back
 */
#ifndef TFPIPE_VALUE_NUMBER_PARSE_H
#define TFPIPE_VALUE_NUMBER_PARSE_H

#include <stdint.h>
#include <mpfr.h>
#include "value/value.h"

/* Parses at 512 bits; NULL if text is not a number as the language reads it. */
const struct value *value_number_parse(struct arena *a, struct str text);

#endif
