/* words_show_int.h - what `tf show` is to show */
#ifndef TFPIPE_DRIVER_WORDS_SHOW_INT_H
#define TFPIPE_DRIVER_WORDS_SHOW_INT_H

#include "driver/words_int.h"

/* Checks that `show` is asked for one thing, in a form that exists. */
int words_show_check(struct words *w, const struct str_vec *operands);
/* Adds tf-show's option for it to the words. */
void words_show_target(struct words *w, const struct str_vec *operands,
		       struct buf *words);

#endif
