/* yaml_scalar_int.h - what YAML scalars mean */
#ifndef TFPIPE_FUNCS_YAML_SCALAR_INT_H
#define TFPIPE_FUNCS_YAML_SCALAR_INT_H

#include "codec/yaml_text.h"
#include "funcs/funcs_int.h"
#include "json/json.h"
#include "json/write.h"

/* The value of a scalar: by its tag ("" if it has none), else by its look.
 * NULL with *wrong set.  Untyped null is a value. */
const struct value *yaml_scalar(struct arena *a, struct str text,
				struct str tag, bool quoted,
				const char **wrong);

#endif
