/* records.h - a configuration as records */
#ifndef TFPIPE_CONFIG_RECORD_RECORDS_H
#define TFPIPE_CONFIG_RECORD_RECORDS_H

#include "config/config.h"

/* All records of tf-parse: sources, modules, objects. */
void config_write(struct stream_out *o, const struct config *c);
/* The sources alone: what is left of a configuration with errors. */
void config_write_sources(struct stream_out *o, const struct config *c);

/* records_read.c: a configuration from records */

/* A configuration from records: config_new, this for each record, then
 * config_finish.  Returns 1 when the record is not one of a configuration. */
int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds);

/* config_finish.c: a configuration whose records were all read */

/* Resolves references between the objects; -1 after errors. */
int config_finish(struct config *c, struct diags *ds);

/* Records test_value: of an earlier run ("run.x"), or of a variable that only
 * the file of tests has ("var.x"). */
void config_write_test_value(struct stream_out *o, struct str address,
			     const struct value *v);

#endif
