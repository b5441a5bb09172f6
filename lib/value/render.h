/*
 * render.h - a value as the console prints it
 */
#ifndef TFPIPE_VALUE_RENDER_H
#define TFPIPE_VALUE_RENDER_H

#include "value/value.h"

/* Appends without a final newline: "a", tolist([…]), (known after apply),
 * (sensitive value). */
void value_render(struct buf *b, const struct value *v);

#endif
