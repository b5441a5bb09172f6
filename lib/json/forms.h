/* forms.h - may JSON text be written in another way? */
#ifndef TFPIPE_JSON_FORMS_H
#define TFPIPE_JSON_FORMS_H

#include "base/str.h"

/* Is there one way alone to write the text without spaces?  Not with an escape
 * other than by a letter, a fraction, an exponent or many zeros; in doubt false
 * is the answer. */
bool json_one_form(struct str text);
/* Appends the number (JSON text) in the form that all texts of its value have:
 * whole ones by their digits, unless that takes many zeros. */
void json_number_form(struct buf *out, struct str number);

#endif
