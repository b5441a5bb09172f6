/* records_read_int.h - a configuration as records, and from them */
#ifndef TFPIPE_CONFIG_RECORDS_READ_INT_H
#define TFPIPE_CONFIG_RECORDS_READ_INT_H

#include "config/config.h"

/* The module of a path, made if need be (records.c). */
struct cfg_module *config_module_at(struct config *c, struct str path);

#endif
