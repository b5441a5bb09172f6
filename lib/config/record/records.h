/* records.h - a configuration as records */
#ifndef TFPIPE_CONFIG_RECORDS_H
#define TFPIPE_CONFIG_RECORDS_H

#include "config/config.h"

/* All records of tf-parse: sources, modules, objects. */
void config_write(struct stream_out *o, const struct config *c);
/* The sources alone: what is left of a configuration with errors. */
void config_write_sources(struct stream_out *o, const struct config *c);

#endif
