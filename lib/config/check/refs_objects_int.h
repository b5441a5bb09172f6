/* refs_objects_int.h - the references of each kind of object; see refs.c */
#ifndef TFPIPE_CONFIG_REFS_OBJECTS_INT_H
#define TFPIPE_CONFIG_REFS_OBJECTS_INT_H

#include "config/check/refs.h"

void refs_check_objects(const struct cfg_module *m, struct refs_place *u);

#endif
