/*
 * builtin_funcs_int.h - provider::terraform::…: decode_tfvars, encode_tfvars,
 * encode_expr
 */
#ifndef TFPIPE_PROVIDER_BUILTIN_FUNCS_INT_H
#define TFPIPE_PROVIDER_BUILTIN_FUNCS_INT_H

#include "provider/provider.h"

void builtin_functions(struct arena *a, struct map *out);

#endif
