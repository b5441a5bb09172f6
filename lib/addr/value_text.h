/*
 * value_text.h - values as source text
 *
 * The configuration source of a value: used to generate configuration for
 * imported objects and by encode_tfvars and encode_expr.
 */
#ifndef TFPIPE_ADDR_VALUE_TEXT_H
#define TFPIPE_ADDR_VALUE_TEXT_H

#include "base/str.h"
#include "value/value.h"

/* v must be wholly known; marks are ignored.  Objects and maps take a line an
 * attribute, without indentation: format_source lays the text out. */
void value_print_source(struct buf *out, const struct value *v);

#endif
