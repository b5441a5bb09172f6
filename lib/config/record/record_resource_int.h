/* record_resource_int.h - the records of resources, both ways */
#ifndef TFPIPE_CONFIG_RECORD_RESOURCE_INT_H
#define TFPIPE_CONFIG_RECORD_RESOURCE_INT_H

#include "config/record/record_int.h"

void config_write_resource(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_resource *r);
void config_write_provisioners(struct jw *w,
			       const struct cfg_provisioner_vec *v);
int config_read_resource(struct reader *r);
int config_read_provisioners(struct reader *r, struct cfg_provisioner_vec *out);

#endif
