/* static_int.h - early evaluation of an expression */
#ifndef TFPIPE_CONFIG_STATIC_INT_H
#define TFPIPE_CONFIG_STATIC_INT_H

#include "config/load/static_check_int.h"
#include "lang/eval/eval.h"

/* The value of e, which is what f is about; see also f->unknown, f->failed. */
const struct value *static_evaluate(const struct static_frame *f,
				    struct expression e, struct diags *ds);
/* Where it is evaluated. */
struct scope static_scope(const struct static_frame *f);
/* Evaluates early what the call of m passes to its `const` variables. */
void static_constants(struct loader *l, struct cfg_module *m);

#endif
