/* records_read.h - a configuration from records */
#ifndef TFPIPE_CONFIG_RECORDS_READ_H
#define TFPIPE_CONFIG_RECORDS_READ_H

#include "config/config.h"

/* A configuration from records: config_new, this for each record, then
 * config_finish.  Returns 1 when the record is not one of a configuration. */
int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds);

#endif
