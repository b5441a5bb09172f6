/*
 * yaml_int.h - between yaml_decode.c and yaml_scalar.c
 */
#ifndef TFPIPE_FUNCS_YAML_INT_H
#define TFPIPE_FUNCS_YAML_INT_H

#include "funcs/funcs_int.h"

/* The value of a scalar: by its tag ("" if it has none), else by its look.
 * NULL with *wrong set.  Untyped null is a value. */
const struct value *yaml_scalar(struct arena *a, struct str text,
				struct str tag, bool quoted,
				const char **wrong);

#endif
