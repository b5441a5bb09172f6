/* diag_difference.h - what a failed == compares, for its diagnostic */
#ifndef TFPIPE_UI_DIAG_DIFFERENCE_H
#define TFPIPE_UI_DIAG_DIFFERENCE_H

#include "ui/diag_text.h"

/* change: an object as in a plan's resource_changes, as JSON text. */
text_difference_fn diag_difference;

#endif
