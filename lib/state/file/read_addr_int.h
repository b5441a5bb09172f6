/*
 * read_addr_int.h - addresses inside state files and records, each parsed once
 */
#ifndef TFPIPE_STATE_READ_ADDR_INT_H
#define TFPIPE_STATE_READ_ADDR_INT_H

#include "state/state.h"

/* The decoded forms of texts, kept in the state's arena; NULL after a
 * diagnostic that names the origin. A dependency is returned without keys. */
const struct module_addr *read_module(struct state *s, struct str text,
				      struct diags *ds);
const struct provider_config_addr *read_provider(struct state *s,
						 struct str text,
						 struct diags *ds);
const struct str *read_dependency(struct state *s, struct str text,
				  struct diags *ds);
/* A list of addresses, JSON text, into i->dependencies. Returns -1 when it is
 * no list of strings (without a diagnostic) or an address is wrong (with). */
int read_dependencies(struct state *s, struct str json,
		      struct state_instance *i, struct diags *ds);

#endif
