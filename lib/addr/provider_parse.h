/* provider_parse.h - provider configuration addresses as states write them */
#ifndef TFPIPE_ADDR_PROVIDER_PARSE_H
#define TFPIPE_ADDR_PROVIDER_PARSE_H

#include "addr/addr.h"

int provider_config_parse(struct arena *a, struct str text,
			  struct provider_config_addr *out, struct diags *ds);

#endif
