/* decode_value_int.h - variable, locals and output blocks */
#ifndef TFPIPE_CONFIG_DECODE_VALUE_INT_H
#define TFPIPE_CONFIG_DECODE_VALUE_INT_H

#include "config/decode/decode_int.h"

void decode_variable(struct decoder *d, const struct block *b);
/* Sets the type, its defaults and how text is read from v->type_expr. */
void decode_variable_type(struct arena *a, struct cfg_variable *v,
			  struct diags *ds);
void decode_locals(struct decoder *d, const struct block *b);
void decode_output(struct decoder *d, const struct block *b);

#endif
