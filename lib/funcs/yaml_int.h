/*
 * yaml_int.h - between the files of yamldecode
 */
#ifndef TFPIPE_FUNCS_YAML_INT_H
#define TFPIPE_FUNCS_YAML_INT_H

#include "codec/yaml_text.h"
#include "funcs/funcs_int.h"

/* The value of a scalar: by its tag ("" if it has none), else by its look.
 * NULL with *wrong set.  Untyped null is a value. */
const struct value *yaml_scalar(struct arena *a, struct str text,
				struct str tag, bool quoted,
				const char **wrong);

/* After the error e: if OpenTofu would have read *s, puts a text there that
 * libyaml reads so. */
bool yaml_repair(struct arena *a, struct yaml_error e, struct str *s);

#endif
