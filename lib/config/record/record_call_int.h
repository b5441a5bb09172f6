/*
 * record_call_int.h - the records of module calls, of providers and of the
 * settings of a module, both ways
 */
#ifndef TFPIPE_CONFIG_RECORD_CALL_INT_H
#define TFPIPE_CONFIG_RECORD_CALL_INT_H

#include "config/record/record_int.h"

void config_write_call(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_call *c);
void config_write_provider(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_provider *p);
void config_write_required(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_required_provider *rp);
void config_write_meta(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_provider_meta *pm);
void config_write_backend(struct writer *wr, const struct cfg_module *m,
			  const struct cfg_backend *b);
int config_read_call(struct reader *r);
int config_read_provider(struct reader *r);
int config_read_required(struct reader *r);
int config_read_meta(struct reader *r);
int config_read_backend(struct reader *r);
int config_read_encryption(struct reader *r);
int config_read_terraform(struct reader *r);

#endif
