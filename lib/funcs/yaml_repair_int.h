/* yaml_repair_int.h - texts that OpenTofu reads and libyaml refuses */
#ifndef TFPIPE_FUNCS_YAML_REPAIR_INT_H
#define TFPIPE_FUNCS_YAML_REPAIR_INT_H

#include "codec/yaml_text.h"

/* After the error e: if OpenTofu would have read *s, puts a text there that
 * libyaml reads so. */
bool yaml_repair(struct arena *a, struct yaml_error e, struct str *s);

#endif
