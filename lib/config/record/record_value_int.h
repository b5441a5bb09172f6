/*
 * record_value_int.h - the records of variables, locals and outputs, both ways
 */
#ifndef TFPIPE_CONFIG_RECORD_VALUE_INT_H
#define TFPIPE_CONFIG_RECORD_VALUE_INT_H

#include "config/record/record_int.h"

void config_write_variable(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_variable *v);
void config_write_local(struct writer *wr, const struct cfg_module *m,
			const struct cfg_local *l);
void config_write_output(struct writer *wr, const struct cfg_module *m,
			 const struct cfg_output *o);
int config_read_variable(struct reader *r);
int config_read_local(struct reader *r);
int config_read_output(struct reader *r);

#endif
