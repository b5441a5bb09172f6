/* words_check_int.h - what follows the options of a command, see words_int.h */
#ifndef TFPIPE_DRIVER_WORDS_CHECK_INT_H
#define TFPIPE_DRIVER_WORDS_CHECK_INT_H

#include "driver/words_int.h"

/* Checks the number of operands, and which the command takes. */
int words_check_operands(struct words *w, const struct str_vec *operands);
/* Can the file be a saved plan? */
int words_check_saved(struct words *w, struct str name);

#endif
