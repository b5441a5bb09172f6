/* records.h - a configuration as records, and from them */
#ifndef TFPIPE_CONFIG_RECORDS_H
#define TFPIPE_CONFIG_RECORDS_H

#include "config/config.h"

/* All records of tf-parse: sources, modules, objects. */
void config_write(struct stream_out *o, const struct config *c);
/* The sources alone: what is left of a configuration with errors. */
void config_write_sources(struct stream_out *o, const struct config *c);
/* A configuration from records: config_new, this for each record, then
 * config_finish.  Returns 1 when the record is not one of a configuration. */
int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds);

#endif
