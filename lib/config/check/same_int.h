/* same_int.h - do two expressions say the same? */
#ifndef TFPIPE_CONFIG_SAME_INT_H
#define TFPIPE_CONFIG_SAME_INT_H

#include "config/config.h"

/* Are they written the same, but for parentheses? */
bool same_expressions(struct expression x, struct expression y);

#endif
