/*
 * complete_int.h - what could be typed next: tf -complete WORD…, the last of
 * which is begun and may be empty
 */
#ifndef TFPIPE_DRIVER_COMPLETE_INT_H
#define TFPIPE_DRIVER_COMPLETE_INT_H

#include "driver/words_int.h"

/* Returns as driver_words does. */
int words_complete(struct words *w);

#endif
